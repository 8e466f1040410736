// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// edit makes the edit that a command line of the tools stands for.
func edit(t *testing.T, f *statefile.File, tool string, args []string) error {
	t.Helper()
	provider := func(s string) addrs.Provider {
		if strings.Count(s, "/") < 2 && tool == "terraform" {
			s = "registry.terraform.io/" + s
		}
		return addrs.MustParseProvider(s)
	}
	switch args[0] {
	case "mv":
		return f.Move(addrs.MustParseTarget(args[1]), addrs.MustParseTarget(args[2]))
	case "rm":
		var targets []addrs.Target
		for _, a := range args[1:] {
			targets = append(targets, addrs.MustParseTarget(a))
		}
		return f.Remove(targets...)
	case "taint":
		return f.SetTainted(addrs.MustParseAbsResourceInstance(args[1]), true)
	case "untaint":
		return f.SetTainted(addrs.MustParseAbsResourceInstance(args[1]), false)
	case "replace-provider":
		_, err := f.ReplaceProvider(provider(args[1]), provider(args[2]))
		return err
	}
	t.Fatal(args)
	return nil
}

// TestEdits compares edits with what Terraform 1.11.4 and OpenTofu 1.12.6 made of the
// same states, except for the release that they put in.
func TestEdits(t *testing.T) {
	packed, err := os.ReadFile("testdata/edits.jsonl.gz")
	must(err)
	r, err := gzip.NewReader(bytes.NewReader(packed))
	must(err)
	lines := json.NewDecoder(r)
	var state []byte
	n := 0
	for lines.More() {
		var line struct {
			Tool, Text string
			Args       []string
			Exit       int
		}
		must(lines.Decode(&line))
		if len(line.Args) == 0 {
			state = []byte(line.Text)
			continue
		}
		n++
		f, err := statefile.Decode(bytes.Clone(state))
		must(err)
		err = edit(t, f, line.Tool, line.Args)
		if (err != nil) != (line.Exit != 0) || err != nil && !errors.Is(err, statefile.ErrRefused) {
			t.Errorf("%s %v: got %v, but exit status %d", line.Tool, line.Args, err, line.Exit)
			continue
		}
		want := line.Text
		if want == "" {
			want = string(state)
		}
		if out, err := statefile.Encode(f); err != nil || string(out) != want {
			t.Errorf("%s %v: %v, got\n%s\nwant\n%s", line.Tool, line.Args, err, out, want)
		}
	}
	if n < 80 {
		t.Errorf("only %d edits", n)
	}
}

// TestProviderOfInstances moves instances between resources of which one has an own
// provider configuration for each instance.
func TestProviderOfInstances(t *testing.T) {
	const host = `provider[\"registry.opentofu.org/hashicorp/aws\"]`
	res := func(name, provider, instances string) string {
		return `{"mode":"managed","type":"t","name":"` + name + `",` + provider + `"instances":[` + instances + `]}`
	}
	in := func(key, region string) string {
		return `{"index_key":"` + key + `","provider":"` + host + `.by[\"` + region + `\"]","schema_version":0}`
	}
	f, err := statefile.Decode([]byte(state(res("a", "", in("x", "eu")+","+in("y", "us")) + "," + res("b", `"provider":"`+host+`.by",`, `{"index_key":"z","schema_version":0}`))))
	must(err)
	must(f.Move(addrs.MustParseTarget(`t.a["y"]`), addrs.MustParseTarget(`t.b["w"]`)))
	out, err := statefile.Encode(f)
	must(err)
	want := state(res("a", "", in("x", "eu")) + "," + res("b", "", in("w", "us")+`,{"index_key":"z","provider":"`+host+`.by","schema_version":0}`))
	want = strings.Replace(want, `"serial":1`, `"serial":2`, 1)
	if string(out) != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

func TestSetOutput(t *testing.T) {
	f, err := statefile.Decode([]byte(text))
	must(err)
	must(f.SetOutput("o", cty.NumberIntVal(1).Mark("x"), true))
	if f.Serial != 8 || string(f.Outputs["o"].Value) != "1" || string(f.Outputs["o"].Type) != `"number"` || !f.Outputs["o"].Sensitive {
		t.Errorf("%d %+v", f.Serial, f.Outputs["o"])
	}
	must(f.SetOutput("o", cty.NumberIntVal(1), true))
	if f.Serial != 8 {
		t.Error("the same value again is a change")
	}
	must(f.SetOutput("o", cty.NilVal, false))
	out, err := statefile.Encode(f)
	must(err)
	if want := strings.Replace(text, `"serial": 7`, `"serial": 9`, 1); string(out) != want {
		t.Errorf("after removing it again: %s", out)
	}
	if err := f.SetOutput("o", cty.UnknownVal(cty.String), false); err == nil || f.Serial != 9 {
		t.Errorf("unknown: %v", err)
	}
	if err := f.SetOutput("o", cty.DynamicVal, false); err == nil {
		t.Error("any unknown value is accepted")
	}
}

// TestSerialAtTheEnd gives a state whose serial is the largest there is.
func TestSerialAtTheEnd(t *testing.T) {
	f, err := statefile.Decode([]byte(strings.Replace(text, `"serial": 7`, `"serial": 18446744073709551615`, 1)))
	must(err)
	if err := f.SetTainted(addrs.MustParseAbsResourceInstance("terraform_data.token[0]"), true); !errors.Is(err, statefile.ErrRefused) {
		t.Errorf("got %v", err)
	}
}

// TestEditsOfNothing edits what is nil, and asks for moves to what cannot be.
func TestEditsOfNothing(t *testing.T) {
	target, instance := addrs.MustParseTarget("t.a"), addrs.MustParseAbsResourceInstance("t.a")
	for _, f := range []*statefile.File{nil, {Resources: []*statefile.Resource{nil}}, {Resources: []*statefile.Resource{{Instances: []*statefile.InstanceObject{nil}}}}} {
		_, replaced := f.ReplaceProvider(addrs.MustParseProvider("a/b"), addrs.MustParseProvider("a/c"))
		for what, err := range map[string]error{"mv": f.Move(target, target), "rm": f.Remove(target), "taint": f.SetTainted(instance, true), "output": f.SetOutput("o", cty.True, false), "replace-provider": replaced} {
			if !errors.Is(err, statefile.ErrAbsent) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	f, err := statefile.Decode([]byte(state(strings.Replace(resource(`{"index_key":0,"schema_version":0}`), "terraform_data", "t", 1))))
	must(err)
	for _, to := range []string{"module.m", "u.a", "data.t.a", "t.b[0]", "t.a"} {
		if err := f.Move(target, addrs.MustParseTarget(to)); !errors.Is(err, statefile.ErrRefused) || f.Serial != 1 {
			t.Errorf("to %s: %v", to, err)
		}
	}
	if err := f.Move(addrs.Target{}, target); !errors.Is(err, statefile.ErrRefused) || f.Serial != 1 {
		t.Errorf("from nothing: %v", err)
	}
	made := new(statefile.File)
	if err := made.SetOutput("o", cty.True, false); err != nil || made.Serial != 1 || string(made.Outputs["o"].Value) != "true" {
		t.Errorf("an output of an empty state: %v", err)
	}
}

// TestProviderOfAll removes an instance: the others have one provider configuration
// without a key, which is then that of the resource.
func TestProviderOfAll(t *testing.T) {
	const provider = `"provider":"provider[\"a.b/c/d\"]",`
	f, err := statefile.Decode([]byte(state(`{"mode":"managed","type":"t","name":"a","instances":[{"index_key":0,` + provider + `"schema_version":0},{"index_key":1,` + provider + `"schema_version":0}]}`)))
	must(err)
	must(f.Remove(addrs.MustParseTarget("t.a[0]")))
	want := strings.Replace(state(`{"mode":"managed","type":"t","name":"a",`+provider+`"instances":[{"index_key":1,"schema_version":0}]}`), `"serial":1`, `"serial":2`, 1)
	if out, err := statefile.Encode(f); err != nil || string(out) != want {
		t.Errorf("got %s, %v", out, err)
	}
}
