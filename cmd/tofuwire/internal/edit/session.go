// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// A session makes the steps in a file.
type session struct {
	e       *hcledit.Editor
	json    bool
	printed bytes.Buffer
	// body is the content of the file when it was last read. Since then, steps have changed
	// what touched says, and blocks have gone from where they were. A step about other things
	// needs no new reading, and one about things in a block reads that.
	body    *hclconfig.Body
	now     map[*hclconfig.Block]*hclconfig.Body // what is in blocks that were read again
	touched map[*hclconfig.Block]*touch          // by blocks in no other, and nil for what is in none
	gone    map[*hclconfig.Block]bool            // blocks that were removed, or got another header
	heads   []head                               // of blocks that came since, or got another one
	empty   *hclconfig.File                      // a file like this one with nothing in it
}

// A head is the type and labels of a block. One that came is known as the block, too.
type head struct {
	names []string
	block *hclconfig.Block
}

// A touch is what has changed in a block since it was read.
type touch struct {
	set     map[string]bool              // the names of arguments that have another value
	grown   map[*hclconfig.Argument]bool // whose values got more elements
	changed map[string]bool              // the names of arguments and blocks that are not what they were in any other way
}

// read reads the file as it is now.
func (s *session) read() {
	s.body, s.heads = s.e.Body(nil), nil
	s.now, s.touched, s.gone = map[*hclconfig.Block]*hclconfig.Body{}, map[*hclconfig.Block]*touch{}, map[*hclconfig.Block]bool{}
}

// isOld reports whether the file has changed since it was read.
func (s *session) isOld() bool { return len(s.touched)+len(s.now)+len(s.gone)+len(s.heads) > 0 }

// refresh reads again what has changed in a way that makes a difference to a step about an
// address.
func (s *session) refresh(verb string, a address) {
	if t := s.touched[nil]; s.body == nil || t != nil && t.isAbout(verb, a) {
		s.read()
	}
	any := func(t token) bool { return t.kind == isAny } // the order of JSON is another one
	for _, h := range s.heads {
		if h.names[0] == a[0].name && matchesNames(h.names[1:], a[1:]) && (h.block == nil || slices.ContainsFunc(a, any)) {
			s.read()
			return
		}
	}
	if len(s.touched) == 0 {
		return
	}
	for b := range s.blocks(s.body, a[0].name) {
		if t := s.touched[b]; t != nil && matches(b, a[1:]) && t.isAbout(verb, a) {
			s.now[b] = s.e.Body(b)
			delete(s.touched, b)
		}
	}
}

// blocks returns the blocks of a type in a body that are still there.
func (s *session) blocks(body *hclconfig.Body, typ string) iter.Seq[*hclconfig.Block] {
	return func(yield func(*hclconfig.Block) bool) {
		for b := range body.BlocksOfType(typ) {
			if !s.gone[b] && !yield(b) {
				return
			}
		}
		for _, h := range s.heads {
			if b := h.block; body == s.body && b != nil && b.Type == typ && !s.gone[b] && !yield(b) {
				return
			}
		}
	}
}

// bodyOf returns the content of a block, or of the file for nil, when it was last read.
func (s *session) bodyOf(b *hclconfig.Block) *hclconfig.Body {
	switch {
	case b == nil:
		return s.body
	case s.now[b] != nil:
		return s.now[b]
	}
	return &b.Body
}

// isAbout reports whether a step about an address has to know what has changed.
func (t *touch) isAbout(verb string, a address) bool {
	if verb == "get" {
		return true
	}
	path := false
	for _, w := range a {
		path = path || !w.isWord()
	}
	for _, w := range a {
		if t.changed[w.name] || t.set[w.name] && (path || verb != "set") || w.kind == isAny {
			return true
		}
		for arg := range t.grown {
			if arg.Name == w.name && verb != "insert" && verb != "sort" {
				return true
			}
		}
	}
	return false
}

// in returns what has changed in the block that a target is in.
func (s *session) in(t *target) *touch {
	if s.touched[t.top] == nil {
		s.touched[t.top] = &touch{set: map[string]bool{}, grown: map[*hclconfig.Argument]bool{}, changed: map[string]bool{}}
	}
	return s.touched[t.top]
}

// change says that a target is not what it was.
func (s *session) change(t *target) {
	if t.block == nil {
		s.in(t).changed[t.arg.Name] = true
	} else {
		s.in(t).changed[t.block.Type] = true
	}
}

// do makes a step.
func (s *session) do(st *step) error {
	switch st.verb {
	case "append":
		return s.append(st)
	case "insert":
		return s.insert(st)
	case "mv":
		return s.move(st.from, st.to)
	case "ref":
		s.body = nil // it may be about all of the file
		return s.references(st.value)
	case "new":
		return s.add(st)
	}
	found, err := s.find(st.verb, st.from)
	if err == nil && st.verb == "get" && s.isOld() && slices.ContainsFunc(found, func(t target) bool { return t.top == t.block || mayHaveComments(t) }) {
		s.read() // the comments of two blocks may be aligned
		found, err = s.find(st.verb, st.from)
	}
	if err != nil {
		return err
	}
	for i := range found {
		t := &found[i]
		switch st.verb {
		case "get":
			s.printed.Write(s.source(t))
			s.printed.WriteByte('\n')
		case "set":
			err = s.set(t, st.value)
		case "rm":
			s.e.Delete(t.part())
		case "sort":
			err = s.sort(t)
		case "wrap":
			if t.block != nil {
				return errors.New("wrap needs an expression, not a block")
			}
			s.e.Wrap(t.x, st.value)
		}
		if err != nil {
			return err
		}
		switch {
		case st.verb == "get":
		case st.verb == "rm" && t.block != nil && t.block == t.top:
			s.gone[t.block] = true
		case st.verb == "set" && !t.list.IsSet():
			s.in(t).set[t.arg.Name] = true
		default:
			s.change(t)
		}
	}
	return nil
}

// mayHaveComments reports whether there are comments in the block that a target is in.
func mayHaveComments(t target) bool {
	if t.top == nil {
		return true
	}
	f, start, end := t.top.Place()
	text := f.Bytes()[start:end]
	return bytes.ContainsAny(text, "#") || bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*"))
}

// source returns the text of a target.
func (s *session) source(t *target) []byte {
	if t.block != nil {
		f := t.block.File()
		r := t.block.Range()
		if s.json {
			r = t.block.Body.Range()
		}
		return f.Bytes()[r.Start.Offset:r.End.Offset]
	}
	text := t.x.Raw()
	if t.code {
		text = t.x.Source() // and not its spelling in JSON
	}
	return []byte(strings.TrimRight(text, "\r\n"))
}

func (s *session) set(t *target, value string) error {
	if t.block != nil {
		return errors.New("set needs an argument, not a block; append and new add to a block")
	}
	s.e.Replace(t.x, hcledit.Source(value))
	return nil
}

func (s *session) sort(t *target) error {
	if t.block != nil {
		return errors.New("sort needs a list or an object, not a block")
	}
	switch t.x.Form() {
	case hclconfig.FormList:
		s.e.Sort(t.x, func(a, b hclconfig.Expression) int { return strings.Compare(a.Raw(), b.Raw()) })
	case hclconfig.FormObject:
		members := membersOf(t.x)
		if slices.ContainsFunc(members, func(m hclconfig.Member) bool { return m.Computed }) {
			return errors.New("the object has a key that is not constant")
		}
		s.e.Sort(t.x, func(a, b hclconfig.Expression) int { return strings.Compare(keyOf(a), keyOf(b)) })
	default:
		return errors.New("the value is not written as a list or an object")
	}
	return nil
}

func keyOf(x hclconfig.Expression) string {
	text, err := x.Text()
	if err != nil {
		return x.Raw()
	}
	return text
}

// append adds an argument to each block that matches.
func (s *session) append(st *step) error {
	last := len(st.from) - 1
	if st.from[last].kind != isName {
		return errors.New("append needs an address that ends in the name of an argument")
	}
	name, found := st.from[last].name, []target{{}}
	s.refresh("append", st.from)
	if last > 0 {
		var err error
		if found, err = s.find("append", st.from[:last]); err != nil {
			return err
		}
	}
	for _, t := range found {
		if t.block == nil && last > 0 {
			return errors.New("only a block can have arguments")
		}
		if s.bodyOf(t.block).Argument(name) != nil {
			return fmt.Errorf("there is already an argument %q", name)
		}
		s.e.Set(t.block, name, hcledit.Source(st.value))
		s.in(&t).changed[name] = true
	}
	return nil
}

// insert adds an element, an item or an argument of a call.
func (s *session) insert(st *step) error {
	last := len(st.from) - 1
	p := st.from[last]
	if p.isWord() {
		return errors.New("insert needs an address that ends in [N], [], [\"KEY\"], (N) or ()")
	}
	verb := "insert"
	if p.index >= 0 || p.kind == isKey {
		verb = "insert there"
	}
	found, err := s.find(verb, st.from[:last])
	if err != nil {
		return err
	}
	for _, t := range found {
		if t.block != nil {
			return errors.New("insert needs a list, an object or a call, not a block; append adds an argument to a block")
		}
		if err := s.insertInto(t.x, p, st.value); err != nil {
			return err
		}
		if verb == "insert" && !t.list.IsSet() {
			s.in(&t).grown[t.arg] = true
		} else {
			s.change(&t)
		}
	}
	return nil
}

func (s *session) insertInto(x hclconfig.Expression, p token, value string) error {
	want := map[tokenKind]hclconfig.Form{isIndex: hclconfig.FormList, isArg: hclconfig.FormCall, isKey: hclconfig.FormObject}[p.kind]
	if x.Form() != want {
		return fmt.Errorf("the value is not written as a %s", want)
	}
	if p.kind == isKey {
		members := membersOf(x)
		for _, m := range members {
			if !m.Computed && m.Name == p.name {
				return fmt.Errorf("there is already a key %q", p.name)
			}
		}
		s.e.Insert(x, hcledit.Entry{Key: p.name, Value: hcledit.Source(value)})
		return nil
	}
	parts := x.Parts()
	switch n := len(parts); {
	case p.index > n:
		return nowhere("the index %d is beyond the end", p.index)
	case p.index < 0 || p.index == n:
		s.e.Insert(x, hcledit.Source(value))
	default:
		s.e.Insert(x, hcledit.Source(value), hcledit.Before(parts[p.index]))
	}
	return nil
}

// references changes references.
func (s *session) references(text string) error {
	words := strings.Fields(text)
	if len(words) != 2 {
		return errors.New("ref takes two references")
	}
	n := s.e.ReplaceReferences(words[0], words[1])
	if s.e.Err() == nil && n == 0 {
		return nowhere("nothing refers to %s", words[0])
	}
	return nil
}

// add adds an empty block.
func (s *session) add(st *step) error {
	parents := []target{{}}
	block := st.from
	if st.to != nil {
		block = st.to
		s.refresh("new", slices.Concat(st.from, block))
		var err error
		if parents, err = s.find("new", st.from); err != nil {
			return err
		}
	} else {
		s.refresh("new", block)
	}
	names, ok := block.names()
	if !ok {
		return errors.New("new needs a block as TYPE.LABEL.LABEL")
	}
	for _, t := range parents {
		if st.to != nil && t.block == nil {
			return errors.New("only a block can have blocks")
		}
		if len(names) > 1 && s.has(s.bodyOf(t.block), names, nil) {
			return errors.New("there is already such a block")
		}
		if block := hcledit.NewBlock(names[0], names[1:]...).Lines(); t.block == nil {
			s.addTop(names, block)
		} else {
			s.e.Add(t.block, block, hcledit.Last())
			s.in(&t).changed[names[0]] = true
		}
	}
	return nil
}

// addTop adds a block to the file. It comes from another editor, as a block that can be edited here
// without a new reading of the file.
func (s *session) addTop(names []string, block *hcledit.BlockBuilder) {
	h := head{names: names}
	if f, err := hcledit.Edit(s.empty).Add(nil, block).Apply(); s.empty != nil && err == nil && len(f.Body().Blocks) > 0 {
		h.block = &f.Body().Blocks[0]
		hcledit.Edit(f).Move(h.block, hcledit.Into(s.e, nil), hcledit.Last())
	} else {
		s.e.Add(nil, block, hcledit.Last())
	}
	s.heads = append(s.heads, h)
}

// emptyLike returns a file with nothing in it, which has the name, the syntax and the line breaks
// of another one, or nil if the other has two kinds of line breaks.
func emptyLike(f *hclconfig.File) *hclconfig.File {
	text := "{}"
	if f.Syntax() == hclconfig.NativeSyntax {
		text = "\n"
		if n := bytes.Count(f.Bytes(), []byte("\r\n")); n > 0 {
			if text = "\r\n"; n != bytes.Count(f.Bytes(), []byte("\n")) {
				return nil
			}
		}
	}
	out, err := f.Reparse([]byte(text))
	if err != nil {
		return nil
	}
	return out
}

// has reports whether a body has a block with that type and those labels, other than
// but.
func (s *session) has(body *hclconfig.Body, names []string, but *hclconfig.Block) bool {
	for b := range s.blocks(body, names[0]) {
		if b != but && slices.Equal(b.Labels, names[1:]) {
			return true
		}
	}
	return false
}
