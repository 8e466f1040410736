// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rows

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// stateFile makes the rows of a raw state: those of what "show -json" prints of it, with
// places in the raw state.
func (m *maker) stateFile(text []byte) error {
	f, err := statefile.Decode(text)
	if err != nil {
		return err
	}
	m.info.serial, m.info.lineage = serial(f.Serial), null(f.Lineage)
	if m.doc.Current() == false { // it must not count as the state of the workspace
		m.info.toolVersion = f.TerraformVersion
		return nil
	}
	for _, r := range f.Resources {
		for _, o := range r.Instances {
			o.Dependencies = nil // which no row has
		}
	}
	shown, err := statefile.Show(f, nil)
	if err != nil {
		return err
	}
	if err := m.doc.index.sort(f, shown); err != nil {
		return err
	}
	if !m.options.Reveal { // in memory, where it is anyway, and not as a text that is read once more
		if _, err := m.options.redactor().State(shown); err != nil {
			return err
		}
	}
	return m.documents().shown(shown)
}

// shown makes the rows of a state that is held in memory.
func (d *documents) shown(s *planjson.State) error {
	d.info.formatVersion, d.info.toolVersion = s.FormatVersion, s.TerraformVersion
	if s.Values != nil {
		for _, name := range slices.Sorted(maps.Keys(s.Values.Outputs)) {
			if err := d.output(name, s.Values.Outputs[name]); err != nil {
				return err
			}
		}
		for r := range resourcesOf(&s.Values.RootModule) {
			if err := d.instance(r); err != nil {
				return err
			}
		}
	}
	for _, c := range s.Checks {
		at, err := d.at(listChecks)
		if err == nil {
			err = d.check(at, c)
		}
		if err != nil {
			return err
		}
	}
	return d.end()
}

// resourcesOf returns the resources of a module and of those below it, in the order of
// the text.
func resourcesOf(m *planjson.Module) iter.Seq[*planjson.Resource] {
	return func(yield func(*planjson.Resource) bool) { eachResource(m, yield) }
}

func eachResource(m *planjson.Module, yield func(*planjson.Resource) bool) bool {
	for _, r := range m.Resources {
		if !yield(r) {
			return false
		}
	}
	for _, child := range m.ChildModules {
		if !eachResource(child, yield) {
			return false
		}
	}
	return true
}

// An object is an object of a resource instance.
type object struct{ address, deposed string }

// sort makes the lists of the places in a raw state those of what is shown of it, in the
// order in which that comes. It refuses a state with members that occur twice, so that there
// are more objects in the text than in f.
func (x *index) sort(f *statefile.File, shown *planjson.State) error {
	objects, checks := cursor{deltas: x.lists[listRawObjects].deltas}, cursor{deltas: x.lists[listRawChecks].deltas}
	texts := make(map[*statefile.InstanceObject]int64)
	for _, r := range f.Resources {
		for _, o := range r.Instances {
			texts[o], _ = objects.next()
		}
	}
	if _, more := objects.next(); more {
		for d := range statefile.Duplicates(f) {
			return &Fault{d.Offset, d.Line, d.Column, d.Pointer, errors.New("the member occurs twice")}
		}
		return errPlaces
	}
	// The rows may be made again, so the places in the raw state stay.
	x.lists = [numLists]list{listRawObjects: x.lists[listRawObjects], listRawChecks: x.lists[listRawChecks]}
	if shown.Values != nil {
		places := make(map[object]int64, len(texts))
		for i := range f.All() {
			places[object{i.Address.String(), i.Object.Deposed}] = texts[i.Object]
		}
		for r := range resourcesOf(&shown.Values.RootModule) {
			x.lists[listValues].add(places[object{r.Address, r.DeposedKey}])
		}
		for _, name := range slices.Sorted(maps.Keys(f.Outputs)) {
			x.lists[listOutputs].add(x.places["/outputs/"+name])
		}
	}
	type check struct {
		kind string
		name string
	}
	places := make(map[check]int64)
	for _, r := range f.CheckResults {
		at, _ := checks.next()
		if a, err := addrs.ParseCheckable(checkables[r.ObjectKind], r.ConfigAddr); err == nil {
			places[check{string(checkables[r.ObjectKind]), a.String()}] = at
		}
	}
	for _, c := range shown.Checks {
		x.lists[listChecks].add(places[check{string(c.Address.Kind), c.Address.ToDisplay}])
	}
	return nil
}

// checkables has the kinds of checked objects by their names in raw states.
var checkables = map[string]addrs.CheckableKind{
	"resource": addrs.CheckableResource,
	"output":   addrs.CheckableOutput,
	"check":    addrs.CheckableCheck,
	"var":      addrs.CheckableVariable,
}

// encrypted makes the rows of an encrypted state, with places in what is inside. That a
// key does not open it is no fault of the document: another one may.
func (m *maker) encrypted(ctx context.Context, text []byte) error {
	if m.options.Decrypt == nil {
		return errEncrypted
	}
	inside, err := m.options.Decrypt(ctx, text)
	if err != nil {
		return fmt.Errorf("encrypted by OpenTofu: %v", err)
	}
	switch planjson.KindOf(inside) {
	case planjson.DocumentPlanFile:
		m.doc.Kind = "plan"
		return m.planFile(ctx, inside)
	case planjson.DocumentStateFile:
		m.doc.Kind = "state"
		return m.inside(ctx, inside, func(io.ReadSeeker) error { return m.stateFile(inside) })
	}
	return errors.New("encrypted by OpenTofu, but the content is neither a state nor a plan")
}

// inside makes rows of a text that was in the document, with places in that text.
func (m *maker) inside(ctx context.Context, text []byte, rows func(io.ReadSeeker) error) error {
	src := bytes.NewReader(text)
	again, err := Identify(ctx, "", src)
	if err != nil {
		return err
	}
	m.doc.index = again.index
	if _, err := src.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return rows(src)
}

// serial returns a cell, null for a serial that no tool reaches.
func serial(n uint64) any {
	if n > math.MaxInt64 {
		return nil
	}
	return int64(n)
}
