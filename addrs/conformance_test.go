// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// TestConformance_roundTrip has the addresses that any parser and printer of
// OpenTofu's syntax must bring back as they are.
func TestConformance_roundTrip(t *testing.T) {
	for _, in := range []string{
		`module.a`, `module.a["x"].module.b[0]`, `module.a["x"].data.t.n[0]`, `t.n[""]`, `t.n["a\"b\\c"]`,
		`t.n["$${x}"]`, `t.n["%%{if}"]`, `t.n["$$$${"]`, `t.n["a.b[0]"]`, `t.n["é"]`, `t.n["\u00a0"]`,
		`t.n["\U000e0001"]`, `t.n["line\nbreak"]`, `t.n[9223372036854775807]`, `ephemeral.t.n`,
		`data.data.data`, `_t._n`, `t-x.n-y["k"]`, `té.ñ`,
	} {
		if !slices.Contains(normalAddresses, in) {
			t.Errorf("%s is not in the table of normal forms", in)
		}
		a, err := addrs.ParseTarget(in)
		if err != nil || a.String() != in {
			t.Errorf("%s gives %v, %v", in, a, err)
		}
	}
	if root, err := addrs.ParseModuleInstance(""); err != nil || !root.IsRoot() {
		t.Errorf("the root module: %v, %v", root, err)
	}
}

// TestConformance_distinctTypes checks that the kinds of addresses are types of
// their own, each a comparable value of moderate size.
func TestConformance_distinctTypes(t *testing.T) {
	for _, v := range []any{
		addrs.InstanceKey{}, addrs.Module{}, addrs.ModuleInstance{}, addrs.Mode(""), addrs.Resource{},
		addrs.ConfigResource{}, addrs.AbsResource{}, addrs.AbsResourceInstance{},
		addrs.Target{},
		addrs.AbsProviderConfig{}, addrs.Reference{},
		addrs.Step{}, addrs.Checkable{}, addrs.Provider{}, addrs.Version{}, addrs.Constraint{},
		addrs.Constraints{}, addrs.Platform{}, addrs.ModuleSource{}, addrs.Hash(""),
	} {
		typ := reflect.TypeOf(v)
		if !typ.Comparable() {
			t.Errorf("%v is not comparable", typ)
		}
		if typ.Size() > 96 {
			t.Errorf("%v has %d bytes", typ, typ.Size())
		}
		if typ.Kind() == reflect.Struct {
			for i := range typ.NumField() {
				if typ.Field(i).IsExported() {
					t.Errorf("%v has the exported field %s", typ, typ.Field(i).Name)
				}
			}
		}
	}
}

// TestConformance_kinds checks that texts which do not tell the kind of an address
// give equal texts, but values of the kind that was asked for.
func TestConformance_kinds(t *testing.T) {
	const in = "module.m.t.n"
	config := addrs.MustParseConfigResource(in)
	resource := addrs.MustParseAbsResource(in)
	instance := addrs.MustParseAbsResourceInstance(in)
	if config.String() != in || resource.String() != in || instance.String() != in {
		t.Errorf("%v, %v, %v", config, resource, instance)
	}
	if resource.Instance(addrs.NoKey) != instance || instance.AbsResource() != resource || instance.Config() != config {
		t.Error("the kinds do not lead to each other")
	}
}

// TestConformance_crashes has numbers that make OpenTofu crash: those above 2^64 in
// versions and constraints.
func TestConformance_crashes(t *testing.T) {
	big := "18446744073709551616"
	for _, n := range []string{big, big + big, strings.Repeat("9", 300)} {
		v, err := addrs.ParseVersion(n)
		if err != nil || v.String() != n+".0.0" {
			t.Errorf("version of %d digits: %v", len(n), err)
		}
		for _, op := range []string{"", "= ", "!= ", "> ", ">= ", "< ", "<= ", "~> "} {
			c, err := addrs.ParseConstraints(op + n)
			if err != nil {
				t.Errorf("%s constraint of %d digits: %v", op, len(n), err)
			}
			c.Allows(v)
		}
		c := addrs.MustParseConstraints("~> " + n + "." + n)
		if !c.Allows(addrs.MustParseVersion(n+"."+n+".1")) || c.Allows(addrs.MustParseVersion("1"+n)) {
			t.Errorf("~> with %d digits is wrong", len(n))
		}
	}
}

// TestConformance_versions checks what must hold for the choice of versions.
func TestConformance_versions(t *testing.T) {
	if addrs.MustParseVersion("0.0.0") == (addrs.Version{}) {
		t.Error("0.0.0 is no version")
	}
	rc, beta := addrs.MustParseVersion("1.0.0-rc"), addrs.MustParseVersion("1.0.0-beta.1")
	if rc.Compare(beta) <= 0 {
		t.Error("1.0.0-rc comes before 1.0.0-beta.1")
	}
	a, b := addrs.MustParseVersion("1.0.0+a"), addrs.MustParseVersion("1.0.0+b")
	for _, list := range [][]addrs.Version{{a, b}, {b, a}} {
		if v, _ := (addrs.Constraints{}).Newest(slices.Values(list)); v != b {
			t.Errorf("newest of %v is %v", list, v)
		}
	}
}
