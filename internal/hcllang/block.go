// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hcllang has tables of the configuration language: which arguments and
// nested blocks each block takes, how many, their kinds, and since which release
// of each program. All code that reads, checks, writes or converts configuration uses
// these tables: a new argument is one line in language.go or testing.go.
//
// [Root], [Test], [MockData] and [Query] describe what may stand at the root of
// each kind of file. Nothing here may be changed.
package hcllang

// A Literal is what the value of a literal argument must be.
type Literal uint8

const (
	AnyLiteral Literal = iota
	StringLiteral
	BoolLiteral
	NumberLiteral
	StrictBool // no conversion from "true"
)

// An Argument describes an argument.
type Argument struct {
	Name     string
	Kind     Kind
	Lit      Literal
	Required bool
	Since    Support
	// Static says which releases take references in an argument of KindStatic; in
	// others it is of KindLiteral. If it is zero, it is what Rest has.
	Static Support
	// Wildcards says which releases take [*] for a key in an argument of
	// KindReference.
	Wildcards Support
	// Values has the words that an argument of KindKeyword allows.
	Values []Word
	// Reserved is set for a name that the language has only to refuse it: the
	// summary of what to say then.
	Reserved string
}

// A Word is a word that an argument of KindKeyword allows.
type Word struct {
	Text  string
	Since Support
}

// KindIn returns how release r of the program of d reads the argument.
func (a *Argument) KindIn(d Dialect, r Release) Kind {
	if a.Kind != KindStatic {
		return a.Kind
	}
	s := a.Static
	if s == (Support{}) {
		s = static
	}
	return staticIn(s, d, r)
}

// StaticSupport says which releases take references in an argument that is evaluated
// early: one of KindStatic, or any in a body whose Rest is RestStatic.
func (m Member) StaticSupport() Support {
	if m.Arg == nil || m.Arg.Static == (Support{}) {
		return static
	}
	return m.Arg.Static
}

// static is the support of references in arguments that are evaluated early.
var static = since("1.8", "")

func staticIn(s Support, d Dialect, r Release) Kind {
	if s.In(d, r) {
		return KindStatic
	}
	return KindLiteral
}

// A Block describes a block type at one place.
type Block struct {
	Name     string
	Labels   []string // what each label is called in messages
	AtMost   int      // how many; 0 is any number
	AtLeast  int
	Since    Support
	Unread   Support // releases that accept the block without a word and do not read it
	Reserved string  // as in an Argument
	// ByTofu reports that only OpenTofu refuses a reserved name.
	ByTofu bool

	Args   []Argument
	Blocks []*Block
	Rest   Rest

	// made by index: the meaning of each name.
	byName map[string]Member
}

// A Member is the meaning of a name in a body.
type Member struct {
	Arg   *Argument
	Block *Block
}

// A Rest says what a body takes in addition to the members of its Block.
type Rest uint8

const (
	// RestNone: nothing.
	RestNone Rest = iota
	// RestProvider: what the schema of a provider, provisioner or backend
	// says, which this package does not know: arguments and blocks.
	RestProvider
	// RestStatic is the same, with arguments of KindStatic.
	RestStatic
	// RestArguments: arguments of any name, and no blocks.
	RestArguments
	// RestRequirements: arguments of any name, of KindProviderRequirement.
	RestRequirements
	// RestIgnored: anything; it is not looked at.
	RestIgnored
	// RestInputs: arguments of any name, which are a module's input
	// variables. In JSON the body may be an array.
	RestInputs
	// RestValues: arguments of any name, of KindLiteral, and no blocks. In JSON the
	// body is an object.
	RestValues
)

// Open reports whether the body may hold blocks of any type.
func (r Rest) Open() bool { return r == RestProvider || r == RestStatic || r == RestIgnored }

// KindIn returns how release r of the program of d reads arguments that the Block
// does not list, and whether there may be any.
func (r Rest) KindIn(d Dialect, release Release) (Kind, bool) {
	switch r {
	case RestProvider, RestArguments, RestInputs:
		return KindExpression, true
	case RestStatic:
		return staticIn(static, d, release), true
	case RestRequirements:
		return KindProviderRequirement, true
	case RestIgnored:
		return KindIgnored, true
	case RestValues:
		return KindLiteral, true
	}
	return KindExpression, false
}

// OnlyArguments reports whether the block has arguments of any name, and nothing else.
func (s *Block) OnlyArguments() bool {
	return s != nil && len(s.Blocks) == 0 && (s.Rest == RestArguments || s.Rest == RestRequirements || s.Rest == RestValues)
}

// Lookup returns the meaning of name, or a zero Member.
func (s *Block) Lookup(name string) Member { return s.byName[name] }

// index fills byName, for s and the blocks in it. It is called once, while
// the tables are made.
func (s *Block) index() *Block {
	if s.byName != nil {
		return s
	}
	s.byName = make(map[string]Member, len(s.Args)+len(s.Blocks))
	for i := range s.Args {
		if s.Args[i].Since == (Support{}) {
			s.Args[i].Since = Everywhere
		}
		s.byName[s.Args[i].Name] = Member{Arg: &s.Args[i]}
	}
	for _, b := range s.Blocks {
		if b.Since == (Support{}) {
			b.Since = Everywhere
		}
		s.byName[b.Name] = Member{Block: b}
		b.index()
	}
	return s
}

// Open describes a block whose content only a provider's schema knows.
// A dynamic block may replace blocks in it.
var Open = newOpenBlock(RestProvider)

// OpenStatic is the same inside backend and encryption settings, where
// there are no dynamic blocks.
var OpenStatic = (&Block{Rest: RestStatic}).index()

// Ignored describes a block that OpenTofu accepts and does not look at.
var Ignored = (&Block{Rest: RestIgnored}).index()

// Values describes a file with values of variables.
var Values = (&Block{Rest: RestValues}).index()

// Dynamic describes a dynamic block.
var Dynamic = Open.Blocks[0]

func newOpenBlock(rest Rest) *Block {
	open := &Block{Rest: rest}
	content := &Block{Name: "content", Rest: rest, AtMost: 1, AtLeast: 1}
	dynamic := &Block{Name: "dynamic", Labels: []string{"type"}, Blocks: []*Block{content}, Args: []Argument{
		{Name: "for_each", Required: true},
		{Name: "iterator", Kind: KindKeyword},
		{Name: "labels"},
	}}
	open.Blocks = []*Block{dynamic}
	content.Blocks = open.Blocks
	return open.index()
}

// Nested returns the Block of a block of a type that s does not list, in
// an open body.
func (s *Block) Nested() *Block {
	switch s.Rest {
	case RestStatic:
		return OpenStatic
	case RestIgnored:
		return Ignored
	}
	return Open
}

// Provided returns the Block of blocks of a type that only a provider's
// schema knows, with labels called so. static is set inside backend and encryption
// settings.
func Provided(name string, labels []string, static bool) *Block {
	if static {
		return &Block{Name: name, Labels: labels, Rest: RestStatic}
	}
	return &Block{Name: name, Labels: labels, Rest: RestProvider, Blocks: Open.Blocks, byName: Open.byName}
}

// Refusal returns what the program of d says of a block with a reserved name, or ""
// if it takes it.
func (b *Block) Refusal(d Dialect) string {
	if b.ByTofu && d == Terraform {
		return ""
	}
	return b.Reserved
}
