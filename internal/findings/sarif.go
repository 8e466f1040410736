// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package findings

import (
	"cmp"
	"io"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/addrs"
)

// The parts of SARIF 2.1.0 that are written.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Automation  sarifAutomation   `json:"automationDetails"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	// sarifAutomation names the kind of run: a host keeps the results of the last run of each kind.
	sarifAutomation struct {
		ID string `json:"id"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		FullName       string      `json:"fullName"`
		Version        string      `json:"version,omitempty"`
		Semantic       string      `json:"semanticVersion,omitempty"`
		InformationURI string      `json:"informationUri,omitempty"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string       `json:"id"`
		Name             string       `json:"name"`
		ShortDescription sarifMessage `json:"shortDescription"`
		FullDescription  sarifMessage `json:"fullDescription"`
		Help             sarifHelp    `json:"help"`
		HelpURI          string       `json:"helpUri,omitempty"`
		Configuration    sarifLevel   `json:"defaultConfiguration"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	// sarifHelp is short: some readers print it in front of each message.
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		Message  *sarifMessage `json:"message,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId"`
	}
	sarifRegion struct {
		StartLine   int64 `json:"startLine"`
		StartColumn int64 `json:"startColumn,omitempty"`
		EndLine     int64 `json:"endLine,omitempty"`
		EndColumn   int64 `json:"endColumn,omitempty"`
	}
	sarifFix struct {
		Description *sarifMessage `json:"description,omitempty"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion   `json:"deletedRegion"`
		Inserted *sarifMessage `json:"insertedContent,omitempty"`
	}
)

const sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

func sarif(w io.Writer, r *Report) error {
	s := sarifWriter{Report: r, rules: map[string]int{}, columns: columnsOf(r)}
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = r.driver()
	run.Automation.ID = run.Tool.Driver.Name + "/" + r.Tool + "/"
	for i, rule := range r.Rules {
		s.rules[rule.Name] = i
		help, first := sarifHelp{}, firstSentence(rule.Doc)
		url := cmp.Or(rule.URL, r.URL)
		help.Text, help.Markdown = first, first
		if url != "" {
			help.Text, help.Markdown = first+" See "+url, first+" [More]("+url+")"
		}
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			rule.Name, camelCase(rule.Name), sarifMessage{first}, sarifMessage{rule.Doc}, help, url, sarifLevel{level(rule.Severity)},
		})
	}
	for i := range r.Findings {
		run.Results = append(run.Results, s.result(&r.Findings[i]))
	}
	invocation := sarifInvocation{Successful: len(r.Faults) == 0}
	for _, f := range r.Faults {
		n := sarifNotification{Level: "error", Message: sarifMessage{f.Message}}
		if f.Filename != "" {
			at := sarifPhysical{Artifact: s.artifact(f.Filename)}
			if f.Line > 0 {
				at.Region = &sarifRegion{StartLine: int64(f.Line)}
			}
			n.Locations = []sarifLocation{{Physical: at}}
		}
		invocation.Notifications = append(invocation.Notifications, n)
	}
	run.Invocations = []sarifInvocation{invocation}
	return indented(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// driver describes the program. The programs of this module are one, with the name of the module; a linter
// of somebody else has its own name.
func (r *Report) driver() sarifDriver {
	d := sarifDriver{Name: r.Tool, InformationURI: r.URL, Rules: []sarifRule{}}
	if r.URL == home {
		d.Name = "tofuwire"
	}
	info, ok := debug.ReadBuildInfo()
	if ok {
		d.Version = strings.TrimPrefix(info.Main.Version, "v")
	}
	if d.Version == "" || d.Version[0] < '0' || d.Version[0] > '9' {
		d.Version = "0.0.0-devel" // readers want a version; this is what an own build has
	}
	d.Semantic, d.FullName = d.Version, d.Name+" "+d.Version+" "+r.Tool
	return d
}

// home is the page of the programs of this module.
const home = "https://github.com/tofuwire/tofuwire"

// camelCase returns the name of a rule in the form that readers want in addition to its ID.
func camelCase(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	if strings.EqualFold(b.String(), name) { // it must differ from the ID
		b.WriteString("Rule")
	}
	return b.String()
}

func level(severity string) string {
	switch severity {
	case "error", "warning":
		return severity
	}
	return "note"
}

// A sarifWriter makes the parts of a log.
type sarifWriter struct {
	*Report
	rules   map[string]int
	columns map[string]map[int64]lineColumn
}

func (s *sarifWriter) result(f *Finding) sarifResult {
	out := sarifResult{
		RuleID: f.Rule, RuleIndex: s.rules[f.Rule], Level: level(f.Severity), Message: sarifMessage{f.Message},
		Locations:    []sarifLocation{{Physical: s.physical(f.Range)}},
		Fingerprints: map[string]string{"tofuwireFinding/v1": s.fingerprint(f)},
	}
	for _, rel := range f.Related {
		out.Related = append(out.Related, sarifLocation{&sarifMessage{rel.Message}, s.physical(rel.Range)})
	}
	if f.Fix == nil {
		return out
	}
	fix := sarifFix{}
	if f.Fix.Message != "" {
		fix.Description = &sarifMessage{f.Fix.Message}
	}
	for _, e := range f.Fix.Edits {
		change := s.artifact(e.Filename)
		i := slices.IndexFunc(fix.Changes, func(c sarifChange) bool { return c.Artifact == change })
		if i < 0 {
			i = len(fix.Changes)
			fix.Changes = append(fix.Changes, sarifChange{Artifact: change})
		}
		start, end := s.columns[e.Filename][int64(e.Start)], s.columns[e.Filename][int64(e.End)]
		fix.Changes[i].Replacements = append(fix.Changes[i].Replacements, sarifReplacement{
			sarifRegion{start.line, start.column, end.line, end.column}, &sarifMessage{e.Text},
		})
	}
	out.Fixes = []sarifFix{fix}
	return out
}

func (s *sarifWriter) artifact(name string) sarifArtifact {
	u := url.URL{Path: s.inRepository(name)}
	return sarifArtifact{u.String(), "%SRCROOT%"}
}

func (s *sarifWriter) physical(at addrs.Range) sarifPhysical {
	out := sarifPhysical{Artifact: s.artifact(at.Filename)}
	if at.Start.Line < 1 {
		return out
	}
	start, ok := s.columns[at.Filename][at.Start.Offset]
	end, ok2 := s.columns[at.Filename][at.End.Offset]
	if !ok || !ok2 {
		out.Region = &sarifRegion{StartLine: int64(at.Start.Line)}
		return out
	}
	out.Region = &sarifRegion{start.line, start.column, end.line, end.column}
	return out
}

// A lineColumn is a line and a column in code points, both from 1.
type lineColumn struct{ line, column int64 }

// columnsOf returns the places of all offsets that a report names, by file. It reads each
// file once.
func columnsOf(r *Report) map[string]map[int64]lineColumn {
	wanted := map[string][]int64{}
	add := func(name string, offsets ...int64) { wanted[name] = append(wanted[name], offsets...) }
	for _, f := range r.Findings {
		add(f.Range.Filename, f.Range.Start.Offset, f.Range.End.Offset)
		for _, rel := range f.Related {
			add(rel.Range.Filename, rel.Range.Start.Offset, rel.Range.End.Offset)
		}
		if f.Fix != nil {
			for _, e := range f.Fix.Edits {
				add(e.Filename, int64(e.Start), int64(e.End))
			}
		}
	}
	out := map[string]map[int64]lineColumn{}
	for name, offsets := range wanted {
		var src []byte
		if r.Text != nil {
			src = r.Text(name)
		}
		if src == nil {
			continue
		}
		slices.Sort(offsets)
		out[name] = placesIn(src, slices.Compact(offsets))
	}
	return out
}

// placesIn returns the places of sorted offsets.
func placesIn(src []byte, offsets []int64) map[int64]lineColumn {
	out := make(map[int64]lineColumn, len(offsets))
	at, here := 0, lineColumn{1, 1}
	for _, o := range offsets {
		for at < len(src) && int64(at) < o {
			if src[at] == '\n' {
				here = lineColumn{here.line + 1, 1}
				at++
				continue
			}
			_, n := utf8.DecodeRune(src[at:])
			at += n
			here.column++
		}
		out[o] = here
	}
	return out
}
