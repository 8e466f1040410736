// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// constraintTests are constraints and their normal form. If config is false,
// they are accepted in lock files, but not in the configuration.
var constraintTests = []struct {
	in, want string
	config   bool
}{
	{"", "", false},
	{" ", "", false},
	{"1.0", "1.0.0", true},
	{"= 1.0", "1.0.0", true},
	{"=1.0.0", "1.0.0", true},
	{">=1.0", ">= 1.0.0", true},
	{">= 01.0", ">= 1.0.0", true},
	{">= 1.0.", ">= 1.0.0", false},
	{">=1.0,", ">= 1.0.0", false},
	{"~> 1", "~> 1.0", true},
	{"~> 1.2", "~> 1.2", true},
	{"~>1.2.3", "~> 1.2.3", true},
	{"~> 1-beta", "~> 1.0-beta", true},
	{"~> 1.2-beta", "~> 1.2-beta", true},
	{"<2.0,>1.0", "> 1.0.0, < 2.0.0", true},
	{"< 2.0, > 1.0, < 2.0.0", "> 1.0.0, < 2.0.0", true},
	{">= 2.0.0, >= 2.0", ">= 2.0.0", true},
	{">= 3.10, < 5.0, >= 4", ">= 3.10.0, >= 4.0.0, < 5.0.0", true},
	{"~> 1.2.3, ~> 1.2", "~> 1.2, ~> 1.2.3", true},
	{"!=1.0.0,>=0.9", ">= 0.9.0, != 1.0.0", true},
	{
		"!= 2, < 2, <= 2, ~> 2, ~> 2.0.0, = 2, >= 2, > 2",
		"> 2.0.0, >= 2.0.0, 2.0.0, ~> 2.0.0, ~> 2.0, <= 2.0.0, < 2.0.0, != 2.0.0", true,
	},
	{">= 1.0.0, >= 1.0.0-beta", ">= 1.0.0-beta, >= 1.0.0", true},
	{">= 1.0.0+b, >= 1.0.0+a", ">= 1.0.0+a, >= 1.0.0+b", true},
	{">= 1.0.0+a, >= 1.0.0", ">= 1.0.0, >= 1.0.0+a", true},
	// The order of OpenTofu: fewer identifiers first.
	{">= 1.0.0-beta.1, >= 1.0.0-rc", ">= 1.0.0-rc, >= 1.0.0-beta.1", true},
	{">= 1.0.0-rc2, >= 1.0.0-rc10", ">= 1.0.0-rc10, >= 1.0.0-rc2", true},
	{">= 1.0 ,< 2.0", ">= 1.0.0, < 2.0.0", true},
	{"\t>= 1.0 ", ">= 1.0.0", true},
	{"\v>= 1.0", ">= 1.0.0", false},
	{"\u00a0>= 1.0", ">= 1.0.0", false},
	{"1.0.0-", "1.0.0", true},
	{"1.0.0+", "1.0.0", false},
	{"1.0.0-a..b", "1.0.0-a..b", false},
	{"1.0.0-.a", "1.0.0-.a", true},
	{"1.0.0+.a", "1.0.0+.a", false},
	{"9223372036854775807.0", "9223372036854775807.0.0", true},
	{"9223372036854775808.0", "9223372036854775808.0.0", false},
	{">= 18446744073709551616", ">= 18446744073709551616.0.0", false},
	{"~> 99999999999999999999.9", "~> 99999999999999999999.9", false},
}

// constraintErrors are refused everywhere.
var constraintErrors = []string{
	"==1.0", "=> 1.0", "=< 1.0", "^1", "~1", "~ 1", "!1", "<>1", "≥ 1", "1 || 2",
	"1.0 - 2.0", "1.x", "1.*", "*", ">=  1", ">=\t1", "v1.0", ">= v1.0", "= V1", "1.2.3.4", ">=", ">= ,", "~> , < 2",
	",>=1", ",,", "1,,2", "> ,", ">= 1.0 < 2.0", "latest", "1.-1", `"1.0.0"`, ">=1;<2", "1.0a", "\xff",
}

func TestConstraints(t *testing.T) {
	for _, tt := range constraintTests {
		c, ok := checkParse(t, addrs.ParseConstraints, tt.in)
		if !ok || c.String() != tt.want {
			_, err := addrs.ParseConstraints(tt.in)
			t.Errorf("ParseConstraints(%q) = %q, %v, want %q", tt.in, c, err, tt.want)
		}
		config, err := addrs.ParseConfigConstraints(tt.in)
		if (err == nil) != tt.config {
			t.Errorf("ParseConfigConstraints(%q) = %q, %v", tt.in, config, err)
		}
		if err == nil && config != c {
			t.Errorf("%q: %q in the configuration, %q in a lock file", tt.in, config, c)
		}
	}
	for _, in := range constraintErrors {
		if c, ok := checkParse(t, addrs.ParseConstraints, in); ok {
			t.Errorf("ParseConstraints(%q) = %q", in, c)
		}
		if c, err := addrs.ParseConfigConstraints(in); err == nil {
			t.Errorf("ParseConfigConstraints(%q) = %q", in, c)
		}
	}
}

// allowTests are the cases in which the libraries for versions differ; here
// they have the meaning for providers.
var allowTests = []struct {
	constraints string
	yes, no     []string
}{
	{"", []string{"0.0.1", "1.0.0", "1.0.0+x"}, []string{"0.0.0", "1.0.0-beta"}},
	{"~> 1", []string{"1.0.0", "1.99.0"}, []string{"2.0.0", "0.9.0", "1.5.0-beta", "2.0.0-beta"}},
	{"~> 1.2", []string{"1.2.0", "1.99.0"}, []string{"2.0.0", "1.1.9"}},
	{"~> 1.2.3", []string{"1.2.3", "1.2.99"}, []string{"1.3.0", "1.2.2"}},
	{"~> 1.9.9", []string{"1.9.10"}, []string{"1.10.0"}},
	{"~> 9", []string{"9.1.0"}, []string{"10.0.0"}},
	{"~> 99999999999999999999", []string{"99999999999999999999.1.0"}, []string{"100000000000000000000.0.0"}},
	{">= 1.1.0-alpha", []string{"1.1.0", "2.0.0"}, []string{"1.1.0-beta", "1.1.0-alpha", "1.0.9"}},
	{"~> 1.1.0-alpha", []string{"1.1.0", "1.1.5"}, []string{"1.1.0-beta", "1.2.0"}},
	{">= 1.0.0, 1.1.0-beta", []string{"1.1.0-beta"}, []string{"1.1.0", "1.1.0-alpha"}},
	{"1.0.0-a, 1.0.0-b", nil, []string{"1.0.0-a", "1.0.0-b", "1.0.0"}},
	{"1.0.0-a, != 1.0.0-a", nil, []string{"1.0.0-a"}},
	{"= 1.0.0", []string{"1.0.0"}, []string{"1.0.0+x", "1.0.0-x"}},
	{"= 1.0.0+x", []string{"1.0.0+x"}, []string{"1.0.0", "1.0.0+y"}},
	{"!= 1.0.0", []string{"1.0.0+x", "1.0.1"}, []string{"1.0.0", "1.0.0-beta", "0.0.0"}},
	{"!= 1.0.0+x", []string{"1.0.0"}, []string{"1.0.0+x"}},
	{">= 1.0.0+x", []string{"1.0.0", "1.0.0+a"}, []string{"0.9.0"}},
	{"> 1.0.0+x", nil, []string{"1.0.0+y", "1.0.0"}},
	{"> 1, < 1", nil, []string{"1.0.0"}},
	{"0.0.0", nil, []string{"0.0.0"}},
	{"< 1", []string{"0.0.1"}, []string{"0.0.0", "1.0.0", "1.0.0-beta"}},
	{"<= 1", []string{"1.0.0", "1.0.0+x"}, []string{"1.0.1"}},
	// By the precedence of OpenTofu rc comes before beta.1.
	{">= 1.0.0-rc, 1.0.0-beta.1", []string{"1.0.0-beta.1"}, nil},
	{">= 1.0.0-beta.1, 1.0.0-rc", nil, []string{"1.0.0-rc"}},
}

func TestAllows(t *testing.T) {
	for _, tt := range allowTests {
		c := addrs.MustParseConstraints(tt.constraints)
		for _, v := range tt.yes {
			if !c.Allows(addrs.MustParseVersion(v)) {
				t.Errorf("%q does not allow %s", tt.constraints, v)
			}
		}
		for _, v := range tt.no {
			if c.Allows(addrs.MustParseVersion(v)) {
				t.Errorf("%q allows %s", tt.constraints, v)
			}
		}
	}
}

func TestConstraintParts(t *testing.T) {
	for _, tt := range []struct {
		in      string
		op      addrs.Operator
		version string
	}{
		{"1.0", addrs.OpEqual, "1.0.0"},
		{"!= 1", addrs.OpNotEqual, "1.0.0"},
		{"> 1.2.3-a+b", addrs.OpGreater, "1.2.3-a+b"},
		{">= 1", addrs.OpGreaterOrEqual, "1.0.0"},
		{"< 1", addrs.OpLess, "1.0.0"},
		{"<= 1", addrs.OpLessOrEqual, "1.0.0"},
		{"~> 1", addrs.OpPessimistic, "1.0.0"},
	} {
		c := one(tt.in)
		if c.Operator() != tt.op || c.Version().String() != tt.version {
			t.Errorf("%q: %q, %q", tt.in, c.Operator(), c.Version())
		}
		if c.Allows(c.Version()) != (tt.op == addrs.OpEqual || tt.op == addrs.OpGreaterOrEqual || tt.op == addrs.OpLessOrEqual || tt.op == addrs.OpPessimistic) {
			t.Errorf("%q: wrong about %v", tt.in, c.Version())
		}
	}
	c := addrs.MustParseConstraints("< 3, >= 1")
	if got := slices.Collect(c.All()); !slices.Equal(got, []addrs.Constraint{one(">= 1"), one("< 3")}) {
		t.Errorf("All: %v", got)
	}
	for range c.All() {
		break // must be possible
	}
	joined := addrs.JoinConstraints(c, addrs.Constraints{}, addrs.MustParseConstraints("!= 2, >= 1.0"))
	if joined.String() != ">= 1.0.0, != 2.0.0, < 3.0.0" || joined.IsEmpty() || !addrs.JoinConstraints().IsEmpty() {
		t.Errorf("joined: %q", joined)
	}
}

// TestConstraintRecordings compares with what the tools accepted, chose and
// wrote into lock files.
func TestConstraintRecordings(t *testing.T) {
	var offered []addrs.Version
	for _, v := range []string{
		"2.1.0-rc1", "0.0.1", "0.9.10", "1.0.0-beta.2", "1.10.0", "1.0.0", "1.0.1", "1.2.0", "1.2.3", "2.0.0", "10.0.0",
	} {
		offered = append(offered, addrs.MustParseVersion(v))
	}
	f, err := os.Open("testdata/constraints.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var row struct {
			Tool              string         `json:"tool"`
			Constraints       []*string      `json:"constraints"`
			ExitCode          int            `json:"exit_code"`
			SyntaxError       bool           `json:"syntax_error"`
			LockedVersion     *addrs.Version `json:"locked_version"`
			LockedConstraints string         `json:"locked_constraints"`
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		var lists []addrs.Constraints
		var failed error
		for _, s := range row.Constraints {
			if s == nil { // a module without constraint
				continue
			}
			c, err := addrs.ParseConfigConstraints(*s)
			if err != nil {
				failed = err
			}
			lists = append(lists, c)
		}
		if (failed != nil) != row.SyntaxError {
			t.Errorf("%s: error %v", lines.Text(), failed)
		}
		if failed != nil {
			continue
		}
		all := addrs.JoinConstraints(lists...)
		newest, ok := all.Newest(slices.Values(offered))
		if ok != (row.ExitCode == 0) {
			t.Errorf("%s: newest is %v, %v", lines.Text(), newest, ok)
		}
		if row.ExitCode == 0 && (newest != *row.LockedVersion || all.String() != row.LockedConstraints) {
			t.Errorf("%s: got %v with %q", lines.Text(), newest, all)
		}
	}
	if n != 140 {
		t.Errorf("%d rows", n)
	}
}

// TestNewest checks that versions of equal precedence are chosen from in the
// same way, whatever order they come in.
func TestNewest(t *testing.T) {
	versions := []addrs.Version{
		addrs.MustParseVersion("1.0.0+b"), addrs.MustParseVersion("1.0.0"), addrs.MustParseVersion("1.0.0+c"),
		addrs.MustParseVersion("1.0.0+a"), addrs.MustParseVersion("0.9.0"), addrs.MustParseVersion("2.0.0-rc"),
	}
	c := addrs.MustParseConstraints("> 0.9")
	for range versions {
		versions = append(versions[1:], versions[0])
		if v, ok := c.Newest(slices.Values(versions)); !ok || v.String() != "1.0.0+c" {
			t.Errorf("newest of %v is %v, %v", versions, v, ok)
		}
	}
	if v, ok := c.Newest(slices.Values([]addrs.Version{{}})); ok {
		t.Errorf("newest of nothing is %v", v)
	}
}

// Modules have rules of their own.
func TestParseModuleConstraints(t *testing.T) {
	for in, want := range map[string]string{
		"~> 1":                       ">= 1.0.0",
		"~>  v1 , != 1.4":            ">= 1.0.0, != 1.4.0",
		"~> 1.0":                     "~> 1.0",
		"~> 1-beta":                  "~> 1.0-beta",
		" =\tv1.2.3 ":                "1.2.3",
		"v1":                         "1.0.0",
		"1.0.0-rc1":                  "1.0.0-rc1",
		" =v1.0.0-rc1 ":              "1.0.0-rc1",
		"1.0-rc1":                    "1.0.0-rc1",
		"= 1.0.0-rc1":                "1.0.0-rc1, != 1.0.0-rc1",
		"1.0.0-rc1,1.0.0-rc1":        "1.0.0-rc1, != 1.0.0-rc1",
		"= 1.0.0-rc1, >= 1.0.0":      "1.0.0-rc1, >= 1.0.0",
		">= 1.0.0-rc1, >= 1.0.0-rc1": ">= 1.0.0-rc1",
		"= 1.0.0":                    "1.0.0",
	} {
		c, err := addrs.ParseModuleConstraints(in)
		if err != nil || c.String() != want {
			t.Errorf("%q: got %q, %v; want %q", in, c, err, want)
		}
		if back, err := addrs.ParseConstraints(c.String()); err != nil || back != c {
			t.Errorf("%q: %q is not in normal form", in, c)
		}
	}
	for in, offset := range map[string]int64{
		"": 0, ">= 1,": 5, "1, , 2": 3, "== 1": 0, "V1": 0, "vv1": 0, "1.0.0.0": 0, ">= 1.0,  ~> x": 9, "= = 1": 0, "1 2": 0, "\u00a01": 0, "1.0.": 0, "v>=1": 0, "= v 1": 0, "v 1": 0,
	} {
		c, err := addrs.ParseModuleConstraints(in)
		var e *addrs.Error
		if !errors.As(err, &e) || e.Offset != offset || e.Input != in || c != (addrs.Constraints{}) {
			t.Errorf("%q: got %q, %v; want offset %d", in, c, err, offset)
		}
	}
}

// one returns the only constraint in a text.
func one(s string) addrs.Constraint {
	list := slices.Collect(addrs.MustParseConstraints(s).All())
	if len(list) != 1 {
		panic(s)
	}
	return list[0]
}
