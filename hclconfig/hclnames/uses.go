// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A Use is one place where a module names something that is declared:
//
//   - in an expression
//   - in an address, such as the from of a moved block
//   - in a key or value of the providers argument of a module call, or in a key
//     of that of a test
//   - as the name of an input of a module call
//   - as the name of an output to which an override_module block of a test gives
//     a value
//   - in the type of a resource without the argument provider, which begins with
//     the name of the provider
type Use struct {
	// Text is the constant part of the reference, in normal spelling: var.x,
	// aws_instance.a[0].id.
	Text string
	// Address is the address of the named object, relative to the module: as in
	// [hclconfig.Declaration], or, for a declaration of a called module, with the call
	// before it: module.net.output.id, module.net.var.cidr, module.net.aws_vpc.main.
	// The object need not be declared.
	Address string
	// In is the block that the use is in, the innermost one.
	In *hclconfig.Block

	file     *hclconfig.File
	at, name textspan.Span
	// opaque reports that the use is of the whole of a module call, whose
	// outputs may be chosen in a way that the analysis cannot follow.
	opaque bool
}

// Range returns the place of Text.
func (u Use) Range() addrs.Range { return hclsource.RangeIn(u.file, u.at) }

// NameRange returns the place of the last name of Address alone, which a rename replaces. It has
// no quotes. [Use.Reference] is for edits of the whole Text. Package hcledit has no edit for a
// place: to change only the name, replace the bytes from Start.Offset to End.Offset, the last
// place of a file first, and pass the text to [hclconfig.File.Reparse].
func (u Use) NameRange() addrs.Range { return hclsource.RangeIn(u.file, u.name) }

// IsWhole reports whether the use is of a module call as a whole, as in upper(module.net),
// module.net[each.key] or for_each = module.net. Such a use may be of any of its outputs. It
// returns false for uses that name outputs, as in module.net[*].id, and for depends_on. If the call
// has count or for_each, it also returns false for uses that name outputs of its instances, as in
// module.net["a"].id and values(module.net)[*].id, and for length and keys, which depend on the
// instances. For any other call, all of these depend on the outputs, and it returns true. If the
// call has for_each, the first name may be a key: module.net.a is an instance as a whole, and so
// is module.net[*].a.
func (u Use) IsWhole() bool { return u.opaque }

// Names holds the declarations of a module and the places that name them.
//
// Names do not change and are safe for concurrent use.
type Names struct {
	config   *hclconfig.Config
	declared map[string]hclconfig.Declaration
	uses     map[string][]Use
}

// NamesOf reads the whole module, with its override files, and with its test files if it was loaded
// with [hclconfig.TestDirectory]; a module in a tree has them only if it is the root (see
// [LoadTree]). Tests in several directories, as for -test-directory, need a LoadModule for each.
// There are no uses in parts that could not be read: a file with a syntax error, or a template in a
// JSON string that does not parse, which is not among the diagnostics of the module; [Calls]
// reports both. Terraform's query files (.tfquery.hcl) are read only by [CalledOutputs]. The
// methods do not read the module again. For nil, the result is empty.
func NamesOf(m *hclconfig.Module) *Names {
	n := &Names{declared: map[string]hclconfig.Declaration{}}
	if m == nil {
		return n
	}
	n.config = &m.Config
	for d := range m.Declarations() {
		if _, ok := n.declared[d.Address]; !ok {
			n.declared[d.Address] = d
		}
	}
	w := useWalker{keys: keysOf(m.Calls)}
	for _, f := range m.Files {
		w.file(f)
	}
	for _, f := range m.Tests {
		w.testing = true
		w.file(f)
	}
	counts := make(map[string]int)
	for _, u := range w.out {
		counts[u.Address]++
	}
	n.uses = make(map[string][]Use, len(counts))
	for _, u := range w.out {
		list, ok := n.uses[u.Address]
		if !ok {
			list = make([]Use, 0, counts[u.Address])
		}
		n.uses[u.Address] = append(list, u)
	}
	return n
}

// UsesOfRun returns the places where a run of a test that uses another module, by its block
// "module", names what that module declares. Addresses are relative to that module: "output.id" is
// its output, "module.sub.output.id" an output of a module that it calls. The source of the module
// is relative to the directory of the module that has the test, also for a test in a directory
// below it. Names of the module under test that the run uses are not included.
//
// Later runs use the outputs of this one as run.NAME.OUTPUT. These are uses of the address
// "run.NAME.OUTPUT" in the [Names] of the module that has the test, whichever module the run uses.
func UsesOfRun(run *hclconfig.Run) []Use { return usesOfRun(run, nil) }

// usesOfRun is [UsesOfRun] with the calls of the module of the run, as far as they are known.
func usesOfRun(run *hclconfig.Run, calls []*hclconfig.ModuleCall) []Use {
	if run == nil || run.Module == nil {
		return nil
	}
	w := useWalker{testing: true, inside: true, keys: keysOf(calls)}
	root := hclsource.RootOf(run.Block.File())
	w.givenIn(root)
	for i := range root.Blocks {
		if b := root.Block(i); b.Plain == run.Block {
			w.block(b)
		}
	}
	return slices.DeleteFunc(w.out, func(u Use) bool {
		name, isVar := strings.CutPrefix(u.Address, "var.")
		switch {
		case strings.HasPrefix(u.Address, "run."):
			return true
		case u.In != nil && u.In.Type == "variables": // the values are of the module of the test
			a := u.In.Argument(name)
			return !isVar || a == nil || a.NameRange() != u.Range()
		}
		return isVar && w.given[name]
	})
}

// Lookup returns the declaration of the module with an address, as in
// [hclconfig.Declaration]. If there are several, which is an error in the
// module, it returns the first.
func (n *Names) Lookup(address string) (hclconfig.Declaration, bool) {
	if n == nil {
		return hclconfig.Declaration{}, false
	}
	d, ok := n.declared[address]
	return d, ok
}

// Uses returns the places where the files of the module, including override files and the test
// files that were loaded, name the object with this address: see [Use] for its form. Names below
// a call count for the call: module.net.output.id and module.net["a"].aws_vpc.main are uses of
// module.net as well. The Address of each is the argument: to find the uses of an output, ask
// for module.net.output.id, and for module.net with [Use.IsWhole]. The uses are in the order of
// the files, and in each file in the order of the text; those in test files come last.
func (n *Names) Uses(address string) []Use {
	if n == nil {
		return nil
	}
	return slices.Clone(n.uses[address])
}

// All returns an iterator over the uses of all addresses, in no particular order, each as Uses
// returns it for that Address: module.net.output.id is a use of module.net and another one of module.net.output.id. Which
// name is at a place of a file is found by their [Use.NameRange].
func (n *Names) All() iter.Seq[Use] {
	return func(yield func(Use) bool) {
		if n == nil {
			return
		}
		for _, list := range n.uses {
			for _, u := range list {
				if !yield(u) {
					return
				}
			}
		}
	}
}

// Unused returns the declarations that the module does not use: configurations of providers
// with an alias, input variables, local values and data sources, in the order of
// [hclconfig.Config.Declarations]. A data source with a precondition or a postcondition
// counts as used.
func (n *Names) Unused() []hclconfig.Declaration {
	if n == nil {
		return nil
	}
	var out []hclconfig.Declaration
	for d := range n.config.Declarations() {
		switch root, name, _ := strings.Cut(d.Address, "."); root {
		case "provider":
			if strings.Contains(name, ".") && len(n.uses[d.Address]) == 0 {
				out = append(out, d)
			}
		case "var", "local", "data":
			if root == "data" && checks(d.Block) {
				continue
			}
			used := slices.ContainsFunc(n.uses[d.Address], func(u Use) bool {
				// The validation of a variable is not a use of it.
				return u.In == nil || u.In.Type != "validation" || !holds(d.Block, u.In)
			})
			if !used {
				out = append(out, d)
			}
		}
	}
	return out
}

// checks reports whether a data block has conditions.
func checks(b *hclconfig.Block) bool {
	for l := range b.Body.BlocksOfType("lifecycle") {
		if l.Block("precondition") != nil || l.Block("postcondition") != nil {
			return true
		}
	}
	return false
}

// holds reports whether inner is one of the blocks in outer.
func holds(outer, inner *hclconfig.Block) bool {
	for i := range outer.Body.Blocks {
		if b := &outer.Body.Blocks[i]; b == inner {
			return true
		}
	}
	return false
}

// A useWalker finds the uses in files.
type useWalker struct {
	out     []Use
	testing bool
	// alternate reports that a run of a test uses another module.
	alternate bool
	// inside reports that the names of that module are looked for.
	inside bool
	// given has the variables that have a value in the test file, for all its runs.
	given map[string]bool
	// hidden has the names of the iterators of dynamic blocks in scope.
	hidden []string
	// keys has those of the calls that are known.
	keys map[string]callKeys
	in   hclsource.Block
	// calls reports that the file may call functions of providers.
	calls bool
}

func (w *useWalker) file(f *hclconfig.File) {
	root := hclsource.RootOf(f)
	w.calls = bytes.Contains(f.Bytes(), []byte("provider::"))
	before := len(w.out)
	defer func() {
		// The walk takes the arguments of a block before the blocks in it.
		slices.SortStableFunc(w.out[before:], func(a, b Use) int { return cmp.Compare(a.name.Start, b.name.Start) })
	}()
	w.givenIn(root)
	for i := range root.Blocks {
		w.block(root.Block(i))
	}
}

func (w *useWalker) givenIn(root hclsource.Body) {
	w.given = map[string]bool{}
	for i := range root.Blocks {
		if b := root.Block(i); w.testing && b.Type == "variables" {
			for j := range b.Body.Arguments {
				w.given[b.Body.Arguments[j].Name] = true
			}
		}
	}
}

func (w *useWalker) block(b hclsource.Block) {
	outer, hidden, alternate := w.in, len(w.hidden), w.alternate
	w.in = b
	defer func() { w.in, w.hidden, w.alternate = outer, w.hidden[:hidden], alternate }()
	switch b.Spec {
	case hcllang.ModuleBlock:
		w.call(b)
	case hcllang.ResourceBlock, hcllang.DataBlock, hcllang.EphemeralBlock:
		w.implied(b)
	case hcllang.Dynamic:
		w.dynamic(b)
		return
	}
	if outer.Spec == hcllang.CheckBlock && b.Type == "data" {
		w.implied(b)
	}
	if w.testing && b.Type == "run" && b.Block("module") != nil {
		w.alternate = !w.inside
	}
	if w.testing && b.Type == "variables" && !w.alternate {
		for i := range b.Body.Arguments {
			a := &b.Body.Arguments[i]
			w.add(a.Expression.File(), "var."+a.Name, a.Name, hclsource.SpanOf(a.NameRange()), withoutQuotes(a.Expression.File(), hclsource.SpanOf(a.NameRange())))
		}
	}
	if w.testing && b.Type == "override_module" && !w.alternate {
		w.outputsOverridden(b)
	}
	w.body(b.Inner())
}

// implied finds the configuration of a provider that a resource uses by its type.
func (w *useWalker) implied(b hclsource.Block) {
	f := b.File()
	if w.testing || f.IsOverride() || len(b.Labels) < 2 || b.Argument("provider") != nil {
		return
	}
	at := withoutQuotes(f, hclsource.SpanOf(b.LabelRange(0)))
	if string(f.Bytes()[at.Start:at.End]) != b.Labels[0] {
		return // it has escapes
	}
	name, _, _ := strings.Cut(b.Labels[0], "_")
	w.add(f, "provider."+name, b.Labels[0], at, textspan.Of(at.Start, at.Start+int32(len(name))))
}

// outputsOverridden finds the names of the outputs that a test gives values.
func (w *useWalker) outputsOverridden(b hclsource.Block) {
	t := addressOf(hclsource.PieceOf(hclsource.Expr(b.Plain, "target")).Expr)
	prefix := ""
	for i, s := range t {
		switch name := hclsource.StepName(s); {
		case name != "":
			prefix += name + "."
		case i == 0:
			return
		}
	}
	members, _ := hclsource.Expr(b.Plain, "outputs").Members()
	for _, m := range members {
		if prefix == "" || m.Computed {
			continue
		}
		at := hclsource.SpanOf(m.Key.Range())
		w.add(m.Key.File(), prefix+"output."+m.Name, m.Name, at, withoutQuotes(m.Key.File(), at))
	}
}

// addressOf returns the steps of an address without computed keys.
func addressOf(x hclsyntax.Expression) hcl.Traversal {
	if x == nil {
		return nil
	}
	t, _, _ := flatAddress(x)
	return t
}

func (w *useWalker) body(b hclsource.Body) {
	for i := range b.Arguments {
		w.argument(&b.Arguments[i])
	}
	for i := range b.Blocks {
		w.block(b.Block(i))
	}
}

// dynamic walks a dynamic block. Its iterator is in scope in its labels and
// in its content.
func (w *useWalker) dynamic(b hclsource.Block) {
	name := hclsource.Label(b.Plain, 0)
	if word := hclsource.Expr(b.Plain, "iterator").Keyword(); word != "" {
		name = word
	}
	for i := range b.Body.Arguments {
		if a := &b.Body.Arguments[i]; a.Name != "labels" && a.Name != "iterator" {
			w.argument(a)
		}
	}
	w.hidden = append(w.hidden, name)
	if a := b.Argument("labels"); a != nil {
		w.argument(a)
	}
	for i := range b.Body.Blocks {
		w.block(b.Inner().Block(i))
	}
}

// call finds the names of a module call that are declared in the called module.
func (w *useWalker) call(b hclsource.Block) {
	prefix := "module." + hclsource.Label(b.Plain, 0) + "."
	own := b.Body.Own()
	for i := range own.Arguments {
		a := &own.Arguments[i]
		w.add(a.Expression.File(), prefix+"var."+a.Name, a.Name, hclsource.SpanOf(a.NameRange()), withoutQuotes(a.Expression.File(), hclsource.SpanOf(a.NameRange())))
	}
}

// withoutQuotes returns the place of a name without the quotes that it may have.
func withoutQuotes(f *hclconfig.File, s textspan.Span) textspan.Span {
	if s.End-s.Start >= 2 && f.Bytes()[s.Start] == '"' {
		return textspan.Of(s.Start+1, s.End-1)
	}
	return s
}

// addressed reports whether an argument holds an address. In an address, a
// declaration of the module follows a module call, not an output.
func (w *useWalker) addressed(a *hclconfig.Argument) bool {
	if w.in.Plain == nil {
		return false
	}
	switch a.Name {
	case "from", "to":
		return w.in.Spec == hcllang.MovedBlock || w.in.Spec == hcllang.RemovedBlock || w.in.Spec == hcllang.ImportBlock
	case "target", "replace":
		return w.testing && a.Kind() != hclconfig.KindExpression
	}
	return false
}

func (w *useWalker) argument(a *hclconfig.Argument) {
	switch a.Kind() {
	case hclconfig.KindType, hclconfig.KindKeyword, hclconfig.KindKeywordList, hclconfig.KindAttributeList, hclconfig.KindIgnored:
		return
	case hclconfig.KindProviderReference:
		w.provider(a.Expression, "")
		return
	case hclconfig.KindProviderMap:
		members, _ := a.Members()
		if w.testing {
			// Of a run: the keys are those of the module, and the values are
			// declared in the test file.
			for _, m := range members {
				if !w.alternate {
					w.provider(m.Key, "")
				}
			}
			return
		}
		prefix := ""
		if w.in.Plain != nil && w.in.Spec == hcllang.ModuleBlock {
			prefix = "module." + hclsource.Label(w.in.Plain, 0) + "."
		}
		for _, m := range members {
			w.provider(m.Key, prefix)
			w.provider(m.Value, "")
		}
		return
	case hclconfig.KindProviderRequirement:
		return
	}
	first := len(w.out)
	for _, p := range hclsource.Pieces(a.Expression) {
		w.piece(p, w.addressed(a))
	}
	if a.Name == "depends_on" { // is about when, and reads no outputs
		for i := range w.out[first:] {
			w.out[first+i].opaque = false
		}
	}
}

// provider finds the configuration that e names, and the references of its key.
func (w *useWalker) provider(e hclconfig.Expression, prefix string) {
	p := hclsource.PieceOf(e)
	if p.Expr == nil {
		return
	}
	x := p.Expr
	if key, ok := x.(*hclsyntax.ObjectConsKeyExpr); ok {
		x = key.Wrapped
	}
	if i, ok := x.(*hclsyntax.IndexExpr); ok {
		for _, t := range i.Key.Variables() {
			w.reference(p, t)
		}
		x = i.Collection
	}
	t, diags := hcl.AbsTraversalForExpr(x)
	if diags.HasErrors() {
		if q := hclsource.QuotedPiece(e); q.Expr != nil {
			p = q
			t, diags = hcl.AbsTraversalForExpr(q.Expr)
		}
		if diags.HasErrors() {
			return
		}
	}
	address := prefix + "provider." + t.RootName()
	name := t[0]
	if len(t) > 1 {
		if a, ok := t[1].(hcl.TraverseAttr); ok {
			address, name = address+"."+a.Name, t[1]
		}
	}
	w.add(e.File(), address, hcllex.TraversalText(t), p.Span(t.SourceRange()), p.Name(name))
}

// piece finds the uses in one piece of source.
func (w *useWalker) piece(p hclsource.Piece, addressed bool) {
	if addressed {
		if !w.alternate {
			w.address(p, p.Expr)
		}
		return
	}
	whole := len(w.out)
	for _, t := range p.Expr.Variables() {
		w.reference(p, t)
	}
	w.functions(p)
	for _, u := range w.out[whole:] {
		if u.opaque {
			w.outputs(p, whole)
			return
		}
	}
}

// functions finds the configurations of providers whose functions a piece calls:
// provider::aws::f() and provider::aws::west::f().
func (w *useWalker) functions(p hclsource.Piece) {
	if !w.calls {
		return
	}
	_ = hclsyntax.VisitAll(p.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
		c, ok := n.(*hclsyntax.FunctionCallExpr)
		if !ok {
			return nil
		}
		steps := strings.Split(c.Name, "::")
		if len(steps) < 3 || len(steps) > 4 || steps[0] != "provider" {
			return nil
		}
		at := c.NameRange
		name := at
		name.Start.Byte += len(strings.Join(steps[:len(steps)-2], "::")) + len("::")
		name.End.Byte = name.Start.Byte + len(steps[len(steps)-2])
		w.add(p.File, strings.Join(steps[:len(steps)-1], "."), c.Name, p.Span(at), p.Span(name))
		return nil
	})
}

// reference adds the target of a reference in an expression.
func (w *useWalker) reference(p hclsource.Piece, t hcl.Traversal) {
	if t.IsRelative() || len(t) < 2 || slices.Contains(w.hidden, t.RootName()) {
		return
	}
	text, at := hcllex.TraversalText(t), p.Span(t.SourceRange())
	add := func(address string, step int) {
		w.add(p.File, address, text, at, p.Name(t[step]))
	}
	attr := func(i int) string {
		if i < len(t) {
			if a, ok := t[i].(hcl.TraverseAttr); ok {
				return a.Name
			}
		}
		return ""
	}
	root := t.RootName()
	switch root {
	case "count", "each", "path", "self", "terraform", "tofu":
		return
	case "var", "local":
		if name := attr(1); name != "" && !w.foreign(root, name) {
			add(root+"."+name, 1)
		}
		return
	case "output", "check":
		if w.testing {
			if name := attr(1); name != "" && !w.alternate {
				add(root+"."+name, 1)
			}
			return
		}
	case "run":
		if w.testing {
			if run, name := cmp.Or(attr(1), hclsource.StringKey(t[1])), attr(2); run != "" {
				add("run."+run, 1)
				if name != "" {
					add("run."+run+"."+name, 2)
				}
			}
			return
		}
	case "module":
		name := attr(1)
		if name == "" || w.alternate {
			return
		}
		add("module."+name, 1)
		whole, next := &w.out[len(w.out)-1].opaque, 2
		if next < len(t) {
			_, isIndex := t[next].(hcl.TraverseIndex)
			*whole = isIndex && w.keys[name] == noKey // then the key is the name of an output
			if isIndex || w.keys[name] == mapKeys {
				next++ // the key of an instance
			}
		}
		if out := attr(next); out == "" {
			*whole = true
		} else if next == 2 || w.keys[name] != noKey {
			add("module."+name+".output."+out, next)
		}
		return
	case "data", "ephemeral", "action", "resource":
		if typ, name := attr(1), attr(2); typ != "" && name != "" && !w.alternate {
			add(strings.TrimPrefix(root+"."+typ+"."+name, "resource."), 2)
		}
		return
	}
	if name := attr(1); name != "" && !w.alternate {
		add(root+"."+name, 1)
	}
}

// callKeys says which keys the instances of a call have, such as [listKeys].
type callKeys uint8

const (
	unknownKeys callKeys = iota // the call is not known
	noKey                       // it has one instance
	listKeys                    // it has count
	mapKeys                     // it has for_each: module.net.a is an instance too
)

// keysOf returns the keys of each call.
func keysOf(calls []*hclconfig.ModuleCall) map[string]callKeys {
	of := make(map[string]callKeys, len(calls))
	for _, call := range calls {
		switch {
		case call.ForEach.IsSet():
			of[call.Name] = mapKeys
		case call.Count.IsSet():
			of[call.Name] = listKeys
		default:
			of[call.Name] = noKey
		}
	}
	return of
}

// foreign reports whether a variable or local value belongs to the other module
// that a run of a test uses. What the run passes to it is still of this one.
func (w *useWalker) foreign(root, name string) bool {
	if !w.alternate || w.in.Plain != nil && w.in.Type == "variables" {
		return false
	}
	return root == "local" || !w.given[name]
}

// outputs finds the outputs that are chosen by other expressions than plain
// traversals: module.net[each.key].id and module.net[*].id. The uses of calls
// as a whole since first that it explains are no longer opaque.
func (w *useWalker) outputs(p hclsource.Piece, first int) {
	explained := func(t *hclsyntax.ScopeTraversalExpr) {
		at := p.Span(t.Range())
		for i := first; i < len(w.out); i++ {
			if w.out[i].opaque && w.out[i].file == p.File && w.out[i].at == at {
				w.out[i].opaque = false
			}
		}
	}
	follow := func(source hclsyntax.Expression, rest hcl.Traversal, splat bool) {
		t, name := wholeCall(source)
		if t == nil || len(rest) == 0 {
			return
		}
		switch keys, isCall := w.keys[name], hclsource.Unparen(source) == hclsyntax.Expression(t); {
		case splat && isCall && keys == mapKeys: // it makes a list of the map
			rest = rest[1:]
		case splat && isCall: // it makes a list of a single instance
		case keys == noKey:
			return // it is in the value of an output
		}
		if len(rest) == 0 {
			return
		}
		attr, ok := rest[0].(hcl.TraverseAttr)
		if !ok {
			return
		}
		explained(t)
		text := "module." + name + "." + attr.Name
		w.add(p.File, "module."+name+".output."+attr.Name, text, p.Span(rest[0].SourceRange()), p.Name(rest[0]))
	}
	_ = hclsyntax.VisitAll(p.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
		switch x := n.(type) {
		case *hclsyntax.RelativeTraversalExpr:
			if i, ok := hclsource.Unparen(x.Source).(*hclsyntax.IndexExpr); ok {
				follow(i.Collection, x.Traversal, false)
			}
		case *hclsyntax.ForExpr:
			t, name := wholeCall(x.CollExpr)
			if t == nil || w.keys[name] < listKeys {
				break
			}
			if steps, ok := loopSteps(x); ok {
				explained(t)
				for _, rest := range steps {
					follow(x.CollExpr, rest, false)
				}
			}
		case *hclsyntax.FunctionCallExpr:
			// With "..." the argument is an instance.
			if (x.Name == "length" || x.Name == "keys") && len(x.Args) == 1 && !x.ExpandFinal {
				if t, name := wholeCall(x.Args[0]); t != nil && w.keys[name] >= listKeys {
					explained(t) // about the instances, not about their outputs
				}
			}
		case *hclsyntax.SplatExpr:
			if r, ok := x.Each.(*hclsyntax.RelativeTraversalExpr); ok && r.Source == hclsyntax.Expression(x.Item) {
				follow(x.Source, r.Traversal, true)
			}
		}
		return nil
	})
}

// wholeCall returns the reference to a call as a whole that x is, or whose values it
// takes, and the name of the call.
func wholeCall(x hclsyntax.Expression) (*hclsyntax.ScopeTraversalExpr, string) {
	x = hclsource.Unparen(x)
	if f, ok := x.(*hclsyntax.FunctionCallExpr); ok && (f.Name == "values" || f.Name == "core::values") && len(f.Args) == 1 && !f.ExpandFinal {
		x = hclsource.Unparen(f.Args[0])
	}
	t, ok := x.(*hclsyntax.ScopeTraversalExpr)
	if !ok || t.Traversal.RootName() != "module" || len(t.Traversal) != 2 {
		return nil, ""
	}
	call, ok := t.Traversal[1].(hcl.TraverseAttr)
	if !ok {
		return nil, ""
	}
	return t, call.Name
}

// loopSteps returns the attributes that follow the variable of a loop where it is
// used. It reports false if one use has no attribute.
func loopSteps(x *hclsyntax.ForExpr) ([]hcl.Traversal, bool) {
	var out []hcl.Traversal
	for _, e := range []hclsyntax.Expression{x.KeyExpr, x.ValExpr, x.CondExpr} {
		if e == nil {
			continue
		}
		for _, t := range e.Variables() {
			if t.RootName() != x.ValVar {
				continue
			}
			if len(t) < 2 {
				return nil, false
			}
			if _, ok := t[1].(hcl.TraverseAttr); !ok {
				return nil, false
			}
			out = append(out, t[1:])
		}
	}
	return out, true
}

func (w *useWalker) add(f *hclconfig.File, address, text string, at, name textspan.Span) {
	w.out = append(w.out, Use{Text: text, Address: address, In: w.in.Plain, file: f, at: at, name: name})
}
