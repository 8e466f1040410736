// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

func recordedInstances(t testing.TB, name string) *plangraph.Instances {
	t.Helper()
	src, err := os.ReadFile("testdata/graphs/" + name + ".plan.json")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planjson.DecodePlan(src)
	if err != nil {
		t.Fatal(err)
	}
	return plangraph.NewInstances(plan, plangraph.InstancesOptions{})
}

func texts(ops []*plangraph.Operation) (s []string) {
	for _, o := range ops {
		s = append(s, string(o.Action)+" "+strings.TrimPrefix(o.Address, "terraform_data."))
	}
	return s
}

// The configurations say create_before_destroy for a and d, and c and what d
// refers to must follow; the order was read off the messages of the tool.
func TestOperations(t *testing.T) {
	for name, want := range map[string][]string{
		"create-before/2": {"create a", "update b", "create c", "create d", "delete d", "delete c", "delete a"},
		"replace-chain/2": {"delete c[0]", "delete c[1]", "delete b", "delete a", "create a", "create b", "create c[0]", "create c[1]", "update d"},
		"replace-chain/3": {"delete d", "delete c[0]", "delete c[1]", "delete b", "delete a"},
	} {
		ops := recordedInstances(t, name).Operations()
		got := texts(ops)
		// Operations that do not wait for each other may be in any order.
		slices.Sort(got)
		sorted := slices.Sorted(slices.Values(want))
		if diff := cmp.Diff(sorted, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		at := func(text string) int { return slices.Index(texts(ops), text) }
		for i := 1; i < len(want); i++ {
			if strings.Contains(want[i-1], "[") || want[i-1] == "update b" || want[i] == "update b" {
				continue
			}
			if at(want[i-1]) > at(want[i]) {
				t.Errorf("%s: %s is after %s", name, want[i-1], want[i])
			}
		}
	}
}

// The order is the same each time.
func TestOperations_sameOrder(t *testing.T) {
	plans, err := filepath.Glob("testdata/graphs/*/*.plan.json")
	if err != nil || len(plans) == 0 {
		t.Fatal("no plans")
	}
	order := func(name string) (all []string) {
		for _, o := range recordedInstances(t, name).Operations() {
			line := string(o.Action) + " " + o.Address + o.Deposed + " after"
			for before := range o.After() {
				line += " " + string(before.Action) + " " + before.Address
			}
			all = append(all, line)
		}
		return all
	}
	for _, name := range plans {
		name = strings.TrimSuffix(filepath.ToSlash(name)[len("testdata/graphs/"):], ".plan.json")
		want := order(name)
		for range 5 {
			if diff := cmp.Diff(want, order(name)); diff != "" {
				t.Fatalf("%s: %s", name, diff)
			}
		}
	}
}

func TestCriticalPath(t *testing.T) {
	x := recordedInstances(t, "replace-chain/2")
	took := map[string]time.Duration{"delete c[1]": 5, "delete c[0]": 2, "create a": 3, "create c[0]": 4, "create c[1]": 1}
	path := plangraph.CriticalPath(x.Operations(), func(o *plangraph.Operation) time.Duration {
		return took[string(o.Action)+" "+strings.TrimPrefix(o.Address, "terraform_data.")]
	})
	want := []string{"delete c[1]", "delete b", "delete a", "create a", "create b", "create c[0]", "update d"}
	got := texts(path)
	if len(got) == len(want)-1 { // the last operation takes no time
		want = want[:len(want)-1]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if plangraph.CriticalPath(nil, nil) != nil {
		t.Error("nothing takes a while")
	}
}

func TestImpact(t *testing.T) {
	x := recordedInstances(t, "replace-chain/2")
	var got []string
	for e := range x.Impact(x.Instance("var.gen")) {
		s := e.Link.From.Address + "." + e.Link.At
		if e.Replaces {
			s += " is replaced"
		}
		got = append(got, s)
	}
	want := []string{
		"terraform_data.a.triggers_replace is replaced", "terraform_data.b.triggers_replace is replaced",
		"terraform_data.c[0].triggers_replace is replaced", "terraform_data.c[1].triggers_replace is replaced",
		"terraform_data.d.input",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// An instance that does not change has no effect, and is not an effect.
	for e := range recordedInstances(t, "conditions/2").Impact(x.Instance("terraform_data.d")) {
		t.Errorf("%s changes", e.Link.From.Address)
	}
}

// A plan does not have replace_triggered_by: with its references, the order and the
// impact know it.
func TestTriggers(t *testing.T) {
	src, err := os.ReadFile("testdata/graphs/triggered-by/2.plan.json")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planjson.DecodePlan(src)
	if err != nil {
		t.Fatal(err)
	}
	effects := func(x *plangraph.Instances) string {
		var s []string
		for e := range x.Impact(x.Instance("terraform_data.a")) {
			s = append(s, fmt.Sprint(e.Link.From.Address, ".", e.Link.At, " ", e.Replaces, " ", e.Link.Certain))
		}
		return strings.Join(s, ", ")
	}
	if got := effects(plangraph.NewInstances(plan, plangraph.InstancesOptions{})); got != "" {
		t.Errorf("without the references: %s", got)
	}
	for _, row := range []struct{ refs, want string }{
		{"terraform_data.a", "terraform_data.b.replace_triggered_by true true, terraform_data.c.input false true"},
		{"terraform_data.a each.key", "terraform_data.b.replace_triggered_by true true, terraform_data.c.input false true"},
		{"terraform_data.none var.gen x", ""},
	} {
		x := plangraph.NewInstances(plan, plangraph.InstancesOptions{Triggers: map[string]map[string][]string{"": {"terraform_data.b": strings.Fields(row.refs)}}})
		if got := effects(x); got != row.want {
			t.Errorf("%s: got %s, want %s", row.refs, got, row.want)
		}
		if row.want == "" {
			continue
		}
		waits := false
		for _, o := range x.Operations() {
			if o.Address == "terraform_data.b" && o.Action == planjson.ActionCreate {
				for before := range o.After() {
					waits = waits || before.Address == "terraform_data.a"
				}
			}
		}
		if !waits {
			t.Error("the replacement does not wait for what triggers it")
		}
	}
	// A trigger with an index that is computed can be any instance.
	if src, err = os.ReadFile("testdata/graphs/splat/1.plan.json"); err != nil {
		t.Fatal(err)
	}
	if plan, err = planjson.DecodePlan(src); err != nil {
		t.Fatal(err)
	}
	x := plangraph.NewInstances(plan, plangraph.InstancesOptions{Triggers: map[string]map[string][]string{"": {"terraform_data.first": {"terraform_data.a", "count.index"}}}})
	n := 0
	for l := range x.Needs(x.Instance("terraform_data.first"), "") {
		if l.At == "replace_triggered_by" {
			if n++; l.Certain {
				t.Errorf("%s is certain", l.To.Address)
			}
		}
	}
	if n != 3 {
		t.Errorf("%d links", n)
	}
}

func TestReferring(t *testing.T) {
	x := recordedInstances(t, "splat/1")
	var got []string
	for l := range x.Referring(x.Instance("terraform_data.a[0]"), "terraform_data") {
		s := l.From.Address
		if !l.Certain {
			s += "?"
		}
		got = append(got, s)
	}
	want := []string{"terraform_data.all", "terraform_data.both", "terraform_data.first", "terraform_data.fors"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for l := range x.Referring(x.Instance("terraform_data.a[0]"), "null_resource") {
		t.Errorf("%s refers", l.From.Address)
	}
}
