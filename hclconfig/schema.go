// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

// The tables in schema_language.go and schema_testing.go say what the language has: which
// arguments and nested blocks each block takes, how many, of which kind, and
// since when. Everything else in the package follows them, so that a new
// argument is one line there.

// A literalType is what the value of a literal argument must be.
type literalType uint8

const (
	anyLiteral literalType = iota
	stringLiteral
	boolLiteral
	numberLiteral
	strictBool // no conversion from "true"
)

// An argSpec describes an argument.
type argSpec struct {
	name     string
	kind     Kind
	lit      literalType
	required bool
	since    Support
	// reserved is set for a name that the language has only to refuse it: the
	// summary of what to say then.
	reserved string
}

// A blockSpec describes a block type at one place.
type blockSpec struct {
	name     string
	labels   []string // what each label is called in messages
	atMost   int      // how many; 0 is any number
	atLeast  int
	since    Support
	reserved string // as in an argSpec

	args   []argSpec
	blocks []*blockSpec
	rest   restKind

	// merged by index: what a name stands for.
	byName map[string]member
}

// A member is what a name stands for in a body.
type member struct {
	arg   *argSpec
	block *blockSpec
}

// A restKind says what a body takes beside what its blockSpec lists.
type restKind uint8

const (
	// restNone: nothing.
	restNone restKind = iota
	// restProvider: what the schema of a provider, provisioner or backend
	// says, which this package does not know: arguments and blocks.
	restProvider
	// restStatic is the same, with arguments of KindStatic.
	restStatic
	// restArguments: arguments of any name, and no blocks.
	restArguments
	// restRequirements: arguments of any name, of KindProviderRequirement.
	restRequirements
	// restIgnored: anything; it is not looked at.
	restIgnored
	// restInputs: arguments of any name, which are a module's input
	// variables. In JSON the body may be an array.
	restInputs
)

// open reports whether the body may hold blocks of any type.
func (r restKind) open() bool { return r == restProvider || r == restStatic || r == restIgnored }

// kind returns the kind of arguments that the blockSpec does not list, and
// whether there may be any.
func (r restKind) kind() (Kind, bool) {
	switch r {
	case restProvider, restArguments, restInputs:
		return KindExpression, true
	case restStatic:
		return KindStatic, true
	case restRequirements:
		return KindProviderRequirement, true
	case restIgnored:
		return KindIgnored, true
	}
	return KindExpression, false
}

// lookup returns what name stands for, or a zero member.
func (s *blockSpec) lookup(name string) member { return s.byName[name] }

// index fills byName, for s and the blocks in it. It is called once, while
// the tables are made.
func (s *blockSpec) index() *blockSpec {
	if s.byName != nil {
		return s
	}
	s.byName = make(map[string]member, len(s.args)+len(s.blocks))
	for i := range s.args {
		if s.args[i].since == (Support{}) {
			s.args[i].since = everywhere
		}
		s.byName[s.args[i].name] = member{arg: &s.args[i]}
	}
	for _, b := range s.blocks {
		if b.since == (Support{}) {
			b.since = everywhere
		}
		s.byName[b.name] = member{block: b}
		b.index()
	}
	return s
}

// openBlock describes a block whose content only a provider's schema knows.
// A dynamic block may stand in for blocks in it.
var openBlock = newOpenBlock(restProvider)

// openStaticBlock is the same inside backend and encryption settings, where
// there are no dynamic blocks.
var openStaticBlock = (&blockSpec{rest: restStatic}).index()

// ignoredBlock describes a block that OpenTofu accepts and does not look at.
var ignoredBlock = (&blockSpec{rest: restIgnored}).index()

// dynamicSpec describes a dynamic block.
var dynamicSpec = openBlock.blocks[0]

func newOpenBlock(rest restKind) *blockSpec {
	open := &blockSpec{rest: rest}
	content := &blockSpec{name: "content", rest: rest, atMost: 1, atLeast: 1}
	dynamic := &blockSpec{name: "dynamic", labels: []string{"block type"}, blocks: []*blockSpec{content}, args: []argSpec{
		{name: "for_each", required: true},
		{name: "iterator", kind: KindKeyword},
		{name: "labels"},
	}}
	open.blocks = []*blockSpec{dynamic}
	content.blocks = open.blocks
	return open.index()
}

// nested returns the blockSpec of a block of a type that s does not list, in
// an open body.
func (s *blockSpec) nested() *blockSpec {
	switch s.rest {
	case restStatic:
		return openStaticBlock
	case restIgnored:
		return ignoredBlock
	}
	return openBlock
}
