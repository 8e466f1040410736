// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"encoding"
	"errors"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// An address is what all types of the package have in common.
type address[T any] interface {
	comparable
	String() string
	Compare(T) int
}

// isValid returns what the method IsValid of v does. Types of which every value
// is valid have none.
func isValid(v any) bool {
	x, ok := v.(interface{ IsValid() bool })
	return !ok || x.IsValid()
}

// checkParse checks the laws of one parser on one text. It reports whether the
// text was accepted.
func checkParse[T address[T]](t testing.TB, parse func(string) (T, error), in string) (T, bool) {
	t.Helper()
	var zero T
	v, err := parse(in)
	if err != nil {
		var e *addrs.Error
		switch {
		case !errors.As(err, &e):
			t.Errorf("%T %q: error is a %T", v, in, err)
		case e.Err == nil || e.Kind == "" || errors.Unwrap(err) != e.Err:
			t.Errorf("%T %q: incomplete error %#v", v, in, e)
		case e.Offset < 0 || e.Offset > int64(len(e.Input)):
			t.Errorf("%T %q: offset %d is outside of %q", v, in, e.Offset, e.Input)
		case e.Input != in:
			t.Errorf("%T %q: error is about %q", v, in, e.Input)
		}
		if v != zero {
			t.Errorf("%T %q: a value came with the error: %v", v, in, v)
		}
		return v, false
	}
	s := v.String()
	again, err := parse(s)
	if err != nil || again != v {
		t.Errorf("%T %q: prints as %q, which gives %v, %v", v, in, s, again, err)
	}
	if got := again.String(); got != s {
		t.Errorf("%T %q: printing is not stable: %q, then %q", v, in, s, got)
	}
	if !isValid(v) {
		t.Errorf("%T %q: is not valid", v, in)
	}
	if v.Compare(v) != 0 || v.Compare(again) != 0 {
		t.Errorf("%T %q: differs from itself", v, in)
	}
	if v != zero && (v.Compare(zero) == 0 || v.Compare(zero) != -zero.Compare(v)) {
		t.Errorf("%T %q: Compare with the zero value is %d and %d", v, in, v.Compare(zero), zero.Compare(v))
	}
	checkText(t, v, s)
	return v, true
}

// checkText checks the text methods of v, if it has them.
func checkText[T address[T]](t testing.TB, v T, s string) {
	t.Helper()
	m, ok := any(v).(encoding.TextMarshaler)
	if !ok {
		return
	}
	if b, err := m.MarshalText(); err != nil || string(b) != s {
		t.Errorf("%T %q: marshals to %q, %v", v, s, b, err)
	}
	var back T
	if err := any(&back).(encoding.TextUnmarshaler).UnmarshalText([]byte(s)); err != nil || back != v {
		t.Errorf("%T %q: unmarshals to %v, %v", v, s, back, err)
	}
}

// checkOrder checks that Compare is a total order on three values.
func checkOrder[T address[T]](t testing.TB, a, b, c T) {
	t.Helper()
	for _, p := range [][2]T{{a, b}, {b, c}, {a, c}} {
		x, y := p[0], p[1]
		order := x.Compare(y)
		if order < -1 || order > 1 || order != -y.Compare(x) {
			t.Errorf("%T: Compare(%q, %q) = %d, the other way %d", x, x.String(), y.String(), order, y.Compare(x))
		}
		if (order == 0) != (x == y) {
			t.Errorf("%T: Compare(%q, %q) = %d, but == is %v", x, x.String(), y.String(), order, x == y)
		}
	}
	for _, p := range [][3]T{{a, b, c}, {a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}} {
		if p[0].Compare(p[1]) <= 0 && p[1].Compare(p[2]) <= 0 && p[0].Compare(p[2]) > 0 {
			t.Errorf("%T: order is not transitive: %q, %q, %q", a, p[0].String(), p[1].String(), p[2].String())
		}
	}
}

// checkAll checks a parser on three texts, and the order of what they give.
func checkAll[T address[T]](t testing.TB, parse func(string) (T, error), a, b, c string) {
	t.Helper()
	x, xOK := checkParse(t, parse, a)
	y, yOK := checkParse(t, parse, b)
	z, zOK := checkParse(t, parse, c)
	if xOK && yOK && zOK {
		checkOrder(t, x, y, z)
	} else if xOK && yOK {
		checkOrder(t, x, y, x)
	}
}

func checkable(kind addrs.CheckableKind) func(string) (addrs.Checkable, error) {
	return func(s string) (addrs.Checkable, error) { return addrs.ParseCheckable(kind, s) }
}

// checkEverything checks the laws of all parsers.
func checkEverything(t testing.TB, a, b, c string) {
	t.Helper()
	checkAddresses(t, a, b, c)
	checkAll(t, addrs.ParseProvider, a, b, c)
	checkAll(t, addrs.ParseVersion, a, b, c)
	checkAll(t, addrs.ParseConstraints, a, b, c)
	checkAll(t, addrs.ParsePlatform, a, b, c)
	checkAll(t, addrs.ParseHash, a, b, c)
	checkAll(t, addrs.ParseModuleSource, a, b, c)
}

// checkAddresses checks the laws of the parsers of dotted addresses.
func checkAddresses(t testing.TB, a, b, c string) {
	t.Helper()
	checkAll(t, addrs.ParseInstanceKey, a, b, c)
	checkAll(t, addrs.ParseModule, a, b, c)
	checkAll(t, addrs.ParseModuleInstance, a, b, c)
	checkAll(t, addrs.ParseResource, a, b, c)
	checkAll(t, addrs.ParseConfigResource, a, b, c)
	checkAll(t, addrs.ParseAbsResource, a, b, c)
	checkAll(t, addrs.ParseAbsResourceInstance, a, b, c)
	checkAll(t, addrs.ParseTarget, a, b, c)
	checkAll(t, addrs.ParseAbsProviderConfig, a, b, c)
	checkAll(t, addrs.ParseRecordedProvider, a, b, c)
	checkAll(t, addrs.ParseReference, a, b, c)
	checkAll(t, checkable(addrs.CheckableResource), a, b, c)
	checkAll(t, checkable(addrs.CheckableOutput), a, b, c)
	checkAll(t, checkable(addrs.CheckableCheck), a, b, c)
	checkAll(t, checkable(addrs.CheckableVariable), a, b, c)
}

// TestLaws checks the laws on all texts of the tables, with each other.
func TestLaws(t *testing.T) {
	seeds := seeds()
	for i, a := range seeds {
		b := seeds[(i*7+3)%len(seeds)]
		c := seeds[(i*13+5)%len(seeds)]
		checkEverything(t, a, b, c)
	}
}

// TestZero checks that zero values are harmless.
func TestZero(t *testing.T) {
	checkZero[addrs.InstanceKey](t, true)
	checkZero[addrs.Module](t, true)
	checkZero[addrs.ModuleInstance](t, true)
	checkZero[addrs.Constraints](t, true)
	checkZero[addrs.Resource](t, false)
	checkZero[addrs.ConfigResource](t, false)
	checkZero[addrs.AbsResource](t, false)
	checkZero[addrs.AbsResourceInstance](t, false)
	checkZero[addrs.Target](t, false)
	checkZero[addrs.AbsProviderConfig](t, false)
	checkZero[addrs.Reference](t, false)
	checkZero[addrs.Checkable](t, false)
	checkZero[addrs.Provider](t, false)
	checkZero[addrs.Version](t, false)
	checkZero[addrs.Platform](t, false)
	checkZero[addrs.Hash](t, false)
	checkZero[addrs.ModuleSource](t, false)
}

func checkZero[T address[T]](t *testing.T, valid bool) {
	t.Helper()
	var zero T
	if isValid(zero) != valid {
		t.Errorf("zero %T: IsValid is %v", zero, !valid)
	}
	if s := zero.String(); s != "" {
		t.Errorf("zero %T prints %q", zero, s)
	}
	if zero.Compare(zero) != 0 {
		t.Errorf("zero %T differs from itself", zero)
	}
	checkText(t, zero, "")
}

// TestZeroAccessors calls the other methods of zero values.
func TestZeroAccessors(t *testing.T) {
	var (
		ri     addrs.AbsResourceInstance
		ref    addrs.Reference
		p      addrs.Provider
		v      addrs.Version
		c      addrs.Constraint
		m      addrs.ModuleInstance
		src    addrs.ModuleSource
		target addrs.Target
		check  addrs.Checkable
		step   addrs.Step
		hash   addrs.Hash
	)
	for name, s := range map[string]string{
		"module":    ri.Module().String(),
		"resource":  ri.Resource().String(),
		"type":      ri.Resource().Type() + ri.Resource().Name() + string(ri.Resource().Mode()) + ri.Resource().ImpliedProvider(),
		"config":    ri.Config().String(),
		"key":       ri.Key().String(),
		"in":        addrs.Resource{}.In(m).String() + addrs.AbsResource{}.Instance(addrs.NoKey).String(),
		"reference": ref.Name() + ref.Key().String() + ref.Subject().String() + ref.PlanString(),
		"provider":  p.Host() + p.Namespace() + p.Type() + p.ForDisplay() + p.ASCIIHost(),
		"version":   v.Core().String() + v.Prerelease() + v.Metadata(),
		"operator":  string(c.Operator()) + c.Version().String(),
		"module up": m.Parent().String() + m.Module().String(),
		"source":    src.Package() + src.Subdir() + src.ForDisplay(),
		"check":     check.Name() + check.Module().String() + check.Config().String(),
		"step":      step.String(),
		"hash":      string(hash.Scheme()) + hash.Value(),
	} {
		if s != "" {
			t.Errorf("%s gives %q", name, s)
		}
	}
	if v.Compare(addrs.MustParseVersion("0.0.0")) >= 0 || c.Allows(v) || target.Contains(target) || ref.HasRemaining() || step.IsValid() {
		t.Error("a zero value has properties")
	}
	for s := range ref.PlanReferences() {
		t.Errorf("references of the zero Reference: %q", s)
	}
	if _, ok := step.Attr(); ok {
		t.Error("the zero Step is an attribute")
	}
	if _, ok := step.Index(); ok {
		t.Error("the zero Step is an index")
	}
	if _, err := src.Resolve(addrs.MustParseModuleSource("./x")); err == nil {
		t.Error("a path relative to the zero ModuleSource")
	}
}
