// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"maps"
	"slices"
	"strconv"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// openState reads a state as a stream, for the rows, and whole, for its outputs
// and checks.
func (d *Document) openState() error {
	r := d.reader(0, 0.6).(*progress)
	r.beforeReport = d.flush
	count := 0
	err := planjson.ReadState(r, planjson.StateReader{
		FormatVersion: func(version string) error { return planjson.CheckVersion(&planjson.State{FormatVersion: version}) },
		Resource: func(r *planjson.Resource) error {
			count++
			d.addState(r)
			return nil
		},
	})
	if err != nil {
		return err
	}
	d.flush()
	d.Info.Can = []string{"changes", "redact"}
	if d.Info.Size > Whole {
		d.alarm("This state is above %d MiB: outputs, checks and comparisons are left out.", Whole>>20)
		return nil
	}
	text, err := d.whole(0.6, 0.9)
	if err != nil {
		return err
	}
	if d.state, err = planjson.DecodeState(text); err != nil {
		return err
	}
	d.describe(count)
	return nil
}

// marksSchemas is the release from which on OpenTofu and Terraform mark in the state
// also what the schemas of providers call sensitive.
var marksSchemas = addrs.MustParseVersion("1.10.0-alpha0")

// openStateFile reads a state as the tools save it, and shows what "show -json"
// prints of it without the schemas of providers.
func (d *Document) openStateFile() error {
	text, err := d.whole(0, 0.6)
	if err != nil {
		return err
	}
	f, err := statefile.Decode(text)
	if err != nil {
		return err
	}
	if d.state, err = statefile.Show(f, nil); err != nil {
		return err
	}
	count := 0
	for r := range d.state.AllResources() {
		count++
		d.addState(r)
	}
	d.flush()
	if v, err := addrs.ParseVersion(f.TerraformVersion); err != nil || v.Compare(marksSchemas) < 0 {
		d.alarm("This state is of a release before 1.10, which does not mark what only the schemas of providers call sensitive: such values are shown.")
	}
	d.fact("Serial", strconv.FormatUint(f.Serial, 10))
	d.fact("Lineage", f.Lineage)
	d.describe(count)
	return nil
}

// describe adds the rows and facts of a state besides its objects.
func (d *Document) describe(count int) {
	d.Info.Can = []string{"changes", "redact", "compare"}
	outputs := 0
	if v := d.state.Values; v != nil {
		outputs = len(v.Outputs)
		for _, name := range slices.Sorted(maps.Keys(v.Outputs)) {
			one := &planjson.State{Values: &planjson.Values{Outputs: map[string]*planjson.Output{name: v.Outputs[name]}}}
			for _, o := range plandiff.CompareStates(nil, one, plandiff.Options{}).Outputs {
				d.addLines(Row{Part: "output", Class: "output", Symbol: "=", Address: "output." + name, Headline: "output"},
					plain(linesOf(&plandiff.Diff{Outputs: []*plandiff.Output{o}})))
			}
		}
	}
	d.fact("Resource objects", strconv.Itoa(count))
	d.fact("Outputs", strconv.Itoa(outputs))
	d.fact("Made by version", d.state.TerraformVersion)
	d.fact("Format", d.state.FormatVersion)
	d.checks(d.state.Checks)
}

// addState adds a row for an object of a state: a change that changes nothing
// shows all values but the sensitive ones.
func (d *Document) addState(r *planjson.Resource) {
	lines := func() []Line {
		x := plandiff.Change(&planjson.ResourceChange{Address: r.Address, Mode: r.Mode, Type: r.Type, Name: r.Name, Change: planjson.Change{
			Actions: planjson.Actions{planjson.ActionNoOp}, Before: r.Values, After: r.Values, BeforeSensitive: r.SensitiveValues, AfterSensitive: r.SensitiveValues,
		}}, plandiff.Options{Unchanged: true})
		list := linesOf(&plandiff.Diff{Resources: []*plandiff.Resource{x}})
		if len(list) > 0 {
			list = list[1:] // that it does not change
		}
		return plain(list)
	}
	headline, class := string(r.Mode), "resource"
	if r.Mode == "managed" {
		headline = "resource"
	}
	if r.Tainted {
		headline, class = headline+", tainted", "tainted"
	}
	if r.DeposedKey != "" {
		headline, class = headline+", deposed object "+r.DeposedKey, "deposed"
	}
	list := lines()
	d.add(Row{Part: "resource", Class: class, Symbol: "=", Address: r.Address, Headline: headline, Lines: len(list)}, textOf(list), lines)
}
