// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// A model is what a state must have after edits: of each object, by its address and
// deposed key, what no edit touches.
type model struct {
	objects map[string]string // the text of the attributes, by address and deposed key
	tainted map[string]bool   // the addresses of tainted objects
	outputs map[string]string
}

func modelOf(f *statefile.File) *model {
	m := &model{make(map[string]string), make(map[string]bool), make(map[string]string)}
	for i := range f.All() {
		m.objects[i.Address.String()+" "+i.Object.Deposed] = string(i.Object.Attributes) + string(i.Object.Private)
		if i.Object.Status == "tainted" {
			m.tainted[i.Address.String()+" "+i.Object.Deposed] = true
		}
	}
	for name, o := range f.Outputs {
		m.outputs[name] = outputText(o.Value, o.Type, o.Sensitive)
	}
	return m
}

// outputText returns an output as a text, whatever its layout is.
func outputText(value, typ planjson.Value, sensitive bool) string {
	v, err := value.Canonical()
	must(err)
	t, err := typ.Canonical()
	must(err)
	return fmt.Sprint(string(v), string(t), sensitive)
}

func (m *model) equal(n *model) bool {
	return maps.Equal(m.objects, n.objects) && maps.Equal(m.tainted, n.tainted) && maps.Equal(m.outputs, n.outputs)
}

// differs says in what two models differ.
func (m *model) differs(n *model) string {
	var out []string
	for key := range maps.Keys(m.objects) {
		if n.objects[key] != m.objects[key] {
			out = append(out, fmt.Sprintf("object %s has %q, want %q", key, m.objects[key], n.objects[key]))
		}
	}
	for key := range maps.Keys(n.objects) {
		if _, ok := m.objects[key]; !ok {
			out = append(out, "no object "+key)
		}
	}
	return fmt.Sprint(strings.Join(out, "; "), ", tainted ", m.tainted, ", want ", n.tainted, ", outputs ", m.outputs, ", want ", n.outputs)
}

// rename gives all objects that a function renames their new addresses.
func (m *model) rename(f func(address string) string) {
	objects, tainted := make(map[string]string), make(map[string]bool)
	for key, text := range m.objects {
		address, deposed, _ := cutLast(key)
		to := f(address) + " " + deposed
		objects[to] = text
		if m.tainted[key] {
			tainted[to] = true
		}
	}
	m.objects, m.tainted = objects, tainted
}

func cutLast(key string) (before, after string, ok bool) {
	i := strings.LastIndexByte(key, ' ')
	return key[:i], key[i+1:], true
}

// A stepper makes random edits of a state and of its model.
type stepper struct {
	*rand.Rand
	f *statefile.File
	m *model
	n int
}

// step makes one edit. It returns what it was, its error, and whether it must have
// changed the state: then it must be without an error, otherwise the state must be as before.
func (s *stepper) step() (what string, err error, changes bool) {
	var all []statefile.Instance
	for i := range s.f.All() {
		all = append(all, i)
	}
	if len(all) == 0 {
		return s.output()
	}
	i := all[s.IntN(len(all))]
	s.n++
	switch s.IntN(8) {
	case 0:
		return s.move(i)
	case 1:
		return s.moveModule(i)
	case 2:
		to := all[s.IntN(len(all))].Address.Target() // is there, or of another type
		return fmt.Sprint("move ", i.Address, " to ", to), s.f.Move(i.Address.Target(), to), false
	case 3:
		return s.remove(i)
	case 4:
		config, err := addrs.ParseAbsProviderConfig(i.Provider)
		must(err)
		from := config.Provider()
		to := addrs.MustParseProvider(fmt.Sprintf("example.com/moved/p%d", s.IntN(2)))
		_, err = s.f.ReplaceProvider(from, to)
		return fmt.Sprint("replace ", from, " by ", to), err, from != to
	case 5:
		current := slices.ContainsFunc(all, func(o statefile.Instance) bool { return o.Address == i.Address && o.Object.Deposed == "" })
		key := i.Address.String() + " "
		changes := current && i.Address.Resource().Mode() == addrs.Managed && !s.m.tainted[key]
		if changes {
			s.m.tainted[key] = true
		}
		return fmt.Sprint("taint ", i.Address), s.f.SetTainted(i.Address, true), changes
	case 6:
		key := i.Address.String() + " "
		changes := i.Address.Resource().Mode() == addrs.Managed && s.m.tainted[key]
		delete(s.m.tainted, key)
		return fmt.Sprint("untaint ", i.Address), s.f.SetTainted(i.Address, false), changes
	}
	return s.output()
}

func (s *stepper) output() (string, error, bool) {
	name := fmt.Sprintf("output%d", s.IntN(3))
	value, sensitive := cty.ObjectVal(map[string]cty.Value{"n": cty.NumberIntVal(s.Int64N(3))}), s.IntN(2) == 0
	if s.IntN(3) == 0 {
		_, there := s.m.outputs[name]
		delete(s.m.outputs, name)
		return "remove " + name, s.f.SetOutput(name, cty.NilVal, false), there
	}
	text, err := planjson.ValueOf(value)
	must(err)
	typ, err := planjson.ValueOf(value.Type())
	must(err)
	want := outputText(text, typ, sensitive)
	changes := s.m.outputs[name] != want
	s.m.outputs[name] = want
	return "set " + name, s.f.SetOutput(name, value, sensitive), changes
}

// move moves an instance, or a whole resource, to an address that is not there.
func (s *stepper) move(i statefile.Instance) (string, error, bool) {
	r := i.Address.Resource()
	fresh, err := addrs.NewResource(r.Mode(), r.Type(), fmt.Sprintf("moved%d", s.n))
	must(err)
	module := i.Address.Module()
	if s.IntN(3) == 0 {
		module, err = module.Child("sub", addrs.StringKey(fmt.Sprint("k", s.n)))
		must(err)
	}
	to := fresh.In(module)
	if s.IntN(2) == 0 || i.Address.Key().IsNone() {
		key := addrs.NoKey
		if s.IntN(2) == 0 {
			key = addrs.IntKey(s.n)
		}
		target := to.Instance(key)
		s.m.rename(func(a string) string {
			if a == i.Address.String() {
				return target.String()
			}
			return a
		})
		return fmt.Sprint("move ", i.Address, " to ", target), s.f.Move(i.Address.Target(), target.Target()), true
	}
	from := i.Address.AbsResource()
	for j := range s.f.All() {
		if j.Address.AbsResource() == from && j.Address.Key().IsNone() {
			// Such a resource stands for this one instance of it.
			s.m.rename(func(a string) string {
				if a == j.Address.String() {
					return to.String()
				}
				return a
			})
			return fmt.Sprint("move ", from, " to ", to), s.f.Move(from.Target(), to.Target()), true
		}
	}
	s.m.rename(func(a string) string {
		if x := addrs.MustParseAbsResourceInstance(a); x.AbsResource() == from {
			return to.Instance(x.Key()).String()
		}
		return a
	})
	return fmt.Sprint("move ", from, " to ", to), s.f.Move(from.Target(), to.Target()), true
}

// moveModule moves the module of an instance, with all below it.
func (s *stepper) moveModule(i statefile.Instance) (string, error, bool) {
	from := i.Address.Module()
	if from.IsRoot() {
		return s.output()
	}
	to := fmt.Sprintf("module.moved%d", s.n)
	target := addrs.MustParseTarget(to)
	s.m.rename(func(a string) string {
		if rest, ok := strings.CutPrefix(a, from.String()+"."); ok {
			return to + "." + rest
		}
		return a
	})
	return fmt.Sprint("move ", from, " to ", to), s.f.Move(from.Target(), target), true
}

func (s *stepper) remove(i statefile.Instance) (string, error, bool) {
	target := i.Address.Target()
	if s.IntN(4) == 0 {
		target = i.Address.AbsResource().Target()
	}
	maps.DeleteFunc(s.m.objects, func(key, _ string) bool {
		address, _, _ := cutLast(key)
		x := addrs.MustParseAbsResourceInstance(address)
		gone := x == i.Address || target == i.Address.AbsResource().Target() && x.AbsResource() == i.Address.AbsResource()
		if gone {
			delete(s.m.tainted, key)
		}
		return gone
	})
	return fmt.Sprint("remove ", target), s.f.Remove(target), true
}

// check makes one edit and checks that the state is what the model says, that it decodes
// to the same, that its canonical form is stable, and that it can be shown. It reports
// whether the edit was refused.
func (s *stepper) check(t *testing.T, steps *[]string) (refused bool) {
	t.Helper()
	before, err := statefile.Encode(s.f)
	must(err)
	serial := s.f.Serial
	what, err, changes := s.step()
	*steps = append(*steps, what)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("after %q: %s", *steps, fmt.Sprintf(format, args...))
	}
	text, err2 := statefile.Encode(s.f)
	switch {
	case err2 != nil:
		fail("%v", err2)
	case changes && (err != nil || s.f.Serial != serial+1):
		fail("got %v, the serial was %d and is %d", err, serial, s.f.Serial)
	case err != nil && !errors.Is(err, statefile.ErrRefused):
		fail("got %v", err)
	case !changes && !bytes.Equal(text, before):
		fail("it changed the state, %v", err)
	}
	refused = err != nil
	again, err := statefile.Decode(bytes.Clone(text))
	if err != nil {
		fail("%v, in %s", err, text)
	}
	if out, err := statefile.Encode(again); err != nil || !bytes.Equal(out, text) {
		fail("encoding gives another text, %v", err)
	}
	if !statefile.Equal(again, s.f) {
		fail("the state decodes as another one: %s", text)
	}
	if got := modelOf(again); !got.equal(s.m) {
		fail("%s", got.differs(s.m))
	}
	checkCanonical(t, again)
	checkShown(t, again, nil)
	checkStream(t, again, text)
	return refused
}

// TestSequences makes random edits of recorded states.
func TestSequences(t *testing.T) {
	list := recorded()
	rnd := depth.Rand(t)
	done, refused := 0, 0
	for range depth.Of(8, 40, 80) {
		r := list[rnd.IntN(len(list))]
		f, err := statefile.Decode(bytes.Clone(r.text))
		must(err)
		s := &stepper{Rand: rnd, f: f, m: modelOf(f)}
		steps := []string{r.name}
		for range depth.Of(12, 20, 30) {
			done++
			if s.check(t, &steps) {
				refused++
			}
		}
	}
	t.Logf("%d edits, %d of them refused", done, refused)
	if refused == 0 || refused > done/2 {
		t.Errorf("%d of %d edits were refused", refused, done)
	}
}

// A script is a source of numbers that a text says, one for each byte, and any others
// when it is at its end.
type script struct {
	text []byte
	n    uint64
}

// Uint64 implements [rand.Source].
func (s *script) Uint64() uint64 {
	if len(s.text) > 0 {
		s.n = uint64(s.text[0])
		s.text = s.text[1:]
	}
	s.n++
	x := s.n * 0x9e3779b97f4a7c15
	return x ^ x>>31
}

// FuzzEdits makes the edits of a script in a state, whatever it is, and compares with the
// model after each.
func FuzzEdits(f *testing.F) {
	for i, r := range recorded() {
		if len(r.text) < 12_000 {
			f.Add(r.text, []byte{byte(40 * i), 0, 100, 200, 255, byte(i), 60, 130, 90, 180, 20, 220})
		}
	}
	f.Fuzz(func(t *testing.T, src, edits []byte) {
		file, err := statefile.Decode(src)
		if err != nil || file.Serial > 1<<60 {
			return
		}
		for i := range file.All() {
			if _, err := addrs.ParseAbsProviderConfig(i.Provider); err != nil {
				return // of Terraform 0.12
			}
		}
		source := &script{text: edits}
		s := &stepper{Rand: rand.New(source), f: file, m: modelOf(file)}
		var steps []string
		for len(source.text) > 0 && len(steps) < 20 {
			s.check(t, &steps)
		}
	})
}
