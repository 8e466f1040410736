// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/zclconf/go-cty/cty"
)

// A jsonNode is a value of a JSON file as encoding/json reads it, with its place:
// the second opinion on edits in JSON syntax.
type jsonNode struct {
	kind        byte   // { [ or, for any other value, 0
	key, rawKey string // of a member; without rawKey any spelling will do
	raw         string // of a value that is no container
	kids        []*jsonNode
	name        int // where the member begins
	start, end  int // the value
	// shown is the wanted result of a value that an edit writes: its meaning, not
	// its spelling.
	shown string
}

func readJSON(src []byte) (*jsonNode, error) {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	n, err := readJSONValue(d, src)
	if err == nil && (n.kind != '{' || len(bytes.TrimSpace(src[n.end:])) > 0) {
		err = errors.New("not one object")
	}
	return n, err
}

func readJSONValue(d *json.Decoder, src []byte) (*jsonNode, error) {
	skip := func() int {
		at := int(d.InputOffset())
		return at + len(src[at:]) - len(bytes.TrimLeft(src[at:], " \t\r\n,:"))
	}
	n := &jsonNode{start: skip()}
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	if open, ok := tok.(json.Delim); ok {
		n.kind = byte(open)
		for d.More() {
			k := &jsonNode{}
			at := skip()
			if n.kind == '{' {
				key, err := d.Token()
				if err != nil {
					return nil, err
				}
				k.key, k.rawKey = key.(string), string(src[at:int(d.InputOffset())])
			}
			v, err := readJSONValue(d, src)
			if err != nil {
				return nil, err
			}
			v.key, v.rawKey, v.name = k.key, k.rawKey, at
			n.kids = append(n.kids, v)
		}
		if _, err := d.Token(); err != nil {
			return nil, err
		}
	}
	n.end = int(d.InputOffset())
	if n.kind == 0 {
		n.raw = string(src[n.start:n.end])
	}
	return n, nil
}

// show writes the meaning of a value as showHCL does that of an expression.
func (n *jsonNode) show() string {
	if n.shown != "" {
		return n.shown
	}
	var out []string
	for _, k := range n.kids {
		if n.kind == '{' {
			out = append(out, showText(k.key))
		}
		out = append(out, k.show())
	}
	switch {
	case n.kind == '{':
		return "object(" + strings.Join(out, ", ") + ")"
	case n.kind == '[':
		return "list(" + strings.Join(out, ", ") + ")"
	case n.raw[0] == '"':
		return showText(unquoted(n.raw))
	case n.raw == "null":
		return cty.NullVal(cty.DynamicPseudoType).GoString()
	case n.raw == "true" || n.raw == "false":
		return cty.BoolVal(n.raw == "true").GoString()
	}
	v, err := cty.ParseNumberVal(n.raw)
	if err != nil {
		return err.Error()
	}
	return v.GoString()
}

func unquoted(raw string) (s string) {
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		return err.Error()
	}
	return s
}

// showText shows what a string means as a template.
func showText(s string) string {
	x, diags := hclsyntax.ParseTemplate([]byte(s), "", hcl.InitialPos)
	if diags.HasErrors() {
		return fmt.Sprintf("%q", s)
	}
	return showHCL(x)
}

// differs returns where got is not as n wants it, or "".
func (n *jsonNode) differs(got *jsonNode, path string) string {
	switch {
	case n.shown != "":
		if show := got.show(); show != n.shown {
			return fmt.Sprintf("%s: want %s, got %s", path, n.shown, show)
		}
		return ""
	case n.kind != got.kind || n.raw != got.raw:
		return fmt.Sprintf("%s: want %c %s, got %c %s", path, n.kind, n.raw, got.kind, got.raw)
	case len(n.kids) != len(got.kids):
		return fmt.Sprintf("%s: want %d items, got %d: %s", path, len(n.kids), len(got.kids), got.show())
	}
	for i, k := range n.kids {
		g := got.kids[i]
		if k.key != g.key || k.rawKey != "" && k.rawKey != g.rawKey {
			return fmt.Sprintf("%s: want %s, got %s", path, k.key, g.rawKey)
		}
		if d := k.differs(g, path+"/"+k.key); d != "" {
			return d
		}
	}
	return ""
}

// at returns the value that begins at offset, or whose member does, and what it is in.
func (n *jsonNode) at(offset int64) (found, in *jsonNode) {
	for _, k := range n.kids {
		if int64(k.start) == offset || n.kind == '{' && int64(k.name) == offset {
			return k, n
		}
		if int64(k.start) < offset && offset < int64(k.end) {
			return k.at(offset)
		}
	}
	return nil, nil
}

// holds returns the string that offset is in, and what that is in.
func (n *jsonNode) holds(offset int64) (found, in *jsonNode) {
	for _, k := range n.kids {
		if int64(k.start) <= offset && offset < int64(k.end) {
			if k.kind == 0 {
				return k, n
			}
			return k.holds(offset)
		}
	}
	return nil, nil
}

func (n *jsonNode) index(k *jsonNode) int { return slices.Index(n.kids, k) }

func (n *jsonNode) remove(k *jsonNode) { n.kids = slices.Delete(n.kids, n.index(k), n.index(k)+1) }

// A jsonEntry is a block of a JSON file: its type with the labels, and its body.
type jsonEntry struct {
	path string
	body *jsonNode
}

var jsonLabels = map[string]int{"resource": 2, "data": 2, "ephemeral": 2, "variable": 1, "output": 1, "module": 1, "provider": 1, "check": 1}

// entries lists the blocks of a file, by the rules of HCL's JSON syntax.
func (n *jsonNode) entries() (out []jsonEntry) {
	var expand func(n *jsonNode, path string, labels int)
	expand = func(n *jsonNode, path string, labels int) {
		switch {
		case n.kind == 0: // null is no block
		case n.kind == '[' && labels == 0:
			for _, k := range n.kids {
				out = append(out, jsonEntry{path, k}) // an array here is one body in pieces
			}
		case n.kind == '[':
			for _, k := range n.kids {
				expand(k, path, labels)
			}
		case labels > 0:
			for _, k := range n.kids {
				if k.key != "//" {
					expand(k, path+"/"+k.key, labels-1)
				}
			}
		default:
			out = append(out, jsonEntry{path, n})
		}
	}
	for _, k := range n.kids {
		if k.key != "//" {
			expand(k, k.key, jsonLabels[k.key])
		}
	}
	return out
}

// notes lists the comments.
func (n *jsonNode) notes() (out []string) {
	for _, k := range n.kids {
		if n.kind == '{' && k.key == "//" {
			out = append(out, k.show())
		}
		out = append(out, k.notes()...)
	}
	return out
}

// hclBlocks lists the blocks as hcl's package json finds them.
func hclBlocks(src []byte) ([]string, error) {
	f, diags := hcljson.Parse(src, "x.tf.json")
	if diags.HasErrors() {
		return nil, diags
	}
	tree, err := readJSON(src)
	if err != nil {
		return nil, err
	}
	schema := &hcl.BodySchema{}
	seen := map[string]bool{}
	for _, k := range tree.kids {
		if k.key == "//" || seen[k.key] {
			continue
		}
		seen[k.key] = true
		schema.Blocks = append(schema.Blocks, hcl.BlockHeaderSchema{Type: k.key, LabelNames: []string{"a", "b"}[:jsonLabels[k.key]]})
	}
	content, diags := f.Body.Content(schema)
	if diags.HasErrors() {
		return nil, diags
	}
	var out []string
	for _, b := range content.Blocks {
		out = append(out, strings.Join(append([]string{b.Type}, b.Labels...), "/"))
	}
	slices.Sort(out)
	return out, nil
}

// A jsonJudge makes one random edit of a JSON file, and says what must come of it.
type jsonJudge struct {
	*rand.Rand
	f     *hclconfig.File
	e     *hcledit.Editor
	src   []byte
	tree  *jsonNode
	was   []jsonEntry // before the edit
	name  string
	own   [][2]int
	gone  []string // comments that the edit takes away
	come  []string // and brings
	moved string   // the block that comes, by its path: at any place among the others
	body  *jsonNode
	lost  *jsonNode // the body of the block that goes
	// notes are the comments before the edit.
	notes     []string
	others    []*hclconfig.File
	other     *hclconfig.File
	otherEdit *hcledit.Editor
	maySplit  bool // an object may have become an array
}

// jsonValues are the values of judgedValues in JSON.
var jsonValues = []string{
	"1", `"text"`, `"a $${x} %%{y} \"q\"\n"`, `["a", "b"]`, `[]`, `{"a b": null, "k": 1, "long_key": "v"}`, `{}`, `"${var.x}"`, `"${a ? b : c}"`,
	`"${[for x in var.y : x if x > 0]}"`, `"${!a && b}"`, `"a-${var.b}"`, `"a\n  b ${c}\n"`, `"${merge(local.tags, {a = 1})}"`, "true", "null",
}

func (j *jsonJudge) value() (any, *jsonNode) {
	i := j.IntN(len(jsonValues))
	d := json.NewDecoder(strings.NewReader(jsonValues[i]))
	d.UseNumber()
	n, _ := readJSONValue(d, []byte(jsonValues[i]))
	j.name += " " + judgedValues[i].source
	return judgedValues[i].value, &jsonNode{shown: n.show()}
}

// put puts the meaning of value into n.
func (n *jsonNode) put(value *jsonNode) { n.shown, n.kids = value.shown, nil }

func pickOf[T any](j *jsonJudge, in []T) (T, bool) {
	if len(in) == 0 {
		var zero T
		return zero, false
	}
	return in[j.IntN(len(in))], true
}

// touches says that n, which is in in, and the ends of its neighbours are edited.
func (j *jsonJudge) touches(in *jsonNode, i, k int) {
	from, to := in.start, in.end
	if i > 0 {
		from = in.kids[i-1].end - 1
	}
	if k < len(in.kids) {
		to = in.kids[k].name + 1
	}
	j.own = append(j.own, [2]int{from, to})
}

// block returns a block with an object as its body.
func (j *jsonJudge) block(open bool) (*hclconfig.Block, *jsonNode) {
	blocks := slices.Collect(j.f.Body().All())
	for range 20 {
		b, ok := pickOf(j, blocks)
		if !ok {
			break
		}
		if open && !slices.Contains([]string{"resource", "data", "locals", "module", "provider"}, b.Type) {
			continue
		}
		if n, _ := j.tree.at(b.Body.Range().Start.Offset); n != nil && n.kind == '{' {
			return b, n
		}
	}
	return nil, nil
}

func (j *jsonJudge) argument() (b *hclconfig.Block, a *hclconfig.Argument, n, in *jsonNode) {
	for range 20 {
		b, body := j.block(false)
		if b == nil {
			break
		}
		if len(b.Body.Arguments) == 0 {
			continue
		}
		a := &b.Body.Arguments[j.IntN(len(b.Body.Arguments))]
		if n, in := j.tree.at(a.NameRange().Start.Offset); n != nil && in == body && a.Kind() == hclconfig.KindExpression {
			j.name += " " + a.Range().String()
			return b, a, n, in
		}
	}
	return nil, nil, nil, nil
}

// place chooses a place among the items of in, which parts are.
func (j *jsonJudge) place(in *jsonNode, parts []hcledit.Part) ([]hcledit.Placement, int) {
	p, ok := pickOf(j, parts)
	switch j.IntN(4) {
	case 0:
		return []hcledit.Placement{hcledit.First()}, 0
	case 1, 2:
		if !ok {
			break
		}
		n, inside := j.tree.at(offsetOf(p))
		if inside != in {
			break
		}
		if j.IntN(2) == 0 {
			return []hcledit.Placement{hcledit.Before(p)}, in.index(n)
		}
		return []hcledit.Placement{hcledit.After(p)}, in.index(n) + 1
	}
	return []hcledit.Placement{hcledit.Last()}, len(in.kids)
}

func offsetOf(p hcledit.Part) int64 {
	switch p := p.(type) {
	case *hclconfig.Block:
		return p.TypeRange().Start.Offset
	case *hclconfig.Argument:
		return p.NameRange().Start.Offset
	case hclconfig.Member:
		return p.Key.Range().Start.Offset
	case hclconfig.Expression:
		return p.Range().Start.Offset
	}
	return -1
}

// spot returns a value in an argument.
func (j *jsonJudge) spot(ok func(x hclconfig.Expression, n *jsonNode) bool) (hclconfig.Expression, *jsonNode, *jsonNode) {
	_, a, _, _ := j.argument()
	if a == nil {
		return hclconfig.Expression{}, nil, nil
	}
	type found struct {
		x     hclconfig.Expression
		n, in *jsonNode
	}
	var all []found
	for x := range a.Expression.All() {
		at := x.Range()
		if n, in := j.tree.at(at.Start.Offset); n != nil && int64(n.start) == at.Start.Offset && int64(n.end) == at.End.Offset && n.key != "//" && ok(x, n) {
			all = append(all, found{x, n, in})
		}
	}
	s, _ := pickOf(j, all)
	return s.x, s.n, s.in
}

// inside returns an expression in a string.
func (j *jsonJudge) inside(ok func(x hclconfig.Expression) bool) (hclconfig.Expression, *jsonNode) {
	_, a, _, _ := j.argument()
	if a == nil || strings.Contains(a.Raw(), "%{") || strings.Contains(a.Raw(), "<<") {
		return hclconfig.Expression{}, nil
	}
	var all []hclconfig.Expression
	for x := range a.Expression.All() {
		at := x.Range()
		n, in := j.tree.holds(at.Start.Offset)
		if n != nil && in != nil && int64(n.start) < at.Start.Offset && at.End.Offset < int64(n.end) && ok(x) {
			all = append(all, x)
		}
	}
	x, found := pickOf(j, all)
	if !found {
		return x, nil
	}
	n, _ := j.tree.holds(x.Range().Start.Offset)
	return x, n
}

// becomes says that the text of x in the string n becomes native source.
func (j *jsonJudge) becomes(x hclconfig.Expression, n *jsonNode, text string) {
	quoted, _ := json.Marshal(text)
	at := x.Range()
	n.shown = showText(unquoted(string(j.src[n.start:at.Start.Offset]) + string(quoted[1:len(quoted)-1]) + string(j.src[at.End.Offset:n.end])))
	j.own = append(j.own, [2]int{n.start, n.end})
	j.name += " " + text
}

var judgedJSONEdits = []struct {
	name string
	make func(*jsonJudge) error
}{
	{"set", func(j *jsonJudge) error {
		b, a, n, in := j.argument()
		if a == nil {
			return errSkip
		}
		v, want := j.value()
		j.gone = n.notes()
		n.put(want)
		j.touches(in, in.index(n), in.index(n)+1)
		j.e.Set(b, a.Name, v)
		return nil
	}},
	{"set new", func(j *jsonJudge) error {
		b, n := j.block(true)
		name, _ := pickOf(j, []string{"z", "added", "count", "depends_on"})
		if b == nil || b.Argument(name) != nil || (name == "count" || name == "depends_on") && b.Type != "resource" {
			return errSkip
		}
		j.name += " " + name
		v, want := j.value()
		if name == "depends_on" {
			v, want = hcledit.List(hcledit.Source("a.b")), &jsonNode{shown: `list("a.b")`}
		}
		opts, i := j.place(n, parts(&b.Body))
		if name == "depends_on" && j.IntN(3) == 0 {
			opts, i = nil, len(n.kids)
		}
		j.touches(n, i, i)
		want.key = name
		n.kids = slices.Insert(n.kids, i, want)
		j.e.Set(b, name, v, optionsFor[hcledit.SetOption](&judge{}, opts)...)
		return nil
	}},
	{"remove", func(j *jsonJudge) error {
		b, a, n, in := j.argument()
		if a == nil {
			return errSkip
		}
		j.touches(in, in.index(n), in.index(n)+1)
		j.gone = n.notes()
		in.remove(n)
		if j.IntN(2) == 0 {
			j.e.Remove(b, a.Name)
		} else {
			j.e.Delete(a)
		}
		return nil
	}},
	{"rename", func(j *jsonJudge) error {
		b, a, n, _ := j.argument()
		to, _ := pickOf(j, []string{"z", "a_rather_long_name"})
		if a == nil || b.Argument(to) != nil || b.Type != "resource" && b.Type != "data" && b.Type != "locals" {
			return errSkip
		}
		n.key, n.rawKey = to, ""
		j.own = append(j.own, [2]int{n.name, n.start})
		j.e.Rename(b, a.Name, to)
		return nil
	}},
	{"move argument", func(j *jsonJudge) error {
		b, a, n, in := j.argument()
		if a == nil {
			return errSkip
		}
		opts, i := j.place(in, parts(&b.Body))
		j.own = append(j.own, [2]int{in.start, in.end})
		from := in.index(n)
		in.kids = slices.Insert(in.kids, i, n)
		if i <= from {
			from++
		}
		in.kids = slices.Delete(in.kids, from, from+1)
		j.e.Move(a, optionsFor[hcledit.MoveOption](&judge{}, opts)...)
		return nil
	}},
	{"move argument to a block", func(j *jsonJudge) error {
		_, a, n, in := j.argument()
		if a == nil {
			return errSkip
		}
		to, target := j.block(true)
		if to == nil || target == in || to.Argument(a.Name) != nil {
			return errSkip
		}
		opts, i := j.place(target, parts(&to.Body))
		j.touches(target, i, i)
		target.kids = slices.Insert(target.kids, i, n)
		j.touches(in, in.index(n), in.index(n)+1)
		in.remove(n)
		j.e.Move(a, optionsFor[hcledit.MoveOption](&judge{}, opts, hcledit.Into(j.e, to))...)
		return nil
	}},
	{"add block", func(j *jsonJudge) error {
		j.moved, j.body = "output/new", &jsonNode{kind: '{', kids: []*jsonNode{{key: "//", shown: `"why"`}, {key: "value", shown: showOne()}}}
		if i := j.IntN(2); i > 0 {
			j.moved = "resource/t/new"
		}
		path := strings.Split(j.moved, "/")
		j.come = append(j.come, `"why"`)
		opts := j.rootPlace()
		j.own, j.maySplit = append(j.own, [2]int{0, len(j.src)}), true
		j.e.Add(nil, hcledit.NewBlock(path[0], path[1:]...).Comment("why").Set("value", 1), optionsFor[hcledit.AddOption](&judge{}, opts)...)
		return nil
	}},
	{"delete block", func(j *jsonJudge) error {
		b := j.rootBlock()
		if b == nil {
			return errSkip
		}
		j.gone = j.lost.notes()
		j.own = append(j.own, [2]int{0, len(j.src)})
		j.e.Delete(b)
		return nil
	}},
	{"move block", func(j *jsonJudge) error {
		b := j.rootBlock()
		if b == nil {
			return errSkip
		}
		j.moved, j.body = strings.Join(append([]string{b.Type}, b.Labels...), "/"), j.lost
		j.own = append(j.own, [2]int{0, len(j.src)})
		j.e.Move(b, optionsFor[hcledit.MoveOption](&judge{}, j.rootPlace())...)
		return nil
	}},
	{"move across files", func(j *jsonJudge) error {
		b := j.rootBlock()
		g, ok := pickOf(j, j.others)
		if b == nil || !ok || g == j.f {
			return errSkip
		}
		j.moved, j.body = strings.Join(append([]string{b.Type}, b.Labels...), "/"), j.lost
		j.gone = j.lost.notes()
		j.other, j.otherEdit = g, hcledit.Edit(g)
		j.own = append(j.own, [2]int{0, len(j.src)})
		j.e.Move(b, hcledit.Into(j.otherEdit, nil))
		return nil
	}},
	{"relabel", func(j *jsonJudge) error {
		b := j.rootBlock()
		if b == nil || len(b.Labels) == 0 {
			return errSkip
		}
		i := j.IntN(len(b.Labels))
		label, _ := pickOf(j, []string{"z", `a "b" <c>`, "a_rather_long_label"})
		labels := slices.Clone(b.Labels)
		labels[i] = label
		j.moved, j.body = strings.Join(append([]string{b.Type}, labels...), "/"), j.lost
		j.own, j.maySplit = append(j.own, [2]int{0, len(j.src)}), true
		j.e.Relabel(b, i, label)
		return nil
	}},
	{"insert element", func(j *jsonJudge) error {
		x, n, _ := j.spot(func(_ hclconfig.Expression, n *jsonNode) bool { return n.kind != 0 })
		if n == nil {
			return errSkip
		}
		v, want := j.value()
		opts, i := j.place(n, elementsOf(x))
		if n.kind == '{' {
			w, err := hcledit.ValueOf(v)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(n.kids, func(k *jsonNode) bool { return k.key == "new key" }) {
				return errSkip
			}
			v, want.key = hcledit.Entry{Key: "new key", Value: w}, "new key"
		}
		j.touches(n, i, i)
		n.kids = slices.Insert(n.kids, i, want)
		j.e.Insert(x, v, optionsFor[hcledit.InsertOption](&judge{}, opts)...)
		return nil
	}},
	{"delete element", func(j *jsonJudge) error {
		x, n, _ := j.spot(func(_ hclconfig.Expression, n *jsonNode) bool { return len(n.kids) > 0 })
		if n == nil {
			return errSkip
		}
		i := j.IntN(len(n.kids))
		j.touches(n, i, i+1)
		j.gone = (&jsonNode{kind: n.kind, kids: n.kids[i : i+1]}).notes()
		n.kids = slices.Delete(slices.Clone(n.kids), i, i+1)
		j.e.Delete(elementsOf(x)[i])
		return nil
	}},
	{"move element", func(j *jsonJudge) error {
		x, n, _ := j.spot(func(_ hclconfig.Expression, n *jsonNode) bool { return len(n.kids) > 1 })
		if n == nil {
			return errSkip
		}
		from := j.IntN(len(n.kids))
		opts, i := j.place(n, elementsOf(x))
		k := n.kids[from]
		j.own = append(j.own, [2]int{n.start, n.end})
		n.kids = slices.Insert(slices.Clone(n.kids), i, k)
		at := from
		if i <= from {
			at++
		}
		n.kids = slices.Delete(n.kids, at, at+1)
		j.e.Move(elementsOf(x)[from], optionsFor[hcledit.MoveOption](&judge{}, opts)...)
		return nil
	}},
	{"sort", func(j *jsonJudge) error {
		x, n, _ := j.spot(func(_ hclconfig.Expression, n *jsonNode) bool { return len(n.kids) > 1 })
		if n == nil {
			return errSkip
		}
		j.own = append(j.own, [2]int{n.start, n.end})
		slices.SortStableFunc(n.kids, func(a, b *jsonNode) int {
			if n.kind == '{' {
				return strings.Compare(b.rawKey, a.rawKey)
			}
			return strings.Compare(string(j.src[b.start:b.end]), string(j.src[a.start:a.end]))
		})
		j.e.Sort(x, func(a, b hclconfig.Expression) int { return strings.Compare(b.Raw(), a.Raw()) })
		return nil
	}},
	{"wrap", func(j *jsonJudge) error {
		x, n, in := j.spot(func(hclconfig.Expression, *jsonNode) bool { return true })
		if n == nil || strings.Contains(n.show(), `<<`) || in.kind == '{' && strings.HasPrefix(string(j.src[n.name:]), string(j.src[n.start:n.end])) {
			return errSkip
		}
		j.gone = n.notes()
		n.put(&jsonNode{shown: "mergefalse(" + n.show() + ", <var>.more)"})
		j.touches(in, in.index(n), in.index(n)+1)
		j.e.Replace(x, hcledit.Function("merge", x, hcledit.Source("var.more")))
		return nil
	}},
	{"unwrap", func(j *jsonJudge) error {
		var arg string
		x, n, in := j.spot(func(x hclconfig.Expression, n *jsonNode) bool {
			return x.Form() == hclconfig.FormCall && len(x.Parts()) > 0
		})
		if n == nil {
			return errSkip
		}
		t, _ := hclsyntax.ParseTemplate([]byte(unquoted(n.raw)), "", hcl.InitialPos)
		for wrapped := true; wrapped; {
			switch y := t.(type) {
			case *hclsyntax.TemplateWrapExpr:
				t = y.Wrapped
			case *hclsyntax.ParenthesesExpr:
				t = y.Expression
			default:
				wrapped = false
			}
		}
		call, ok := t.(*hclsyntax.FunctionCallExpr)
		if !ok {
			return fmt.Errorf("%s is no call", n.raw)
		}
		arg = showHCL(call.Args[0])
		n.put(&jsonNode{shown: arg})
		j.touches(in, in.index(n), in.index(n)+1)
		j.e.Replace(x, x.Parts()[0])
		return nil
	}},
	{"replace inside", func(j *jsonJudge) error {
		x, n := j.inside(func(x hclconfig.Expression) bool {
			return x.Form() == hclconfig.FormReference || x.Form() == hclconfig.FormCall
		})
		if n == nil {
			return errSkip
		}
		j.becomes(x, n, `var.other["k"]`)
		j.e.Replace(x, hcledit.Source(`var.other["k"]`))
		return nil
	}},
	{"wrap inside", func(j *jsonJudge) error {
		x, n := j.inside(func(x hclconfig.Expression) bool { return x.Form() == hclconfig.FormReference })
		if n == nil {
			return errSkip
		}
		j.becomes(x, n, "coalesce("+unquoted(`"`+x.Raw()+`"`)+", 1)")
		j.e.Replace(x, hcledit.Function("coalesce", x, 1))
		return nil
	}},
	{"insert inside", func(j *jsonJudge) error {
		x, n := j.inside(func(x hclconfig.Expression) bool {
			return x.Form() == hclconfig.FormList || x.Form() == hclconfig.FormCall && !strings.Contains(x.Raw(), "...")
		})
		if n == nil {
			return errSkip
		}
		texts := []string{`"added"`}
		for _, p := range x.Parts() {
			texts = append(texts, unquoted(`"`+p.Raw()+`"`))
		}
		j.becomes(x, n, rebuilt(x, texts))
		j.e.Insert(x, "added", hcledit.First())
		return nil
	}},
	{"comments", func(j *jsonJudge) error {
		b, n := j.block(false)
		if b == nil {
			return errSkip
		}
		want := &jsonNode{key: "//", shown: `"new\nwords"`}
		j.come = append(j.come, want.shown)
		if i := slices.IndexFunc(n.kids, func(k *jsonNode) bool { return k.key == "//" }); i >= 0 {
			j.gone = append(j.gone, n.kids[i].show())
			j.touches(n, i, i+1)
			want.rawKey = n.kids[i].rawKey
			n.kids[i] = want
		} else {
			j.touches(n, 0, 0)
			n.kids = slices.Insert(n.kids, 0, want)
		}
		j.name += " " + b.Range().String()
		j.e.SetComments(b, hcledit.Comments{Above: []string{"new", "words"}})
		return nil
	}},
	{"reference", func(j *jsonJudge) error {
		r, ok := pickOf(j, j.f.Body().References())
		if !ok {
			return errSkip
		}
		at := r.Range()
		n, _ := j.tree.holds(at.Start.Offset)
		if n == nil { // in the name of a property
			return errSkip
		}
		n.shown = showText(unquoted(string(j.src[n.start:at.Start.Offset]) + "var.other" + string(j.src[at.End.Offset:n.end])))
		j.own = append(j.own, [2]int{n.start, n.end})
		j.name += " " + at.String()
		j.e.ReplaceReference(r, "var.other")
		return nil
	}},
}

func elementsOf(x hclconfig.Expression) (out []hcledit.Part) {
	if members, ok := x.Members(); ok {
		for _, m := range members {
			out = append(out, m)
		}
		return out
	}
	for _, p := range x.Parts() {
		out = append(out, p)
	}
	return out
}

// rootBlock returns a block of the file that goes away, or elsewhere.
func (j *jsonJudge) rootBlock() *hclconfig.Block {
	roots := j.f.Body().Blocks
	if len(roots) == 0 {
		return nil
	}
	b := &roots[j.IntN(len(roots))]
	for _, e := range j.was {
		if int64(e.body.start) == b.Body.Range().Start.Offset {
			j.lost = e.body
			j.name += " " + b.Range().String()
			return b
		}
	}
	return nil
}

func (j *jsonJudge) rootPlace() []hcledit.Placement {
	roots := j.f.Body().Blocks
	if len(roots) == 0 {
		return nil
	}
	b := &roots[j.IntN(len(roots))]
	switch j.IntN(4) {
	case 0:
		return []hcledit.Placement{hcledit.First()}
	case 1:
		return []hcledit.Placement{hcledit.Before(b)}
	case 2:
		return []hcledit.Placement{hcledit.After(b)}
	}
	return []hcledit.Placement{hcledit.Last()}
}

// blocksDiffer compares the blocks of got with was, without the body that is lost, and
// with the one that came, at whatever place.
func blocksDiffer(was []jsonEntry, lost *jsonNode, moved string, body *jsonNode, got []jsonEntry) string {
	var want []jsonEntry
	for _, e := range was {
		if e.body != lost {
			want = append(want, e)
		}
	}
	found := moved == ""
	for _, g := range got {
		if len(want) > 0 && want[0].path == g.path && want[0].body.differs(g.body, g.path) == "" {
			want = want[1:]
			continue
		}
		if found || g.path != moved {
			return fmt.Sprintf("unexpected block %s: %s", g.path, g.body.show())
		}
		if d := body.differs(g.body, g.path); d != "" {
			return d
		}
		found = true
	}
	if !found || len(want) > 0 {
		return fmt.Sprintf("%s found: %v; %d blocks are missing", moved, found, len(want))
	}
	return ""
}

func (j *jsonJudge) try(t *testing.T, kind string, make func(*jsonJudge) error, sum *tally) bool {
	what := func() string { return fmt.Sprintf("%s: %s %s", j.f.Filename(), kind, j.name) }
	if err := make(j); err != nil {
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
		sum.refused[kind+": "+lastPart(err.Error())]++
		return true
	}
	sum.made[kind]++
	text := out.Bytes()
	got, err := readJSON(text)
	if err != nil {
		t.Errorf("%s: encoding/json refuses the result: %v\n%s", what(), err, text)
		return true
	}
	blocks := func(text []byte, tree *jsonNode) {
		there, err := hclBlocks(text)
		var mine []string
		for _, e := range tree.entries() {
			mine = append(mine, e.path)
		}
		slices.Sort(mine)
		if err != nil || !slices.Equal(mine, there) {
			t.Errorf("%s: hcl reads other blocks: %v\n%s", what(), err, diffLines(strings.Join(mine, "\n"), strings.Join(there, "\n")))
		}
	}
	blocks(text, got)
	difference := ""
	if j.lost == nil && j.moved == "" {
		difference = j.tree.differs(got, "")
	} else {
		moved := j.moved
		if j.other != nil {
			moved = ""
		}
		difference = blocksDiffer(j.was, j.lost, moved, j.body, got.entries())
	}
	if difference != "" {
		t.Errorf("%s: %s", what(), difference)
		return true
	}
	j.checkRest(t, what(), got, text, sum)
	if j.other == nil {
		return true
	}
	there, err := j.otherEdit.Apply()
	if err != nil {
		t.Errorf("%s: %v", what(), err)
		return true
	}
	before, err1 := readJSON(j.other.Bytes())
	after, err2 := readJSON(there.Bytes())
	if err1 != nil || err2 != nil {
		t.Errorf("%s: %v, %v", what(), err1, err2)
		return true
	}
	blocks(there.Bytes(), after)
	if d := blocksDiffer(before.entries(), nil, j.moved, j.body, after.entries()); d != "" {
		t.Errorf("%s: where it went to: %s", what(), d)
	}
	lost := j.src[j.lost.start:j.lost.end]
	if bytes.Contains(bytes.TrimSpace(j.src), []byte("\n")) && (!bytes.Contains(lost, []byte("\n")) || jsonObjectLine.Match(lost)) {
		return true // a value on one line stays on one line, and so do the objects in it
	}
	checkIndent(t, what(), j.other.Bytes(), there.Bytes(), true, sum)
	return true
}

// checkRest compares comments, foreign lines and indentation.
func (j *jsonJudge) checkRest(t *testing.T, what string, got *jsonNode, text []byte, sum *tally) {
	want := slices.Concat(j.notes, j.come)
	for _, g := range j.gone {
		if i := slices.Index(want, g); i >= 0 {
			want = slices.Delete(want, i, i+1)
		}
	}
	have := got.notes()
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(want, have) {
		t.Errorf("%s: the comments (-want +got):\n%s", what, diffLines(strings.Join(want, "\n")+"\n", strings.Join(have, "\n")+"\n"))
	}
	sum.foreign += checkForeign(t, what, j.src, text, j.own, false, bytes.Clone)
	checkIndent(t, what, j.src, text, j.maySplit, sum)
}

// jsonUnits are the indentations of the edited files; the last means no indentation.
var jsonUnits = []string{"  ", "    ", "\t", "   ", ""}

// jsonListLines finds a list of texts, numbers and the like with lines of their own, and jsonListLine
// one on a line.
var (
	jsonListLines = regexp.MustCompile(`\[\s*\n\s*` + jsonScalar + `(?:\s*,\s*` + jsonScalar + `)*\s*\]`)
	jsonListLine  = regexp.MustCompile(`\[[^\s{\[\]]`)
)

// jsonObjectLine finds an object that has an item on the line of its bracket.
var jsonObjectLine = regexp.MustCompile(`\{[ \t]*"`)

const jsonScalar = `(?:"(?:[^"\\]|\\.)*"|[^\s{}\[\]",]+)`

// indented writes a file as encoding/json does.
func indented(src []byte, unit string) []byte {
	var b bytes.Buffer
	err := json.Compact(&b, src)
	if unit != "" {
		b.Reset()
		err = json.Indent(&b, bytes.TrimSpace(src), "", unit)
		b.WriteByte('\n')
	}
	if err != nil {
		return nil
	}
	return b.Bytes()
}

// checkIndent wants a file that encoding/json indented to be indented so still.
func checkIndent(t *testing.T, what string, before, after []byte, maySplit bool, sum *tally) {
	for _, unit := range jsonUnits {
		if bytes.IndexByte(before, ':') < 0 && unit == "" {
			continue // nothing to see
		}
		if !bytes.Equal(indented(before, unit), before) {
			continue
		}
		if maySplit && (bytes.Count(after, []byte("[{")) > bytes.Count(before, []byte("[{")) || len(jsonListLine.FindAll(after, -1)) > len(jsonListLine.FindAll(before, -1))) {
			return // the first of two keeps its lines, and what moves those of its lists
		}
		if !jsonListLines.Match(before[:min(len(before), 1<<16)]) && jsonListLine.Match(after) {
			return // there was nothing to take the layout of short lists from
		}
		if want := indented(after, unit); !bytes.Equal(want, after) {
			sum.unclean++
			t.Errorf("%s: not indented by %q any more (-want +got):\n%s", what, unit, diffLines(string(want), string(after)))
			return
		}
		sum.clean++
		return
	}
}

// TestJudgedJSONEdits makes random edits of every kind in JSON syntax: in files of
// that syntax, and in converted ones of the other. encoding/json and hcl's package
// json read the results; nothing but what the edit is about may change, and the
// indentation stays.
func TestJudgedJSONEdits(t *testing.T) {
	var files, small []*hclconfig.File
	add := func(name string, src []byte) {
		for i, unit := range append([]string{"as it is"}, jsonUnits...) {
			text := src
			if i > 0 {
				text = indented(src, unit)
			}
			f, err := hclconfig.ParseJSON(name, text)
			if _, e := readJSON(text); err != nil || e != nil || f.Diagnostics().HasErrors() {
				return
			}
			if _, e := hclBlocks(text); e != nil {
				return
			}
			files = append(files, f)
			if len(text) < 10_000 {
				small = append(small, f)
			}
		}
	}
	for _, fx := range judgedFiles(t) {
		name, _ := hclconfig.ParseFilename(fx.Name)
		switch {
		case name.Kind != hclconfig.ConfigFile:
		case name.Syntax == hclconfig.JSONSyntax:
			add(fx.Name, fx.Src)
		case len(fx.Src) < 200_000:
			f, err := hclconfig.Parse(fx.Name, fx.Src)
			if err != nil {
				continue
			}
			if g, _ := hclconvert.ToJSON(f, hclconvert.Options{}); g != nil {
				add(g.Filename(), g.Bytes())
			}
		}
	}
	n, seed := depth.Of(100, 500, 20_000), depth.Seed(t)
	sum := tally{made: map[string]int{}, refused: map[string]int{}}
	for i, made := 0, 0; made < n; i++ {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		f := files[r.IntN(len(files))]
		j := &jsonJudge{Rand: r, f: f, others: small, src: f.Bytes(), e: hcledit.Edit(f), name: fmt.Sprintf("(%d)", i)}
		j.tree, _ = readJSON(j.src)
		j.was, j.notes = j.tree.entries(), j.tree.notes()
		kind := judgedJSONEdits[made%len(judgedJSONEdits)]
		if j.try(t, kind.name, kind.make, &sum) {
			made++
		}
	}
	made := 0
	for _, n := range sum.made {
		made += n
	}
	t.Logf("%d edits on %d files: %v", made, len(files), sum.made)
	t.Logf("%d bytes of something else changed; %d of %d texts still indented as they were", sum.foreign, sum.clean, sum.clean+sum.unclean)
	t.Logf("refused: %v", sum.refused)
}
