// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/testing/recordings"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// A Report says what this library makes of the recordings of one release. What
// is wrong, or new, is listed with its place; the rest is counted.
type Report struct {
	Release   string         `json:"release"`
	Kinds     map[string]int `json:"kinds"`     // recordings by kind
	Documents Tally          `json:"documents"` // plans, states, raw ones too, and the other documents
	Messages  Tally          `json:"messages"`  // of streams
	Locks     Tally          `json:"locks"`     // lock files that the tool wrote
	Types     map[string]int `json:"types"`     // messages by type
	Addresses int            `json:"addresses"` // of instances in documents

	// Streams counts the runs; in Certain of them the stream alone shows how
	// the run ended, and Judged are right once the exit status is known.
	Streams int `json:"streams"`
	Certain int `json:"certain"`
	Judged  int `json:"judged"`

	Language Language `json:"language"` // that of configuration files

	// Extra are the members that no field is for, Unknown the types of messages
	// that are not known, Failed what does not decode, does not come back, is not
	// canonical, has an address that does not parse, or an outcome that is wrong,
	// and where the language is not that of the program.
	Extra   []string `json:"extra,omitempty"`
	Unknown []string `json:"unknown,omitempty"`
	Failed  []string `json:"failed,omitempty"`
}

// A Tally counts texts.
type Tally struct {
	All       int `json:"all"`
	Identical int `json:"identical"`
	Canonical int `json:"canonical"`
}

func (t *Tally) add(identical, canonical bool) {
	t.All++
	if identical {
		t.Identical++
	}
	if canonical {
		t.Canonical++
	}
}

// NewReport reads all recordings of a release. The types are those of messages
// that are known.
func NewReport(rel recordings.Release, types map[string]bool) (*Report, error) {
	r := &Report{Release: rel.String(), Kinds: map[string]int{}, Types: map[string]int{}}
	schemas, err := baseSchemas(rel)
	if err != nil {
		return nil, err
	}
	for f, err := range rel.Files() {
		if err != nil {
			return nil, err
		}
		if f.Kind == "" {
			continue
		}
		r.Kinds[f.Kind]++
		switch f.Kind {
		case "ui":
			r.stream(f, types)
		case "lock":
			r.lock(f, rel.Tool)
		case "statefile":
			r.rawState(f, rel, schemas)
		default:
			r.document(f)
		}
	}
	return r, nil
}

func (r *Report) failed(f recordings.File, format string, args ...any) {
	r.Failed = append(r.Failed, f.Name+": "+fmt.Sprintf(format, args...))
}

// document judges one document.
func (r *Report) document(f recordings.File) {
	switch f.Kind {
	case "plan":
		if plan := judge(r, f, planjson.DecodePlan); plan != nil {
			r.plan(f, plan)
		}
	case "state":
		if state := judge(r, f, planjson.DecodeState); state != nil {
			r.values(f, state.Values)
		}
	case "config":
		judge(r, f, planjson.DecodeConfig)
	case "schemas":
		judge(r, f, planjson.DecodeSchemas)
	case "functions":
		judge(r, f, planjson.DecodeFunctions)
	case "validate":
		judge(r, f, planjson.DecodeValidate)
	case "version":
		judge(r, f, planjson.DecodeVersion)
	case "output":
		judge(r, f, planjson.DecodeOutputs)
	case "modules":
		judge(r, f, planjson.DecodeModules)
	case "workspaces":
		judge(r, f, planjson.DecodeWorkspaces)
	case "state-show":
		judge(r, f, planjson.DecodeStateShow)
	case "renderer-plan":
		judge(r, f, planjson.DecodeRendererPlan)
	default:
		r.failed(f, "no decoder for a %s", f.Kind)
	}
}

// judge decodes a document, writes it again and looks for members without a
// field. It returns nil if it does not decode.
func judge[D planjson.Document](r *Report, f recordings.File, decode func([]byte) (D, error)) (doc D) {
	doc, err := decode(bytes.Clone(f.Text))
	if err != nil {
		r.Documents.add(false, false)
		r.failed(f, "%v", err)
		return doc
	}
	text, err := planjson.Encode(doc)
	canonical, err2 := planjson.Canonical(doc)
	same, form := bytes.Equal(text, f.Text), bytes.Equal(canonical, f.Text)
	r.Documents.add(same, form)
	if !same || !form {
		r.failed(f, "identical %v, canonical %v, %v", same, form, errors.Join(err, err2))
	}
	for at := range planjson.Extras(doc) {
		r.Extra = append(r.Extra, f.Kind+" "+at+" in "+f.Name)
	}
	return doc
}

func (r *Report) plan(f recordings.File, p *planjson.Plan) {
	r.values(f, &p.PlannedValues)
	if p.PriorState != nil {
		r.values(f, p.PriorState.Values)
	}
	changes := slices.Concat(p.ResourceChanges, p.ResourceDrift)
	for _, d := range p.DeferredChanges {
		changes = append(changes, &d.ResourceChange)
	}
	for _, c := range changes {
		if c.Address == "" {
			continue // Terraform 0.15 did not write the address of what has drifted
		}
		a, err := c.Addr()
		key, err2 := c.IndexKey()
		r.address(f, c.Address, a, key, errors.Join(err, err2))
	}
}

func (r *Report) values(f recordings.File, v *planjson.Values) {
	for x := range v.AllResources() {
		a, err := x.Addr()
		key, err2 := x.IndexKey()
		r.address(f, x.Address, a, key, errors.Join(err, err2))
	}
}

func (r *Report) address(f recordings.File, text string, a addrs.AbsResourceInstance, key addrs.InstanceKey, err error) {
	r.Addresses++
	if err != nil || a.Key() != key {
		r.failed(f, "address %s: %v, index %v", text, err, key)
	}
}

func (r *Report) lock(f recordings.File, tool string) {
	file, err := lockfile.Parse(f.Name, f.Text)
	if err != nil {
		return // made by hand, for the tool to refuse
	}
	t := addrs.OpenTofu
	if tool == "terraform" {
		t = addrs.Terraform
	}
	canonical := file.IsCanonical(t)
	r.Locks.add(bytes.Equal(file.Bytes(), f.Text), canonical)
	if !canonical {
		r.failed(f, "not canonical")
	}
}

// stream judges the messages of a run, and how it ended.
func (r *Report) stream(f recordings.File, types map[string]bool) {
	alone, told := uitrack.Tracker{Replay: true}, uitrack.Tracker{Replay: true}
	messages := 0
	rd := uijson.NewReader(bytes.NewReader(f.Text), uijson.MaxLine(0))
	for ev, err := range rd.Events() {
		if err != nil {
			break // cut off
		}
		alone.Add(ev)
		told.Add(ev)
		m := ev.Message
		if m == nil {
			continue
		}
		messages++
		text, err := uijson.Encode(m)
		form, err2 := uijson.Canonical(m)
		line := bytes.TrimRight(ev.Raw, "\r\n")
		same, canonical := bytes.Equal(bytes.TrimRight(text, "\r\n"), line), bytes.Equal(form, line)
		r.Messages.add(same, canonical)
		if !same || !canonical {
			r.failed(f, "message %d: identical %v, canonical %v, %v", messages, same, canonical, errors.Join(err, err2))
		}
		if m.Type != "" {
			r.Types[string(m.Type)]++
			if !types[string(m.Type)] {
				r.Unknown = append(r.Unknown, string(m.Type)+" in "+f.Name)
			}
		}
		for at := range m.Extras() {
			r.Extra = append(r.Extra, "ui "+at+" in "+f.Name)
		}
	}
	if messages == 0 || f.Args == nil {
		return
	}
	r.Streams++
	alone.End(nil)
	told.Exit(f.Exit)
	told.End(nil)
	ok := f.Exit == 0 || f.Exit == 2 && slices.Contains(f.Args, "-detailed-exitcode")
	if fine(alone.Snapshot().Outcome) == ok {
		r.Certain++
	}
	if got := told.Snapshot().Outcome; fine(got) == ok {
		r.Judged++
	} else {
		r.failed(f, "exit status %d, outcome %s", f.Exit, got)
	}
}

// fine reports whether a tool ends a run that has this outcome with the status 0. The tools
// call it a success if there is nothing to test.
func fine(o uitrack.Outcome) bool { return o.OK() || o == uitrack.OutcomeNoTests }

// reportFolder has the reports, compatibility the table that is made of them;
// both below the root of the library.
const (
	reportFolder  = "internal/testing/recordings/reports"
	compatibility = "COMPATIBILITY.md"
	tableBegin    = "<!-- The table is made from the reports by: go run . -report, in tools/record -->\n"
	tableEnd      = "<!-- end -->\n"
)

// Reports makes the reports of all releases, the newest of each tool last.
func Reports(root string) ([]*Report, error) {
	types, err := messageTypes(root)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, verdictsFile))
	if err != nil {
		return nil, err
	}
	verdicts := hcllang.ParseVerdicts(string(text))
	// Not those that this program was built with: one may have been added since.
	releases, err := recordings.Open(os.DirFS(filepath.Join(root, "internal", "testing", "recordings", "testdata")))
	if err != nil {
		return nil, err
	}
	slices.SortFunc(releases, func(a, b recordings.Release) int {
		if a.Tool != b.Tool {
			return strings.Compare(b.Tool, a.Tool)
		}
		return addrs.MustParseVersion(a.Version).Compare(addrs.MustParseVersion(b.Version))
	})
	var all []*Report
	for _, rel := range releases {
		r, err := NewReport(rel, types)
		if err != nil {
			return nil, err
		}
		r.probes(verdicts)
		if err := r.validations(root, rel); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// messageTypes returns the types of messages that package uijson knows.
func messageTypes(root string) (map[string]bool, error) {
	list, err := os.ReadFile(filepath.Join(root, "uijson", "testdata", "types.txt"))
	if err != nil {
		return nil, err
	}
	types := make(map[string]bool)
	for line := range strings.Lines(string(list)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] != "#" {
			types[words[0]] = true
		}
	}
	return types, nil
}

// Table returns the table of COMPATIBILITY.md.
func Table(reports []*Report) string {
	var b strings.Builder
	b.WriteString("| release | documents | identical | canonical | messages | types | lock files | runs | outcome right | extra members | unknown types | language | validated alike | failed |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	var sum Report
	types := make(map[string]bool)
	for _, r := range reports {
		row(&b, r.Release, r, len(r.Types))
		for _, t := range []struct{ sum, add *Tally }{{&sum.Documents, &r.Documents}, {&sum.Messages, &r.Messages}, {&sum.Locks, &r.Locks}} {
			t.sum.All += t.add.All
			t.sum.Identical += t.add.Identical
			t.sum.Canonical += t.add.Canonical
		}
		for name := range maps.Keys(r.Types) {
			types[name] = true
		}
		sum.Streams += r.Streams
		sum.Judged += r.Judged
		sum.Language.Probes += r.Language.Probes
		sum.Language.Agreed += r.Language.Agreed
		sum.Language.Validated += r.Language.Validated
		sum.Language.Same += r.Language.Same
		sum.Extra = append(sum.Extra, r.Extra...)
		sum.Unknown = append(sum.Unknown, r.Unknown...)
		sum.Failed = append(sum.Failed, r.Failed...)
	}
	row(&b, "all", &sum, len(types))
	return b.String()
}

func row(b *strings.Builder, name string, r *Report, types int) {
	language := "not tried"
	if r.Language.Probes > 0 {
		language = fmt.Sprintf("%d of %d", r.Language.Agreed, r.Language.Probes)
	}
	fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %s | %d of %d | %d |\n", strings.Replace(name, "-", " ", 1),
		r.Documents.All, r.Documents.Identical, r.Documents.Canonical, r.Messages.All, types, r.Locks.All, r.Streams, r.Judged, len(r.Extra), len(r.Unknown),
		language, r.Language.Same, r.Language.Validated, len(r.Failed))
}

// files returns the files that the reports give, by their names below the root.
func files(root string, reports []*Report) (map[string][]byte, error) {
	made := make(map[string][]byte)
	for _, r := range reports {
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return nil, err
		}
		made[reportFolder+"/"+r.Release+".json"] = append(text, '\n')
	}
	text, err := os.ReadFile(filepath.Join(root, compatibility))
	if err != nil {
		return nil, err
	}
	head, rest, ok := bytes.Cut(text, []byte(tableBegin))
	_, tail, ok2 := bytes.Cut(rest, []byte(tableEnd))
	if !ok || !ok2 {
		return nil, fmt.Errorf("%s has no place for the table", compatibility)
	}
	made[compatibility] = slices.Concat(head, []byte(tableBegin+"\n"+Table(reports)+"\n"+tableEnd), tail)
	return made, nil
}

// WriteReports writes the reports and the table. It returns the names of the
// files that were not up to date; with check, nothing is written.
func WriteReports(root string, reports []*Report, check bool) (stale []string, err error) {
	made, err := files(root, reports)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		path := filepath.Join(root, filepath.FromSlash(name))
		old, err := os.ReadFile(path)
		if err == nil && bytes.Equal(old, made[name]) {
			continue
		}
		stale = append(stale, name)
		if check {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, made[name], 0o644); err != nil {
			return nil, err
		}
	}
	return stale, nil
}
