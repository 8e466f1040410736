// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package planreport

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/internal/testing/browsertest"
	"github.com/tofuwire/tofuwire/planjson"
)

// shown returns the addresses of the changes that are to be seen.
func shown(b *browsertest.Browser) string {
	s, _ := b.Eval(`[...document.querySelectorAll("#changes details[data-address]")].filter((d) => d.offsetHeight > 0).map((d) => d.dataset.address).join(" ")`).(string)
	return s
}

const (
	evilKey  = "</script><script>window.hacked=1</script>\"'\n\u202e&<img src=x onerror=hacked()>"
	evilText = "<svg onload=\"window.hacked=2\">\u2028'\"</pre></details>"
)

// browserPlan has a change of every class, a graph, and hostile names.
func browserPlan(t *testing.T) string {
	t.Helper()
	p := &planjson.Plan{FormatVersion: "1.2", TerraformVersion: "<1.12.6>", Timestamp: "2026-01-01T00:00:00Z", Errored: true}
	add := func(address, typ, name string, before, after any, actions ...planjson.Action) *planjson.ResourceChange {
		rc := &planjson.ResourceChange{Address: address, Mode: "managed", Type: typ, Name: name, ProviderName: "p", Change: planjson.Change{Actions: actions, AfterUnknown: planjson.Value("{}")}}
		for _, x := range []struct {
			to *planjson.Value
			v  any
		}{{&rc.Change.Before, before}, {&rc.Change.After, after}} {
			v, err := planjson.ValueOf(x.v)
			if err != nil {
				t.Fatal(err)
			}
			*x.to = v
		}
		p.ResourceChanges = append(p.ResourceChanges, rc)
		return rc
	}
	type object = map[string]any
	text := strings.Repeat("a long line of text ", 12)
	add("aws_network.main", "aws_network", "main", nil, object{"cidr": "10.0.0.0/16", "note": text}, planjson.ActionCreate)
	add(fmt.Sprintf("aws_subnet.each[%q]", evilKey), "aws_subnet", "each", object{"id": "s-1", "zone": "a", "tags": object{"Env": "prod"}}, object{"id": "s-1", "zone": "b", "tags": object{"Env": "prod", evilText: evilKey}}, planjson.ActionUpdate)
	add(`aws_subnet.each["plain"]`, "aws_subnet", "each", object{"id": "s-2", "zone": "a"}, object{"id": "s-2", "zone": "c"}, planjson.ActionUpdate)
	replaced := add("module.web.aws_instance.web[0]", "aws_instance", "web", object{"ami": "ami-1", "policy": `{"a":[1,2]}`, "script": "#!/bin/sh\necho one\necho two\n"}, object{"ami": "ami-2", "policy": `{"a":[1,3]}`, "script": "#!/bin/sh\necho one\necho 2\n"}, planjson.ActionDelete, planjson.ActionCreate)
	replaced.Change.ReplacePaths = []planjson.Value{planjson.Value(`["ami"]`)}
	add("aws_db.old", "aws_db", "old", object{"name": "old", "size": 5}, nil, planjson.ActionDelete)
	add("data.aws_ami.latest", "aws_ami", "latest", nil, object{"filter": "x"}, planjson.ActionRead).Mode = "data"
	add("aws_db.forgotten", "aws_db", "forgotten", object{"name": "kept", "size": 5}, nil, planjson.ActionForget)
	add("aws_db.moved", "aws_db", "moved", object{"name": "m"}, object{"name": "m"}, planjson.ActionNoOp).PreviousAddress = "aws_db.before"
	add("aws_db.imported", "aws_db", "imported", object{"name": "i"}, object{"name": "i"}, planjson.ActionNoOp).Change.Importing = &planjson.Importing{ID: "i-1"}
	drift := *p.ResourceChanges[2]
	p.ResourceDrift = []*planjson.ResourceChange{&drift}
	p.OutputChanges = map[string]*planjson.Change{evilText: {Actions: planjson.Actions{planjson.ActionCreate}, After: planjson.Value(`"x"`)}}
	p.ActionInvocations = []*planjson.ActionInvocation{{Address: "action.run.hook", Type: "run", Name: "hook", ConfigValues: planjson.Value(`{"cmd":"ls"}`)}}
	p.Checks = []*planjson.Check{{Status: "fail", Instances: []*planjson.CheckInstance{{Status: "fail", Address: planjson.CheckInstanceAddress{ToDisplay: "check." + evilKey}, Problems: []*planjson.CheckProblem{{Message: evilText}}}}}}
	refers := func(list ...string) map[string]*planjson.Expression {
		return map[string]*planjson.Expression{"x": {References: list}}
	}
	resource := func(address string, refs ...string) *planjson.ResourceConfig {
		typ, name, _ := strings.Cut(strings.TrimPrefix(address, "data."), ".")
		r := &planjson.ResourceConfig{Address: address, Mode: "managed", Type: typ, Name: name, Expressions: refers(refs...)}
		if strings.HasPrefix(address, "data.") {
			r.Mode = "data"
		}
		return r
	}
	p.Config().RootModule = planjson.ModuleConfig{
		Resources: []*planjson.ResourceConfig{
			resource("aws_network.main"), resource("aws_subnet.each", "aws_network.main.id", "aws_network.main"), resource("aws_db.old"), resource("aws_db.forgotten"),
			resource("aws_db.moved", "aws_subnet.each"), resource("aws_db.imported", "aws_subnet.each"), resource("data.aws_ami.latest"),
		},
		ModuleCalls: map[string]*planjson.ModuleCall{"web": {Source: "./web", Expressions: map[string]*planjson.Expression{"subnet": {References: []string{"aws_subnet.each"}}, "ami": {References: []string{"data.aws_ami.latest.id", "data.aws_ami.latest"}}},
			Module: &planjson.ModuleConfig{Resources: []*planjson.ResourceConfig{resource("aws_instance.web", "var.subnet", "var.ami")}, Variables: map[string]*planjson.VariableConfig{"subnet": {}, "ami": {}}}}},
	}
	src, err := planjson.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	return reported(t, string(src), "-format", "html")
}

// The page works in a browser: the filter, the chips and the graph do what they
// say, nothing is loaded, and no name in the plan becomes part of the page.
func TestPageInBrowser(t *testing.T) {
	b := browsertest.Open(t)
	page := browserPlan(t)
	b.Open(page, 1280, "light")
	if n := b.Eval(`document.scripts.length`); n != 1.0 {
		t.Errorf("%v scripts", n)
	}
	if x := b.Eval(`String(window.hacked) + document.querySelectorAll("img, svg svg, [onload], [onerror]").length`); x != "undefined0" {
		t.Errorf("the plan has got into the page: %v", x)
	}
	all := shown(b)
	if n := len(strings.Split(all, "aws_")) - 1; n != 10 {
		t.Errorf("%d changes are shown: %s", n, all)
	}
	b.Shoot("wide-light", true)

	// Chips.
	for class, gone := range map[string]string{"delete": "aws_db.old", "update": "aws_subnet.each", "replace": "module.web.aws_instance.web[0]", "action": "action.run.hook", "output": "output.", "forget": "aws_db.forgotten", "move": "aws_db.moved", "import": "aws_db.imported"} {
		b.Click(`.chip[data-class="` + class + `"]`)
		now := shown(b)
		if strings.Count(now, gone) >= strings.Count(all, gone) {
			t.Errorf("%s is still shown without %s: %s", gone, class, now)
		}
		if b.Eval(`document.querySelector('.chip[data-class="`+class+`"]').getAttribute("aria-pressed")`) != "false" {
			t.Errorf("the chip %s is not off", class)
		}
		b.Click(`.chip[data-class="` + class + `"]`)
		if shown(b) != all {
			t.Errorf("after %s not all is shown again", class)
		}
	}
	b.Click(`.chip[data-class="drift"]`)
	if now := shown(b); strings.Count(now, `each["plain"]`) != 1 {
		t.Errorf("drift is not told from the plan: %s", now)
	}
	b.Click(`.chip[data-class="drift"]`)

	// The filter.
	b.Click("#search")
	for _, row := range []struct{ words, want string }{
		{"ami-2", "module.web.aws_instance.web[0]"},
		{"INSTANCE ami-1", "module.web.aws_instance.web[0]"},
		{"hook", "action.run.hook"},
		{"instance subnet", ""},
		{"aws_db.old", "aws_db.old"},
	} {
		b.Enter(row.words)
		if now := shown(b); now != row.want {
			t.Errorf("%q shows %q, want %q", row.words, now, row.want)
		}
		if hidden := b.Eval(`document.getElementById("none").hidden`); hidden != (row.want != "") {
			t.Errorf("%q: the note about nothing is hidden: %v", row.words, hidden)
		}
	}
	b.Shoot("filtered", false)
	b.Enter("")
	b.Eval(`document.getElementById("search").dispatchEvent(new Event("input"))`)
	if shown(b) != all {
		t.Error("an empty filter does not show all")
	}

	// All of them.
	b.Click("#close")
	if n := b.Eval(`document.querySelectorAll("#changes details[data-address][open]").length`); n != 0.0 {
		t.Errorf("%v are open", n)
	}
	b.Click("#open")
	if n := b.Eval(`document.querySelectorAll("#changes details[data-address]:not([open])").length`); n != 0.0 {
		t.Errorf("%v are closed", n)
	}
	b.Click("#changes details[data-address] > summary")
	if open := b.Eval(`document.querySelector("#changes details[data-address]").open`); open != false {
		t.Error("a change does not close")
	}

	// The graph: a click on a box shows its changes, another one all.
	b.Click(`.node[data-node="aws_subnet.each"]`)
	if now := shown(b); strings.Count(now, "aws_subnet.each[") != 3 || strings.Contains(now, "aws_db") || strings.Contains(now, "aws_network") {
		t.Errorf("the box shows %q", now)
	}
	if n := b.Eval(`document.querySelectorAll(".node.near").length`); n != 5.0 {
		t.Errorf("%v boxes are near", n)
	}
	b.Shoot("picked", false)
	b.Click(`.node[data-node="aws_subnet.each"]`)
	if shown(b) != all {
		t.Errorf("not all is shown again: %s", shown(b))
	}
	b.Click(`.node[data-node="module.web.aws_instance.web"]`)
	if now := shown(b); now != "module.web.aws_instance.web[0]" {
		t.Errorf("the box shows %q", now)
	}
	if text := b.Eval(`document.getElementById("only").textContent`); text != "Only module.web.aws_instance.web ×" {
		t.Errorf("the button says %q", text)
	}
	b.Click("#only")
	if shown(b) != all || b.Eval(`document.getElementById("only").offsetHeight`) != 0.0 {
		t.Errorf("not all is shown again: %s", shown(b))
	}
	b.Eval(`document.querySelector('.node[data-node="aws_db.old"]').focus()`)
	b.Press("Enter")
	if now := shown(b); now != "aws_db.old" {
		t.Errorf("Enter shows %q", now)
	}
	b.Press("Escape")
	if shown(b) != all {
		t.Errorf("Escape does not show all again: %s", shown(b))
	}

	// Narrow and dark; nothing is wider than the window.
	for _, view := range []struct {
		name, scheme string
		width        int
	}{{"wide-dark", "dark", 1280}, {"narrow-light", "light", 390}, {"narrow-dark", "dark", 390}} {
		b.Open(page, view.width, view.scheme)
		if wide := b.Eval(`document.documentElement.scrollWidth - innerWidth`); wide.(float64) > 0 {
			t.Errorf("%s: the page is %v wider than the window", view.name, wide)
		}
		if shown(b) != all {
			t.Errorf("%s: not all is shown", view.name)
		}
		b.Shoot(view.name, true)
	}
	for _, fault := range b.Faults {
		t.Error(fault)
	}
}

// A plan of 5,000 instances, each of which refers to all of another block: the
// search answers at once, and what is drawn stays small.
func TestManyInstancesInBrowser(t *testing.T) {
	b := browsertest.Open(t)
	b.Open(reported(t, string(manyInstances(5000)), "-format", "html"), 1280, "light")
	if ms, _ := b.Eval(`performance.getEntriesByType("navigation")[0].domComplete`).(float64); ms <= 0 || ms > 10_000 {
		t.Errorf("the page takes %v ms to open", ms)
	}
	for _, row := range []struct {
		words string
		found float64
	}{{"x.b[4", 30}, {`x.b[2499]`, 1}, {"nothing", 0}} {
		took := b.Eval(fmt.Sprintf(`(() => {
			const find = document.getElementById("find");
			const start = performance.now();
			find.value = %q;
			find.dispatchEvent(new Event("input"));
			return performance.now() - start;
		})()`, row.words))
		if ms, _ := took.(float64); ms > 500 { // some milliseconds, if the machine does nothing else
			t.Errorf("%q takes %v ms", row.words, took)
		}
		if n := b.Eval(`document.querySelectorAll("#found button").length`); n != row.found {
			t.Errorf("%q finds %v", row.words, n)
		}
	}
	b.Eval(`(() => { const find = document.getElementById("find"); find.value = "x.b[7]"; find.dispatchEvent(new Event("input")); })()`)
	b.Click("#found button")
	if n := b.Eval(`document.querySelectorAll("#near .node").length`); n != 61.0 {
		t.Errorf("%v boxes", n)
	}
	if text := b.Eval(`document.querySelector("#near").textContent.includes("and 2440 more")`); text != true {
		t.Error("it does not say how many there are")
	}
	b.Click(`#near .node`)
	if n := b.Eval(`document.querySelectorAll("#near .node").length`); n != 61.0 {
		t.Errorf("%v boxes", n)
	}
	for _, fault := range b.Faults {
		t.Error(fault)
	}
}
