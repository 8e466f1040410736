// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// A judge makes one random edit of one file, and says what must come of it.
type judge struct {
	*rand.Rand
	f    *hclconfig.File
	e    *hcledit.Editor
	tree *node // what must come out, after the edit
	name string
	own  [][2]int // the places in the text that the edit is about
	gone []noteAt // comments that the edit takes away
	come []string // and brings
	// anywhere is set if what the edit adds or moves may be at any place in it.
	anywhere, added *node
	keepLayout      bool
	keepComments    bool
	other           *hclconfig.File
	otherEdit       *hcledit.Editor
	otherTree       *node
	others          []*hclconfig.File
	movedText       string
	notes           []noteAt
	errAllowed      bool
}

// judgedValues are the written values, with the source that HCL's parser reads.
var judgedValues = []struct {
	value  any
	source string
}{
	{1, "1"},
	{"text", `"text"`},
	{"a ${x} %{y} \"q\"\n", `"a $${x} %%{y} \"q\"\n"`},
	{[]string{"a", "b"}, `["a", "b"]`},
	{[]string{}, `[]`},
	{map[string]any{"k": 1, "long_key": "v", "a b": nil}, `{"a b" = null, k = 1, long_key = "v"}`},
	{hcledit.Object(), `{}`},
	{hcledit.Source("var.x"), "var.x"},
	{hcledit.Source("a ? b : c"), "a ? b : c"},
	{hcledit.Source("[for x in var.y : x if x > 0]"), "[for x in var.y : x if x > 0]"},
	{hcledit.Source("!a && b"), "!a && b"},
	{hcledit.Template("a-${var.b}"), `"a-${var.b}"`},
	{hcledit.Source("<<-EOT\n  a\n    b ${c}\n  EOT\n"), "<<-EOT\n  a\n    b ${c}\n  EOT\n"},
	{hcledit.Function("merge", hcledit.Source("local.tags"), map[string]any{"a": 1}), `merge(local.tags, {a = 1})`},
	{true, "true"},
	{nil, "null"},
}

var errSkip = errors.New("nothing to do there")

func (j *judge) pick(n int) int { return j.IntN(n) }

func choose[T any](j *judge, in []T) (T, bool) {
	if len(in) == 0 {
		var zero T
		return zero, false
	}
	return in[j.IntN(len(in))], true
}

// blocks returns all blocks, in which edits can be.
func (j *judge) blocks() []*hclconfig.Block { return slices.Collect(j.f.Body().All()) }

// node returns the second opinion on a part.
func (j *judge) node(p hcledit.Part) (n, in *node) {
	switch p := p.(type) {
	case *hclconfig.Block:
		return j.tree.find(int(p.Range().Start.Offset))
	case *hclconfig.Argument:
		return j.tree.find(int(p.NameRange().Start.Offset))
	}
	return nil, nil
}

// anyArgument returns an argument that can be edited freely.
func (j *judge) anyArgument() (*hclconfig.Block, *hclconfig.Argument) {
	blocks := j.blocks()
	for range 20 {
		b, ok := choose(j, blocks)
		if !ok || len(b.Body.Arguments) == 0 {
			continue
		}
		a := &b.Body.Arguments[j.pick(len(b.Body.Arguments))]
		if a.Kind() == hclconfig.KindExpression {
			return b, a
		}
	}
	return nil, nil
}

// open returns a block that takes any argument.
func (j *judge) open() *hclconfig.Block {
	blocks := j.blocks()
	for range 20 {
		b, ok := choose(j, blocks)
		if !ok {
			return nil
		}
		switch b.Type {
		case "resource", "data", "locals", "module", "provider":
			return b
		}
	}
	return nil
}

// lead returns where the comments directly above offset begin, judged by lines.
func (j *judge) lead(offset int) int {
	src := j.f.Bytes()
	line := bytes.LastIndexByte(src[:offset], '\n') + 1
	for i := len(j.notes) - 1; i >= 0; i-- {
		n := j.notes[i]
		if n.end > line {
			continue
		}
		between := string(src[n.end:line])
		first := bytes.LastIndexByte(src[:n.start], '\n') + 1
		for i > 0 && j.notes[i-1].start >= first && len(bytes.TrimSpace(src[j.notes[i-1].end:n.start])) == 0 {
			i-- // another one before it on the line
			n = j.notes[i]
		}
		if strings.TrimSpace(between) != "" || strings.Count(between, "\n") > 1 || len(bytes.TrimSpace(src[first:n.start])) > 0 {
			break
		}
		line = first
	}
	return line
}

// tail returns the end of the line behind offset, with its comment.
func (j *judge) tail(offset int) int {
	src := j.f.Bytes()
	for {
		end := len(src)
		if n := bytes.IndexByte(src[offset:], '\n'); n >= 0 {
			end = offset + n + 1
		}
		grown := false
		for _, n := range j.notes {
			if n.start >= offset && n.start < end && n.end > end {
				offset, grown = n.end, true
			}
		}
		if !grown {
			return end
		}
	}
}

// takes says that an edit removes the bytes from start to end with their comments.
func (j *judge) takes(start, end int) {
	lead := j.lead(start)
	if j.keepComments {
		lead = bytes.LastIndexByte(j.f.Bytes()[:start], '\n') + 1
	}
	stop := j.tail(end)
	for _, n := range j.notes {
		if n.start >= lead && n.end <= stop {
			j.gone = append(j.gone, n)
		}
	}
	j.own = append(j.own, [2]int{lead, stop})
}

// touches says that an edit is about the bytes from start to end.
func (j *judge) touches(start, end int) { j.own = append(j.own, [2]int{start, end}) }

// opens says that an edit may open a block that is on one line.
func (j *judge) opens(b *hclconfig.Block) {
	for ; b != nil; b = nil {
		src := j.f.Bytes()
		start, end := int(b.Body.Range().Start.Offset), int(b.Body.Range().End.Offset)
		line := bytes.LastIndexByte(src[:end-1], '\n') + 1
		if line <= start || len(bytes.TrimSpace(src[line:end-1])) > 0 {
			j.touches(int(b.Range().Start.Offset), int(b.Range().End.Offset))
		}
	}
}

// optionsFor returns the judge's options, places and others as those of a verb.
func optionsFor[O any](j *judge, places []hcledit.Placement, more ...any) []O {
	var out []O
	for _, o := range append(j.options(), more...) {
		out = append(out, o.(O)) // inside, all options are of one type
	}
	for _, p := range places {
		out = append(out, any(p).(O))
	}
	return out
}

func (j *judge) options() []any {
	var out []any
	if j.keepLayout {
		out = append(out, hcledit.KeepLayout())
	}
	if j.keepComments {
		out = append(out, hcledit.KeepComments())
	}
	return out
}

// place chooses a place among the parts of a node, without the one that moves. It
// returns the option, and where that is; -1 for anywhere.
func (j *judge) place(in *node, parts []hcledit.Part, moves *node) ([]hcledit.Placement, int) {
	n := len(in.kids)
	if moves != nil {
		n--
	}
	switch j.pick(5) {
	case 0:
		return []hcledit.Placement{hcledit.First()}, 0
	case 1:
		return []hcledit.Placement{hcledit.Last()}, n
	case 2, 3:
		p, ok := choose(j, parts)
		if !ok {
			break
		}
		k, parent := j.node(p)
		if k == nil || k == moves || parent != in {
			break
		}
		i := in.index(k)
		if moves != nil && in.index(moves) < i && in.index(moves) >= 0 {
			i--
		}
		if j.pick(2) == 0 {
			return []hcledit.Placement{hcledit.Before(p)}, i
		}
		return []hcledit.Placement{hcledit.After(p)}, i + 1
	}
	return nil, -1
}

// parts returns the arguments and blocks of a body.
func parts(b *hclconfig.Body) []hcledit.Part {
	var out []hcledit.Part
	for i := range b.Arguments {
		out = append(out, &b.Arguments[i])
	}
	for i := range b.Blocks {
		out = append(out, &b.Blocks[i])
	}
	return out
}

// put inserts k into in, at i or anywhere.
func (j *judge) put(in *node, i int, k *node) {
	if i >= 0 {
		in.insert(i, k)
		return
	}
	in.insert(len(in.kids), k)
	j.anywhere, j.added = in, k
}

// An edit is one kind of edit that the judge makes.
type edit struct {
	name string
	make func(*judge) error
}

var judgedEdits = []edit{
	{"set", (*judge).set}, {"set new", (*judge).setNew}, {"remove", (*judge).removeArgument},
	{"rename", (*judge).rename}, {"move argument", (*judge).moveArgument}, {"move argument to a block", (*judge).moveInto},
	{"move block", (*judge).moveBlock}, {"move across files", (*judge).moveAcross}, {"add block", (*judge).addBlock},
	{"delete block", (*judge).deleteBlock}, {"relabel", (*judge).relabel}, {"insert element", (*judge).insertElement},
	{"delete element", (*judge).deleteElement}, {"move element", (*judge).moveElement}, {"sort", (*judge).sort},
	{"wrap", (*judge).wrap}, {"unwrap", (*judge).unwrap}, {"replace inside", (*judge).replaceInside},
	{"comments", (*judge).comments}, {"reference", (*judge).reference},
}

func (j *judge) set() error {
	b, a := j.anyArgument()
	if a == nil {
		return errSkip
	}
	v := judgedValues[j.pick(len(judgedValues))]
	n, _ := j.node(a)
	shown, err := showSource(v.source)
	if err != nil {
		return err
	}
	n.shown = shown
	j.touches(n.start, j.tail(n.end))
	j.opens(b)
	for _, c := range j.notes {
		if c.start >= int(a.Expression.Range().Start.Offset) && c.end <= n.end {
			j.gone = append(j.gone, c)
		}
	}
	j.name += fmt.Sprintf(" %s = %s", a.Name, v.source)
	j.e.Set(b, a.Name, v.value)
	return nil
}

func (j *judge) setNew() error {
	b := j.open()
	if b == nil {
		return errSkip
	}
	name, _ := choose(j, []string{"z", "added", "a_rather_long_name_of_an_argument_that_is_longer_than_others", "count", "depends_on"})
	if b.Argument(name) != nil || (name == "count" || name == "depends_on") && b.Type != "resource" {
		return errSkip
	}
	in, _ := j.node(b)
	v := judgedValues[j.pick(len(judgedValues))]
	if name == "depends_on" {
		v.value, v.source = hcledit.List(hcledit.Source("a.b")), "[a.b]"
	}
	shown, err := showSource(v.source)
	if err != nil {
		return err
	}
	opts, i := j.place(in, parts(&b.Body), nil)
	j.put(in, i, &node{name: name, shown: shown})
	j.opens(b)
	j.name += fmt.Sprintf(" %s = %s in %s at %d", name, v.source, b.Range(), i)
	j.e.Set(b, name, v.value, optionsFor[hcledit.SetOption](&judge{}, opts)...)
	return nil
}

func (j *judge) removeArgument() error {
	b, a := j.anyArgument()
	if a == nil {
		return errSkip
	}
	n, in := j.node(a)
	in.remove(n)
	j.opens(b)
	if len(j.own) > 0 {
		j.keepComments = true // those of the line are the block's
		j.errAllowed = true
		for _, c := range j.notes {
			if c.start > n.start && c.end < n.end {
				j.gone = append(j.gone, c)
			}
		}
	} else {
		j.takes(n.start, n.end)
	}
	j.name += " " + a.Range().String()
	if j.pick(2) == 0 {
		j.e.Remove(b, a.Name, optionsFor[hcledit.RemoveOption](j, nil)...)
	} else {
		j.e.Delete(a, optionsFor[hcledit.DeleteOption](j, nil)...)
	}
	return nil
}

func (j *judge) rename() error {
	b, a := j.anyArgument()
	if a == nil {
		return errSkip
	}
	to, _ := choose(j, []string{"z", "a_rather_long_name_of_an_argument_that_is_longer_than_others"})
	if b.Argument(to) != nil || b.Type != "resource" && b.Type != "data" && b.Type != "locals" {
		return errSkip
	}
	n, _ := j.node(a)
	n.name = to
	j.touches(n.start, n.start+1)
	j.name += " " + a.Range().String() + " " + to
	j.e.Rename(b, a.Name, to)
	return nil
}

func (j *judge) moveArgument() error {
	b, a := j.anyArgument()
	if a == nil {
		return errSkip
	}
	n, in := j.node(a)
	opts, i := j.place(in, parts(&b.Body), n)
	if len(opts) == 0 {
		return errSkip
	}
	in.remove(n)
	j.put(in, i, n)
	j.moves(n, b)
	j.name += fmt.Sprintf(" %s to %d", a.Range(), i)
	j.e.Move(a, optionsFor[hcledit.MoveOption](j, opts)...)
	return nil
}

// moves is takes for something that stays in the file, with its comments.
func (j *judge) moves(n *node, in *hclconfig.Block) {
	j.takes(n.start, n.end)
	own := j.own[len(j.own)-1]
	j.movedText = withoutSpace(string(j.f.Bytes()[own[0]:own[1]]))
	j.gone = nil
	if in != nil {
		j.opens(in)
	}
	if len(j.own) > 1 || j.shares(n) {
		j.errAllowed, j.movedText = true, ""
	}
}

// shares reports whether something else is on the lines of n.
func (j *judge) shares(n *node) bool {
	src := j.f.Bytes()
	line := bytes.LastIndexByte(src[:n.start], '\n') + 1
	if len(bytes.TrimSpace(src[line:n.start])) > 0 {
		return true
	}
	rest := string(src[n.end:j.tail(n.end)])
	for _, c := range j.notes {
		if c.start >= n.end {
			rest = strings.Replace(rest, c.text, "", 1)
		}
	}
	return strings.TrimSpace(rest) != ""
}

// withoutSpace returns a text without its white space. What moves gets the layout of
// fmt, which changes also "${ x }"; what white space means, the trees compare.
func withoutSpace(s string) string { return strings.Join(strings.Fields(s), "") }

func (j *judge) moveInto() error {
	b, a := j.anyArgument()
	if a == nil {
		return errSkip
	}
	to := j.open()
	if to == nil || to == b || to.Argument(a.Name) != nil {
		return errSkip
	}
	n, in := j.node(a)
	target, _ := j.node(to)
	opts, i := j.place(target, parts(&to.Body), nil)
	in.remove(n)
	j.put(target, i, n)
	j.moves(n, b)
	j.opens(to)
	j.name += fmt.Sprintf(" %s into %s at %d", a.Range(), to.Range(), i)
	j.e.Move(a, optionsFor[hcledit.MoveOption](j, opts, hcledit.Into(j.e, to))...)
	return nil
}

func (j *judge) moveBlock() error {
	blocks := j.blocks()
	if j.pick(3) > 0 {
		blocks = nil
		for i := range j.f.Body().Blocks {
			blocks = append(blocks, &j.f.Body().Blocks[i])
		}
	}
	b, ok := choose(j, blocks)
	if !ok {
		return errSkip
	}
	n, in := j.node(b)
	body := j.f.Body()
	if in != j.tree {
		for o := range body.All() {
			if m, _ := j.node(o); m == in {
				body = &o.Body
			}
		}
	}
	opts, i := j.place(in, parts(body), n)
	if len(opts) == 0 {
		return errSkip
	}
	in.remove(n)
	j.put(in, i, n)
	j.moves(n, nil)
	j.name += fmt.Sprintf(" %s to %d", b.Range(), i)
	j.e.Move(b, optionsFor[hcledit.MoveOption](j, opts)...)
	return nil
}

func (j *judge) moveAcross() error {
	g, ok := choose(j, j.others)
	if !ok || g == j.f {
		return errSkip
	}
	tree, err := readTree(g.Bytes())
	if err != nil {
		return errSkip
	}
	roots := j.f.Body().Blocks
	if len(roots) == 0 || len(g.Body().Blocks) == 0 {
		return errSkip
	}
	b := &roots[j.pick(len(roots))]
	n, in := j.node(b)
	in.remove(n)
	j.moves(n, nil)
	j.other, j.otherEdit, j.otherTree = g, hcledit.Edit(g, optionsFor[hcledit.EditOption](j, nil)...), tree
	var opts []hcledit.Placement
	i := len(tree.kids)
	switch j.pick(3) {
	case 0:
		k := &g.Body().Blocks[j.pick(len(g.Body().Blocks))]
		other, _ := tree.find(int(k.Range().Start.Offset))
		i = tree.index(other)
		opts = append(opts, hcledit.Before(k))
	case 1:
		i = 0
		opts = append(opts, hcledit.First())
	}
	tree.insert(i, n)
	lead, stop := j.own[0][0], j.own[0][1]
	for _, c := range j.notes {
		if c.start >= lead && c.end <= stop {
			j.gone = append(j.gone, c)
		}
	}
	j.name += fmt.Sprintf(" %s to %s at %d", b.Range(), g.Filename(), i)
	j.e.Move(b, optionsFor[hcledit.MoveOption](j, opts, hcledit.Into(j.otherEdit, nil))...)
	return nil
}

func (j *judge) addBlock() error {
	var in *hclconfig.Block
	body, to := j.f.Body(), j.tree
	if j.pick(2) == 0 {
		if in = j.open(); in != nil {
			if in.Type != "resource" && in.Type != "data" {
				return errSkip
			}
			body = &in.Body
			to, _ = j.node(in)
			j.opens(in)
		}
	}
	typ := "output"
	if in != nil {
		typ = "timeouts"
	}
	build := hcledit.NewBlock(typ)
	n := &node{name: typ, block: true, kids: []*node{{name: "value", shown: showOne()}}}
	if in == nil {
		build, n.labels = hcledit.NewBlock(typ, "new"), []string{"new"}
	}
	build.Comment("why").Set("value", 1)
	j.come = append(j.come, "# why")
	opts, i := j.place(to, parts(body), nil)
	j.put(to, i, n)
	j.name += fmt.Sprintf(" %s at %d", typ, i)
	j.e.Add(in, build, optionsFor[hcledit.AddOption](j, opts)...)
	return nil
}

func showOne() string { s, _ := showSource("1"); return s }

func (j *judge) deleteBlock() error {
	b, ok := choose(j, j.blocks())
	if !ok {
		return errSkip
	}
	n, in := j.node(b)
	in.remove(n)
	if j.shares(n) {
		j.touches(n.start, n.end)
		for _, c := range j.notes {
			if c.start > n.start && c.end < n.end {
				j.gone = append(j.gone, c)
			}
		}
	} else {
		j.takes(n.start, n.end)
	}
	j.name += " " + b.Range().String()
	j.e.Delete(b, optionsFor[hcledit.DeleteOption](j, nil)...)
	return nil
}

func (j *judge) relabel() error {
	b, ok := choose(j, j.blocks())
	if !ok || len(b.Labels) == 0 {
		return errSkip
	}
	i := j.pick(len(b.Labels))
	label, _ := choose(j, []string{"z", "a \"b\" ${c}", "a_rather_long_label"})
	n, _ := j.node(b)
	n.labels = slices.Clone(n.labels)
	n.labels[i] = label
	j.touches(n.start, n.start+1)
	j.touches(int(b.LabelRange(i).Start.Offset), int(b.LabelRange(i).End.Offset))
	// HCL itself does not take the escapes of a label away.
	if label[len(label)-1] == '}' {
		return errSkip
	}
	j.e.Relabel(b, i, label)
	return nil
}

// A spot is an expression in an argument, with what it is in.
type spot struct {
	b      *hclconfig.Block
	a      *hclconfig.Argument
	x      hclconfig.Expression
	parent hclconfig.Expression
	index  int
}

// spots returns the expressions of an argument that can be edited.
func (j *judge) spots() []spot {
	b, a := j.anyArgument()
	if a == nil || strings.Contains(a.Raw(), "%{") {
		return nil
	}
	out := []spot{{b: b, a: a, x: a.Expression}}
	for i := 0; i < len(out); i++ {
		for k, p := range out[i].x.Parts() {
			if !p.IsSet() || out[i].x.Form() == hclconfig.FormTemplate && p.Form() == hclconfig.FormLiteral {
				continue
			}
			out = append(out, spot{b, a, p, out[i].x, k})
		}
	}
	return out
}

// becomes says that an expression becomes text.
func (j *judge) becomes(s spot, text string) error {
	n, _ := j.node(s.a)
	raw, base := s.a.Raw(), int(s.a.Expression.Range().Start.Offset)
	from, to := int(s.x.Range().Start.Offset)-base, int(s.x.Range().End.Offset)-base
	all := raw[:from] + text + raw[to:]
	shown, err := showSource(strings.TrimPrefix(all, "\n") + "\n")
	if err != nil {
		return fmt.Errorf("expectation: %w", err)
	}
	n.shown = shown
	j.touches(n.start, j.tail(n.end))
	j.opens(s.b)
	return nil
}

// inner says which comments of an expression go.
func (j *judge) inner(x hclconfig.Expression) {
	for _, c := range j.notes {
		if c.start >= int(x.Range().Start.Offset) && c.end <= int(x.Range().End.Offset) {
			j.gone = append(j.gone, c)
		}
	}
}

// sequence returns a list, object or call.
func (j *judge) sequence() (s spot, elements []hcledit.Part, texts []string, ok bool) {
	var all []spot
	for _, s := range j.spots() {
		switch s.x.Form() {
		case hclconfig.FormList, hclconfig.FormObject:
			all = append(all, s)
		case hclconfig.FormCall:
			if parts := s.x.Parts(); len(parts) == 0 || !strings.HasPrefix(strings.TrimSpace(string(j.f.Bytes()[int(parts[len(parts)-1].Range().End.Offset):])), "...") {
				all = append(all, s)
			}
		}
	}
	if s, ok = choose(j, all); !ok {
		return
	}
	parts := s.x.Parts()
	if s.x.Form() == hclconfig.FormObject {
		members, _ := s.x.Members()
		for _, m := range members {
			elements = append(elements, m)
			texts = append(texts, string(j.f.Bytes()[int(m.Key.Range().Start.Offset):int(m.Value.Range().End.Offset)]))
		}
		return s, elements, texts, len(members)*2 == len(parts)
	}
	for _, p := range parts {
		elements = append(elements, p)
		texts = append(texts, p.Raw())
	}
	return s, elements, texts, true
}

// rebuilt writes a list, object or call with other elements.
func rebuilt(x hclconfig.Expression, texts []string) string {
	var b strings.Builder
	open, shut, sep := "[\n", "]", "\n,\n"
	switch x.Form() {
	case hclconfig.FormObject:
		open, shut, sep = "{\n", "}", "\n"
	case hclconfig.FormCall:
		open, shut = x.Name()+"(\n", ")"
	}
	b.WriteString(open)
	for i, text := range texts {
		b.WriteString(text)
		if i+1 < len(texts) || x.Form() == hclconfig.FormObject {
			b.WriteString(sep)
		}
	}
	b.WriteString("\n" + shut)
	return b.String()
}

// elementPlace is place for elements.
func (j *judge) elementPlace(elements []hcledit.Part) ([]hcledit.Placement, int) {
	switch i := j.pick(len(elements) + 1); {
	case i == len(elements):
		return nil, i
	case i == 0 && j.pick(2) == 0:
		return []hcledit.Placement{hcledit.First()}, 0
	case j.pick(2) == 0:
		return []hcledit.Placement{hcledit.Before(elements[i])}, i
	default:
		return []hcledit.Placement{hcledit.After(elements[i])}, i + 1
	}
}

func (j *judge) insertElement() error {
	s, elements, texts, ok := j.sequence()
	if !ok {
		return errSkip
	}
	v := judgedValues[j.pick(len(judgedValues))]
	opts, i := j.elementPlace(elements)
	var value any = v.value
	text := v.source
	if s.x.Form() == hclconfig.FormObject {
		w, err := hcledit.ValueOf(v.value)
		if err != nil {
			return err
		}
		value, text = hcledit.Entry{Key: "new key", Value: w}, `"new key" = `+text
	}
	j.name += fmt.Sprintf(" %s in %s at %d", v.source, s.x.Range(), i)
	if err := j.becomes(s, rebuilt(s.x, slices.Insert(texts, i, text))); err != nil {
		return err
	}
	j.e.Insert(s.x, value, optionsFor[hcledit.InsertOption](j, opts)...)
	return nil
}

// notesOfElement returns the comments of element i that go with it.
func (j *judge) notesOfElement(s spot, i int, elements []hcledit.Part) (gone []noteAt, sure bool) {
	start, end := placeOf(elements[i])
	if bytes.IndexByte(j.f.Bytes()[int(s.x.Range().Start.Offset):int(s.x.Range().End.Offset)], '#') >= 0 || len(j.notes) > 0 {
		for _, c := range j.notes {
			if c.start >= int(s.x.Range().Start.Offset) && c.end <= j.tail(int(s.x.Range().End.Offset)) {
				sure = true
			}
			if c.start >= start && c.end <= end {
				gone = append(gone, c)
			}
		}
	}
	return gone, !sure
}

func placeOf(p hcledit.Part) (start, end int) {
	switch p := p.(type) {
	case hclconfig.Member:
		return int(p.Key.Range().Start.Offset), int(p.Value.Range().End.Offset)
	case hclconfig.Expression:
		return int(p.Range().Start.Offset), int(p.Range().End.Offset)
	}
	return 0, 0
}

func (j *judge) deleteElement() error {
	s, elements, texts, ok := j.sequence()
	if !ok || len(elements) == 0 {
		return errSkip
	}
	i := j.pick(len(elements))
	j.name += fmt.Sprintf(" %d of %s", i, s.x.Range())
	if err := j.becomes(s, rebuilt(s.x, slices.Delete(texts, i, i+1))); err != nil {
		return err
	}
	// Comments on lines of their own above, and at the end of the line, go too.
	start, end := placeOf(elements[i])
	src := j.f.Bytes()
	line := bytes.LastIndexByte(src[:start], '\n') + 1
	alone := len(bytes.TrimSpace(src[line:start])) == 0
	for k, p := range elements {
		if o, e := placeOf(p); k != i && (o >= line && o < j.tail(end) || e > line && e < start) {
			alone = false
		}
	}
	shut := int(s.x.Range().End.Offset) - 1
	if last := bytes.LastIndexByte(src[:shut], '\n') + 1; last < end || len(bytes.TrimSpace(src[last:shut])) > 0 {
		alone = false
	}
	// The others must be on lines of their own as well.
	for _, p := range elements {
		o, _ := placeOf(p)
		if l := bytes.LastIndexByte(src[:o], '\n') + 1; len(bytes.TrimSpace(src[l:o])) > 0 {
			alone = false
		}
	}
	if alone {
		j.takes(start, end)
	} else {
		gone, sure := j.notesOfElement(s, i, elements)
		if !sure {
			j.errAllowed = true
		}
		j.gone = append(j.gone, gone...)
	}
	j.e.Delete(elements[i], optionsFor[hcledit.DeleteOption](j, nil)...)
	return nil
}

func (j *judge) moveElement() error {
	s, elements, texts, ok := j.sequence()
	if !ok || len(elements) < 2 || s.x.Form() == hclconfig.FormCall && j.pick(2) == 0 {
		return errSkip
	}
	i := j.pick(len(elements))
	opts, at := j.elementPlace(elements)
	moved := texts[i]
	texts = slices.Insert(texts, at, moved)
	if at <= i {
		texts = slices.Delete(texts, i+1, i+2)
	} else {
		texts = slices.Delete(texts, i, i+1)
	}
	j.name += fmt.Sprintf(" %d of %s to %d", i, s.x.Range(), at)
	if err := j.becomes(s, rebuilt(s.x, texts)); err != nil {
		return err
	}
	j.e.Move(elements[i], optionsFor[hcledit.MoveOption](j, opts)...)
	return nil
}

func (j *judge) sort() error {
	s, elements, texts, ok := j.sequence()
	if !ok {
		return errSkip
	}
	keys := texts
	if s.x.Form() == hclconfig.FormObject {
		keys = nil
		for _, p := range elements {
			keys = append(keys, p.(hclconfig.Member).Key.Raw())
		}
	}
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(keys[a], keys[b]) })
	var sorted []string
	for _, i := range order {
		sorted = append(sorted, texts[i])
	}
	j.name += " " + s.x.Range().String()
	if err := j.becomes(s, rebuilt(s.x, sorted)); err != nil {
		return err
	}
	j.e.Sort(s.x, func(a, b hclconfig.Expression) int { return strings.Compare(a.Raw(), b.Raw()) })
	return nil
}

// isKey reports whether the expression is the key of an object.
func (s spot) isKey() bool { return s.parent.Form() == hclconfig.FormObject && s.index%2 == 0 }

func (j *judge) wrap() error {
	s, ok := choose(j, j.spots())
	if !ok || s.isKey() {
		return errSkip
	}
	j.name += " " + s.x.Range().String()
	text := "f(" + s.x.Raw() + "\n, local.y)"
	if s.parent.Form() == hclconfig.FormTemplate || hcllex.NeedsNewline(s.x.Raw()) {
		text = "f((" + s.x.Raw() + "\n), local.y)"
	}
	if err := j.becomes(s, text); err != nil {
		return err
	}
	j.e.Replace(s.x, hcledit.Function("f", s.x, hcledit.Source("local.y")))
	return nil
}

func (j *judge) unwrap() error {
	var all []spot
	for _, s := range j.spots() {
		if s.x.Form() == hclconfig.FormCall && len(s.x.Parts()) > 0 && !s.isKey() {
			all = append(all, s)
		}
	}
	s, ok := choose(j, all)
	if !ok {
		return errSkip
	}
	args := s.x.Parts()
	k := j.pick(len(args))
	j.name += fmt.Sprintf(" %d of %s", k, s.x.Range())
	text := "(\n" + args[k].Raw() + "\n)"
	if s.parent.Form() == hclconfig.FormTemplate && !strings.Contains(args[k].Raw(), "\n") {
		text = args[k].Raw() // line breaks are not allowed in heredocs that are indented
	}
	if err := j.becomes(s, text); err != nil {
		return err
	}
	for _, c := range j.notes {
		if c.start >= int(s.x.Range().Start.Offset) && c.end <= int(s.x.Range().End.Offset) && (c.start < int(args[k].Range().Start.Offset) || c.end > int(args[k].Range().End.Offset)) {
			j.gone = append(j.gone, c)
		}
	}
	j.e.Replace(s.x, args[k])
	return nil
}

func (j *judge) replaceInside() error {
	s, ok := choose(j, j.spots())
	if !ok {
		return errSkip
	}
	v := judgedValues[j.pick(len(judgedValues))]
	text := "(\n" + v.source + "\n)"
	if s.isKey() {
		text = "(" + v.source + ")"
		if strings.Contains(v.source, "\n") {
			return errSkip
		}
	}
	j.name += fmt.Sprintf(" %s by %s", s.x.Range(), v.source)
	if err := j.becomes(s, text); err != nil {
		return err
	}
	j.inner(s.x)
	j.e.Replace(s.x, v.value)
	return nil
}

func (j *judge) comments() error {
	var p hcledit.Part
	var start, end int
	if j.pick(2) == 0 {
		b, ok := choose(j, j.blocks())
		if !ok {
			return errSkip
		}
		n, _ := j.node(b)
		if j.shares(n) {
			return errSkip
		}
		p, start, end = b, n.start, int(b.Body.Range().Start.Offset)+1
		if rest, _, _ := strings.Cut(string(j.f.Bytes()[end:]), "\n"); !strings.ContainsAny(strings.TrimSpace(rest + "#")[:1], "#/}") {
			end = n.end // the comment is behind all of it
		}
	} else {
		_, a := j.anyArgument()
		if a == nil {
			return errSkip
		}
		n, _ := j.node(a)
		if j.shares(n) {
			return errSkip
		}
		p, start, end = a, n.start, n.end
	}
	c := hcledit.CommentsOf(p)
	lead, line := j.lead(start), bytes.LastIndexByte(j.f.Bytes()[:start], '\n')+1
	j.touches(lead, j.tail(end))
	if j.pick(3) > 0 {
		for _, n := range j.notes {
			if n.start >= lead && n.end <= line {
				j.gone = append(j.gone, n)
			}
		}
		c.Above = nil
		if j.pick(2) == 0 {
			c.Above = []string{"tool:ignore=rule", "", "two"}
			j.come = append(j.come, "# tool:ignore=rule", "#", "# two")
		}
	}
	text := string(j.f.Bytes()[start:end])
	last := strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	heredoc := strings.Contains(text, "<<") && hclsyntax.ValidIdentifier(last) // and nothing can follow it
	if !heredoc && !strings.Contains(c.Behind, "\n") && j.pick(2) == 0 {
		for _, n := range j.notes {
			if n.start >= end && n.end <= j.tail(end) {
				j.gone = append(j.gone, n)
			}
		}
		if len(j.gone) < 2 || c.Behind == "" {
			c.Behind = "behind"
			j.come = append(j.come, "# behind")
		}
		j.errAllowed = true
	}
	j.name += fmt.Sprintf(" at %d: %q", start, c)
	j.e.SetComments(p, c)
	return nil
}

func (j *judge) reference() error {
	b, a := j.anyArgument()
	if a == nil {
		return errSkip
	}
	r, ok := choose(j, a.References())
	if !ok {
		return errSkip
	}
	text, _ := choose(j, []string{"var.renamed", "module.m[\"k\"].out.id", "aws_x.y[count.index].z"})
	base := int(a.Expression.Range().Start.Offset)
	raw := a.Raw()
	all := raw[:int(r.Range().Start.Offset)-base] + text + raw[int(r.Range().End.Offset)-base:]
	shown, err := showSource(all)
	if err != nil {
		return errSkip
	}
	n, _ := j.node(a)
	n.shown = shown
	j.touches(n.start, j.tail(n.end))
	j.opens(b)
	for _, c := range j.notes {
		if c.start >= int(r.Range().Start.Offset) && c.end <= int(r.Range().End.Offset) {
			j.errAllowed = true
		}
	}
	j.name += fmt.Sprintf(" %s by %s", r.Range(), text)
	j.e.ReplaceReference(r, text)
	return nil
}

// A tally counts what the judged edits came to.
type tally struct {
	made, refused  map[string]int
	foreign        int
	clean, unclean int
	known          map[*byte]bool // by the text of a file
}

// try makes one edit and checks all that came of it.
// It reports whether there was something to edit.
func (j *judge) try(t *testing.T, kind edit, sum *tally, sample func([]byte)) bool {
	src := j.f.Bytes()
	what := func() string { return fmt.Sprintf("%s: %s %s", j.f.Filename(), kind.name, j.name) }
	if err := kind.make(j); err != nil {
		if !errors.Is(err, errSkip) {
			t.Errorf("%s: %v", what(), err)
		}
		return false
	}
	out, err := j.e.Apply()
	if err != nil {
		if !errors.Is(err, hcledit.ErrEdit) || strings.Contains(err.Error(), "not be valid") {
			t.Errorf("%s: %v", what(), err)
		}
		sum.refused[kind.name+": "+lastPart(err.Error())]++
		return true
	}
	sum.made[kind.name]++
	got, err := readTree(out.Bytes())
	if err != nil {
		t.Errorf("%s: HCL refuses the result: %v\n%s", what(), err, out.Bytes())
		return true
	}
	if !j.same(got) {
		t.Errorf("%s: another tree (-want +got):\n%s", what(), diffLines(j.tree.string(), got.string()))
		return true
	}
	j.checkNotes(t, what(), src, out.Bytes(), j.other == nil)
	sum.foreign += checkForeign(t, what(), src, out.Bytes(), j.own, !j.keepLayout, hclwrite.Format)
	j.checkClean(t, what(), src, out.Bytes(), sum, sample)
	if j.movedText != "" && j.other == nil && !strings.Contains(withoutSpace(string(out.Bytes())), j.movedText) {
		t.Errorf("%s: what moved is not what it was", what())
	}
	if j.other == nil {
		return true
	}
	other, err := j.otherEdit.Apply()
	if err != nil {
		t.Errorf("%s: %v", what(), err)
		return true
	}
	there, err := readTree(other.Bytes())
	if err != nil || there.string() != j.otherTree.string() {
		t.Errorf("%s: another tree where it went to: %v (-want +got):\n%s", what(), err, diffLines(j.otherTree.string(), there.string()))
		return true
	}
	if j.movedText != "" && !strings.Contains(withoutSpace(string(other.Bytes())), j.movedText) {
		t.Errorf("%s: what moved is not what it was", what())
	}
	sum.foreign += checkForeign(t, what(), j.other.Bytes(), other.Bytes(), nil, !j.keepLayout, hclwrite.Format)
	if sum.isClean(src) {
		j.checkClean(t, what(), j.other.Bytes(), other.Bytes(), sum, sample)
	}
	return true
}

func lastPart(s string) string { return s[strings.LastIndex(s, ": ")+2:] }

func mustFormat(src []byte) []byte {
	out, err := hcledit.Format(src)
	if err != nil {
		return src
	}
	return out
}

// isClean reports whether the text of a file is as fmt has it.
func (sum *tally) isClean(src []byte) bool {
	if len(src) == 0 {
		return true
	}
	is, ok := sum.known[&src[0]]
	if !ok {
		is = bytes.Equal(mustFormat(src), src)
		sum.known[&src[0]] = is
	}
	return is
}

// same compares the tree with what must come out.
func (j *judge) same(got *node) bool {
	text := got.string()
	if j.anywhere == nil {
		return j.tree.string() == text
	}
	j.anywhere.remove(j.added)
	for i := range len(j.anywhere.kids) + 1 {
		j.anywhere.insert(i, j.added)
		if j.tree.string() == text {
			return true
		}
		j.anywhere.remove(j.added)
	}
	j.anywhere.insert(len(j.anywhere.kids), j.added)
	return false
}

func (j *judge) checkNotes(t *testing.T, what string, before, after []byte, _ bool) {
	if j.errAllowed {
		return
	}
	want := slices.Clone(j.come)
	for _, n := range j.notes {
		if !slices.Contains(j.gone, n) {
			want = append(want, n.text)
		}
	}
	var got []string
	for _, n := range notesOf(after) {
		got = append(got, n.text)
	}
	slices.Sort(want)
	slices.Sort(got)
	if j.name == "" || slices.Equal(want, got) {
		return
	}
	// A comment of several lines may be indented anew.
	for i := range want {
		want[i] = squeeze(want[i])
	}
	for i := range got {
		got[i] = squeeze(got[i])
	}
	if !slices.Equal(want, got) {
		t.Errorf("%s: the comments (-want +got):\n%s", what, diffLines(strings.Join(want, "\n")+"\n", strings.Join(got, "\n")+"\n"))
	}
}

func (j *judge) checkClean(t *testing.T, what string, before, after []byte, sum *tally, sample func([]byte)) {
	if j.keepLayout || !sum.isClean(before) {
		return
	}
	if want := mustFormat(after); !bytes.Equal(want, after) {
		sum.unclean++
		t.Errorf("%s: not as fmt has it any more (-fmt +ours):\n%s", what, diffLines(string(want), string(after)))
		return
	}
	sum.clean++
	sample(after)
}

// diffLines shows where two texts differ.
func diffLines(want, got string) string {
	a, b := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var out strings.Builder
	for _, l := range a[:min(len(a), 12)] {
		out.WriteString("- " + strings.TrimSuffix(l, "\n") + "\n")
	}
	for _, l := range b[:min(len(b), 12)] {
		out.WriteString("+ " + strings.TrimSuffix(l, "\n") + "\n")
	}
	return out.String()
}

// TestJudgedEdits makes random edits of every kind. HCL's own parser reads the
// results; nothing but what the edit is about may change, and text that was as fmt
// has it stays so.
func TestJudgedEdits(t *testing.T) {
	var files, small []*hclconfig.File
	for _, fx := range judgedFiles(t) {
		name, _ := hclconfig.ParseFilename(fx.Name)
		if name.Syntax != hclconfig.NativeSyntax || name.Kind != hclconfig.ConfigFile || bytes.Contains(fx.Src, []byte("\uFEFF")) {
			continue
		}
		for _, src := range [][]byte{fx.Src, mustFormat(fx.Src)} {
			f, err := hclconfig.Parse(fx.Name, src)
			if _, e := readTree(src); err != nil || e != nil {
				continue
			}
			files = append(files, f)
			if len(src) < 10_000 {
				small = append(small, f)
			}
		}
	}
	n, seed := depth.Of(100, 500, 20_000), depth.Seed(t)
	sum := tally{made: map[string]int{}, refused: map[string]int{}, known: map[*byte]bool{}}
	var samples [][]byte
	for i, made := 0, 0; made < n; i++ {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		f := files[r.IntN(len(files))]
		j := &judge{Rand: r, f: f, others: small, keepLayout: r.IntN(4) == 0, keepComments: r.IntN(4) == 0}
		j.tree, _ = readTree(f.Bytes())
		j.notes = notesOf(f.Bytes())
		var opts []hcledit.EditOption
		if j.keepLayout {
			opts = append(opts, hcledit.KeepLayout())
		}
		j.e = hcledit.Edit(f, opts...)
		j.name = fmt.Sprintf("(%d)", i)
		// Each kind is tried as often, although some find less to edit.
		if j.try(t, judgedEdits[made%len(judgedEdits)], &sum, func(out []byte) {
			if r.IntN(10) == 0 {
				samples = append(samples, out)
			}
		}) {
			made++
		}
	}
	made := 0
	for _, n := range sum.made {
		made += n
	}
	t.Logf("%d edits on %d files: %v", made, len(files), sum.made)
	t.Logf("%d bytes of something else changed; %d of %d texts still as fmt has them", sum.foreign, sum.clean, sum.clean+sum.unclean)
	t.Logf("refused: %v", sum.refused)
	t.Run("fmt", func(t *testing.T) { askFmt(t, samples) })
}

// askFmt wants the tools to change nothing.
func askFmt(t *testing.T, samples [][]byte) {
	for _, tool := range depth.Tools(t) {
		dir := t.TempDir()
		for i, src := range samples {
			if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)+".tf"), src, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), tool, "fmt", "-check", "-diff", dir)
		cmd.WaitDelay = time.Second
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", tool, err, said)
		}
		t.Logf("%s fmt -check: %d files", filepath.Base(tool), len(samples))
	}
}
