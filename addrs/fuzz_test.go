// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// FuzzAddresses checks the laws of all dotted addresses on any texts.
func FuzzAddresses(f *testing.F) {
	seeds := seeds()
	for i, s := range seeds {
		f.Add(s, seeds[(i*7+3)%len(seeds)], seeds[(i*13+5)%len(seeds)])
	}
	f.Fuzz(func(t *testing.T, a, b, c string) { checkAddresses(t, a, b, c) })
}

// FuzzKeys checks that any string can be a key, in any place.
func FuzzKeys(f *testing.F) {
	for _, tt := range keyTests {
		f.Add(tt.key, 3)
	}
	f.Add("\xff", -1)
	f.Fuzz(func(t *testing.T, s string, n int) {
		key := addrs.StringKey(s)
		if got, ok := checkParse(t, addrs.ParseInstanceKey, key.String()); !ok || got != key {
			t.Errorf("key %q prints as %v, which gives %v", s, key, got)
		}
		m, err := addrs.ModuleInstance{}.Child("m", key)
		if err != nil {
			t.Fatal(err)
		}
		a := addrs.MustParseResource("t.n").In(m).Instance(key)
		got, ok := checkParse(t, addrs.ParseAbsResourceInstance, a.String())
		if !ok || got != a || got.Key() != key {
			t.Errorf("key %q: %v comes back as %v", s, a, got)
		}
		if _, k := got.Module().Call(); k != key {
			t.Errorf("key %q: module key %v", s, k)
		}
		ref := "local.m" + key.String()
		r, err := addrs.ParseReference(ref)
		if err != nil || r.String() != ref {
			t.Errorf("key %q: %v, %v", s, r, err)
		}
		if p, err := addrs.ParsePlanReference(r.PlanString()); err != nil || p != r {
			t.Errorf("key %q: plan form %s gives %v, %v", s, r.PlanString(), p, err)
		}
		if i := addrs.IntKey(n); i.IsValid() {
			if got, ok := checkParse(t, addrs.ParseInstanceKey, i.String()); !ok || got != i {
				t.Errorf("key %d gives %v", n, got)
			}
		}
		checkOrder(t, key, addrs.IntKey(n), addrs.NoKey)
	})
}

// FuzzPlanReference checks that references of plan JSON have one plan form.
func FuzzPlanReference(f *testing.F) {
	for _, tt := range referenceTests {
		f.Add(tt.in)
	}
	f.Add(`local.m["a${x}\x01"][1.23456789e+10]`)
	f.Fuzz(func(t *testing.T, in string) {
		r, err := addrs.ParsePlanReference(in)
		if err != nil {
			return
		}
		checkParse(t, addrs.ParseReference, r.String())
		if strings.HasPrefix(r.String(), "resource.") {
			return // the plan form is that of another subject
		}
		// Large numbers are rounded once, and then stay.
		again, err := addrs.ParsePlanReference(r.PlanString())
		if err != nil || again.PlanString() != r.PlanString() {
			t.Errorf("%q prints as %q, which prints as %q, %v", in, r.PlanString(), again.PlanString(), err)
		}
		n := 0
		for s := range r.PlanReferences() {
			if _, err := addrs.ParsePlanReference(s); err != nil {
				t.Errorf("%q: %v", in, err)
			}
			n++
		}
		if n == 0 {
			t.Errorf("%q: no references", in)
		}
	})
}

// FuzzProvider checks the laws of provider source addresses.
func FuzzProvider(f *testing.F) {
	for i, tt := range providerTests {
		f.Add(tt.in, providerTests[(i+7)%len(providerTests)].in, providerTests[(i+13)%len(providerTests)].in)
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		checkAll(t, addrs.ParseProvider, a, b, c)
		checkAll(t, addrs.ParsePlatform, a, b, c)
	})
}

// FuzzHash checks the laws of hashes, also of those that are no hashes.
func FuzzHash(f *testing.F) {
	for i, tt := range hashTests {
		f.Add(tt.in, hashTests[(i+5)%len(hashTests)].in, hashTests[(i+7)%len(hashTests)].in)
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		checkAll(t, addrs.ParseHash, a, b, c)
		checkOrder(t, addrs.Hash(a), addrs.Hash(b), addrs.Hash(c))
		h := addrs.Hash(a)
		if _, err := addrs.ParseHash(a); h.IsValid() != (err == nil) {
			t.Errorf("%q: valid is %v, but %v", a, h.IsValid(), err)
		}
		if h.IsValid() && string(h.Scheme())+":"+h.Value() != a {
			t.Errorf("%q: scheme %q and value %q", a, h.Scheme(), h.Value())
		}
		if h.IsPreferred() && !h.IsValid() {
			t.Errorf("%q is preferred, but not valid", a)
		}
	})
}

// FuzzVersion checks the laws of versions, and that the order does not depend
// on build metadata unless all else is equal.
func FuzzVersion(f *testing.F) {
	for i, s := range versionOrder {
		f.Add(s, versionOrder[(i*5+1)%len(versionOrder)], versionOrder[(i*11+2)%len(versionOrder)])
	}
	for _, tt := range versionTests {
		f.Add(tt.in, tt.want, "1")
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		checkAll(t, addrs.ParseVersion, a, b, c)
		v, err := addrs.ParseVersion(a)
		w, err2 := addrs.ParseVersion(b)
		if err != nil || err2 != nil {
			return
		}
		core, other := v.Core().Compare(w.Core()), v.Compare(w)
		if core != 0 && core != other {
			t.Errorf("%v and %v: the numbers compare as %d, the versions as %d", v, w, core, other)
		}
		if v.Core() != v && v.Prerelease() != "" && v.Compare(v.Core()) >= 0 {
			t.Errorf("%v is not before its release", v)
		}
	})
}

// FuzzConstraints checks the laws of constraints, and what they mean.
func FuzzConstraints(f *testing.F) {
	for _, tt := range allowTests {
		for _, v := range append(tt.yes, tt.no...) {
			f.Add(tt.constraints, v, ">= 1.0, != 2")
		}
	}
	for _, tt := range constraintTests {
		f.Add(tt.in, "1.0.0", tt.want)
	}
	f.Fuzz(func(t *testing.T, a, v, b string) {
		checkAll(t, addrs.ParseConstraints, a, b, v)
		c, err := addrs.ParseConstraints(a)
		d, err2 := addrs.ParseConstraints(b)
		w, err3 := addrs.ParseVersion(v)
		if err != nil || err2 != nil || err3 != nil {
			return
		}
		joined := addrs.JoinConstraints(c, d)
		if joined != addrs.JoinConstraints(d, c) {
			t.Errorf("%q and %q: the order of joining counts", c, d)
		}
		if joined.Allows(w) && w.Prerelease() == "" && !(c.Allows(w) && d.Allows(w)) {
			t.Errorf("%q and %q together allow %v", c, d, w)
		}
		if w.Prerelease() == "" && c.Allows(w) && d.Allows(w) && !joined.Allows(w) {
			t.Errorf("%q and %q together do not allow %v", c, d, w)
		}
		if config, err := addrs.ParseConfigConstraints(a); err == nil && config != c {
			t.Errorf("%q: %q in the configuration, %q in a lock file", a, config, c)
		}
	})
}

// FuzzModuleSource checks the laws of module sources.
func FuzzModuleSource(f *testing.F) {
	for i, tt := range moduleSourceTests {
		f.Add(tt.in, moduleSourceTests[(i+5)%len(moduleSourceTests)].in)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		checkAll(t, addrs.ParseModuleSource, a, b, "./x")
		m, err := addrs.ParseModuleSource(a)
		n, err2 := addrs.ParseModuleSource(b)
		if err != nil || err2 != nil {
			return
		}
		if s := m.Subdir(); s == ".." || strings.HasPrefix(s, "../") {
			t.Errorf("%q leads out of its package: %q", a, s)
		}
		if r, err := m.Resolve(n); err == nil && !r.IsValid() {
			t.Errorf("%q in %q is not valid", b, a)
		}
	})
}
