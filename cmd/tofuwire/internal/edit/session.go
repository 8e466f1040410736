// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
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
	verb    string // of the step
	// body is the content of the file when it was last read. What steps have changed since is in the fields
	// below. A step that has to know more, such as what is in a value that another step wrote, reads the
	// block again that it is in.
	body     *hclconfig.Body
	now      map[*hclconfig.Block]*hclconfig.Body // what is in blocks that were read again
	gone     map[any]bool                         // blocks and arguments that were removed, or have another name
	came     map[*hclconfig.Block][]newcomer      // what came to a block, or for nil to the file
	other    map[*hclconfig.Argument]bool         // arguments that have another value
	contents map[spot]*content
	changed  map[*hclconfig.Block]bool                         // blocks in no other in which something has changed; nil for what is in none
	isOld    bool                                              // anything has changed
	reads    int                                               // of the file or of a block
	missing  []*hclconfig.Block                                // a step has to know what is in them now
	renamed  map[*hclconfig.Block][]string                     // the type and labels of blocks that have got others
	heads    map[string][]*hclconfig.Block                     // by type and labels: those of renamed, and blocks that came to the file; nil has to be read
	indexes  map[*hclconfig.Body]map[string][]*hclconfig.Block // the blocks of a body as it was read, by type and labels
	empty    *hclconfig.File                                   // a file like this one with nothing in it
}

// A newcomer is an argument, or a block with its type and labels, that is known by its name only.
type newcomer struct {
	names []string
	isArg bool
}

// read reads the file as it is now.
func (s *session) read() {
	s.reads++
	s.body, s.isOld, s.missing = s.e.Body(nil), false, nil
	s.now, s.gone, s.came = map[*hclconfig.Block]*hclconfig.Body{}, map[any]bool{}, map[*hclconfig.Block][]newcomer{}
	s.other, s.contents, s.changed = map[*hclconfig.Argument]bool{}, map[spot]*content{}, map[*hclconfig.Block]bool{}
	s.renamed, s.heads, s.indexes = map[*hclconfig.Block][]string{}, map[string][]*hclconfig.Block{}, map[*hclconfig.Body]map[string][]*hclconfig.Block{}
}

// readBlock reads the content of a block as it is now.
func (s *session) readBlock(b *hclconfig.Block) {
	if b == nil {
		s.read()
		return
	}
	s.reads++
	if s.now[b] = s.e.Body(b); s.now[b] == nil {
		s.now[b] = &b.Body // the editor has an error
	}
	delete(s.came, b)
	// It may be the same reading, if the steps have changed no text.
	f, start, end := s.now[b].Place()
	maps.DeleteFunc(s.contents, func(at spot, _ *content) bool { return at.file == f && start <= at.start && at.end <= end })
	maps.DeleteFunc(s.other, func(a *hclconfig.Argument, _ bool) bool {
		g, at, _ := a.Place()
		return g == f && start <= at && at < end
	})
}

// readMissing reads what the last step had to know. It reports whether there was any.
func (s *session) readMissing() bool {
	missing := s.missing
	s.missing = nil
	for _, b := range missing {
		s.readBlock(b)
	}
	return len(missing) > 0
}

// refresh reads the file, if it is not known what blocks are at an address.
func (s *session) refresh(a address) {
	for key, blocks := range s.headsAt(a) {
		names := strings.Split(key, "\x00")
		// With labels of any text, and with numbers, the order counts.
		if names[0] == a[0].name && matchesNames(names[1:], a[1:]) && slices.ContainsFunc(blocks, func(b *hclconfig.Block) bool {
			return b == nil || a.has(isAny) || s.renamed[b] != nil && a.has(isIndex)
		}) {
			s.body = nil
			break
		}
	}
	if s.body == nil {
		s.read()
	}
}

// headsAt returns those of heads that may be at an address.
func (s *session) headsAt(a address) map[string][]*hclconfig.Block {
	if a.has(isAny) {
		return s.heads
	}
	out := map[string][]*hclconfig.Block{}
	for _, key := range a.keys() {
		if blocks := s.heads[key]; len(blocks) > 0 {
			out[key] = blocks
		}
	}
	return out
}

// keyOfNames returns what a block of a type and labels is known by.
func keyOfNames(names ...string) string { return strings.Join(names, "\x00") }

// keys returns the keys of the blocks that may be at an address: of those with no label, one, and so on.
func (a address) keys() (out []string) {
	for i := range a {
		names, ok := a[:i+1].names()
		if !ok {
			break
		}
		out = append(out, keyOfNames(names...))
	}
	return out
}

// index returns the blocks of a body as it was read, by type and labels.
func (s *session) index(body *hclconfig.Body) map[string][]*hclconfig.Block {
	index := s.indexes[body]
	if index == nil {
		index = map[string][]*hclconfig.Block{}
		for i := range body.Blocks {
			b := &body.Blocks[i]
			key := keyOfNames(append([]string{b.Type}, b.Labels...)...)
			index[key] = append(index[key], b)
		}
		s.indexes[body] = index
	}
	return index
}

// withKey returns the blocks of a type and labels in a body that are still there.
func (s *session) withKey(body *hclconfig.Body, key string) (out []*hclconfig.Block) {
	for _, b := range s.index(body)[key] {
		if !s.gone[b] && s.renamed[b] == nil {
			out = append(out, b)
		}
	}
	if body == s.body {
		for _, b := range s.heads[key] {
			if b != nil && !s.gone[b] {
				out = append(out, b)
			}
		}
	}
	return out
}

// blocks returns the blocks of a body at an address, by the number of their labels, in the order of the text.
func (s *session) blocks(body *hclconfig.Body, a address) map[int][]*hclconfig.Block {
	out := map[int][]*hclconfig.Block{}
	if a.has(isAny) {
		for b := range body.BlocksOfType(a[0].name) { // there are no others, after refresh
			if n := len(b.Labels); !s.gone[b] && s.renamed[b] == nil && matchesNames(b.Labels, a[1:]) {
				out[n] = append(out[n], b)
			}
		}
		return out
	}
	for labels, key := range a.keys() {
		if found := s.withKey(body, key); len(found) > 0 {
			out[labels] = found
		}
	}
	return out
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

// argument returns an argument of a block, or of the file for nil, that is still there.
func (s *session) argument(in *hclconfig.Block, name string) *hclconfig.Argument {
	if a := s.bodyOf(in).Argument(name); !s.gone[a] {
		return a
	}
	return nil
}

// hasArgument reports whether a block, or the file for nil, has an argument of that name.
func (s *session) hasArgument(in *hclconfig.Block, name string) bool {
	return s.argument(in, name) != nil || slices.ContainsFunc(s.came[in], func(n newcomer) bool { return n.isArg && n.names[0] == name })
}

// hasBlock reports whether a block, or the file for nil, has a block with that type and those labels, other
// than but.
func (s *session) hasBlock(in *hclconfig.Block, names []string, but *hclconfig.Block) bool {
	if slices.ContainsFunc(s.withKey(s.bodyOf(in), keyOfNames(names...)), func(b *hclconfig.Block) bool { return b != but }) {
		return true
	}
	return slices.ContainsFunc(s.came[in], func(n newcomer) bool { return !n.isArg && slices.Equal(n.names, names) })
}

// change says that something has changed in the block in no other that a target is in.
func (s *session) change(t *target) {
	s.isOld, s.changed[t.top] = true, true
	// The editor does not know what is in the code of a JSON string after an edit there.
	within := (s.verb == "insert" || s.verb == "sort") && t.x.IsSet() && isString(t.x)
	if t.code || within {
		s.other[t.arg] = true
	}
}

// isString reports whether an expression is a string of JSON.
func isString(x hclconfig.Expression) bool {
	f := x.File()
	return f.Syntax() == hclconfig.JSONSyntax && strings.HasPrefix(x.Raw(), `"`)
}

// changeValue says that a target has another value.
func (s *session) changeValue(t *target) {
	if t.list.IsSet() {
		s.contentOf(t.list).items[t.at].other = true
	} else {
		s.other[t.arg] = true
	}
}

// do makes a step.
func (s *session) do(st *step) error {
	switch s.verb = st.verb; st.verb {
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
	found, err := s.find(st.from)
	if err == nil && st.verb == "get" && s.isOld && slices.ContainsFunc(found, func(t target) bool { return t.top == t.block || mayHaveComments(t) }) {
		s.read() // the comments of two blocks may be aligned
		found, err = s.find(st.from)
	}
	if err != nil {
		return err
	}
	for i := range found {
		t := &found[i]
		if st.verb == "get" {
			s.printed.Write(s.source(t))
			s.printed.WriteByte('\n')
			continue
		}
		s.change(t)
		switch st.verb {
		case "set":
			err = s.set(t, st.value)
		case "rm":
			s.remove(t)
		case "sort":
			err = s.sort(t)
		case "wrap":
			if t.block != nil {
				return errors.New("wrap needs an expression, not a block")
			}
			s.e.Wrap(t.x, st.value)
			s.changeValue(t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// remove removes a target.
func (s *session) remove(t *target) {
	s.e.Delete(t.part())
	switch {
	case t.block != nil:
		s.gone[t.block] = true
	case t.list.IsSet():
		c := s.contentOf(t.list)
		c.items = slices.Delete(c.items, t.at, t.at+1)
	default:
		s.gone[t.arg] = true
	}
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
	s.changeValue(t)
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
	s.contentOf(t.x).lost = true
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
	s.refresh(st.from)
	if last > 0 {
		var err error
		if found, err = s.find(st.from[:last]); err != nil {
			return err
		}
	}
	for _, t := range found {
		if t.block == nil && last > 0 {
			return errors.New("only a block can have arguments")
		}
		if s.hasArgument(t.block, name) {
			return fmt.Errorf("there is already an argument %q", name)
		}
		s.e.Set(t.block, name, hcledit.Source(st.value))
		s.came[t.block] = append(s.came[t.block], newcomer{[]string{name}, true})
		s.change(&t)
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
	found, err := s.find(st.from[:last])
	if err != nil {
		return err
	}
	for i := range found {
		if found[i].block != nil {
			return errors.New("insert needs a list, an object or a call, not a block; append adds an argument to a block")
		}
		known, err := s.insertInto(&found[i], p, st.value)
		if err != nil {
			return err
		}
		if !known { // there is one target only: all others are read for a step about many
			s.readBlock(found[i].in)
			return s.insert(st)
		}
		s.change(&found[i])
	}
	return nil
}

// insertInto adds something to the value of a target. It reports false if the place cannot be named, and has
// to be read.
func (s *session) insertInto(t *target, p token, value string) (known bool, err error) {
	if want := formOf[p.kind]; t.x.Form() != want {
		return true, fmt.Errorf("the value is not written as a %s", want)
	}
	c := s.contentOf(t.x)
	came := &item{came: true}
	if p.kind == isKey {
		if c.find(t.x, p) >= 0 {
			return true, fmt.Errorf("there is already a key %q", p.name)
		}
		s.e.Insert(t.x, hcledit.Entry{Key: p.name, Value: hcledit.Source(value)})
		came.member = &hclconfig.Member{Name: p.name}
		c.items = append(c.items, came)
		return true, nil
	}
	n := len(c.items)
	switch {
	case p.index > n:
		return true, nowhere("the index %d is beyond the end", p.index)
	case p.index < 0 || p.index == n:
		s.e.Insert(t.x, hcledit.Source(value))
		c.items = append(c.items, came)
		return true, nil
	}
	place, known := c.before(p.index)
	if known {
		s.e.Insert(t.x, hcledit.Source(value), place)
		c.items = slices.Insert(c.items, p.index, came)
	}
	return known, nil
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
		var err error
		if parents, err = s.find(st.from); err != nil {
			return err
		}
	} else {
		s.refresh(block)
	}
	names, ok := block.names()
	if !ok {
		return errors.New("new needs a block as TYPE.LABEL.LABEL")
	}
	for _, t := range parents {
		if st.to != nil && t.block == nil {
			return errors.New("only a block can have blocks")
		}
		if len(names) > 1 && s.hasBlock(t.block, names, nil) {
			return errors.New("there is already such a block")
		}
		if block := hcledit.NewBlock(names[0], names[1:]...).Lines(); t.block == nil {
			s.addTop(names, block)
		} else {
			s.e.Add(t.block, block, hcledit.Last())
			s.came[t.block] = append(s.came[t.block], newcomer{names: names})
			s.change(&t)
		}
	}
	return nil
}

// addTop adds a block to the file. It comes from another editor, as a block that can be edited here
// without a new reading of the file.
func (s *session) addTop(names []string, block *hcledit.BlockBuilder) {
	var came *hclconfig.Block
	if f, err := hcledit.Edit(s.empty).Add(nil, block).Apply(); s.empty != nil && err == nil && len(f.Body().Blocks) > 0 {
		came = &f.Body().Blocks[0]
		hcledit.Edit(f).Move(came, hcledit.Into(s.e, nil), hcledit.Last())
	} else {
		s.e.Add(nil, block, hcledit.Last())
	}
	key := keyOfNames(names...)
	s.heads[key], s.isOld = append(s.heads[key], came), true
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
