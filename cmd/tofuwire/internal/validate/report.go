// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcled"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/findings"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/planjson"
)

// A report prints diagnostics, with names as they are from DIR.
type report struct {
	dir  directory
	tree *hclnames.Tree
}

// details returns what replaces directories in details, and old for new texts.
func (r *report) details(pairs ...string) *strings.Replacer {
	for m := range r.tree.All() {
		to := r.dir.relative(m.Module.Dir) + "/"
		if to == "./" {
			to = ""
		}
		for _, words := range []string{"declared at ", "already set at "} {
			pairs = append(pairs, words+m.Module.Dir+"/", words+to)
		}
	}
	return strings.NewReplacer(pairs...)
}

// placeless matches the summaries of what the tools say without a place.
var placeless = lazy.Regexp(`^Cycle: |^Self reference: |^Missing required provisioner plugin$|^Invalid provider configuration alias$|^Provider configuration not present$|^missing provider |^"[^"]*" attribute is read-only$|` +
	`^Invalid (local-exec|remote-exec|file) provisioner |^(Cannot set both|Must provide one of) 'source' `)

// json prints the document of "validate -json".
func (r *report) json(w io.Writer, found hclconfig.Diagnostics) error {
	details := r.details()
	doc := &planjson.Validate{FormatVersion: "1.0", Valid: !found.HasErrors(), Diagnostics: []*planjson.Diagnostic{}}
	files := map[string]*source{}
	for m := range r.tree.All() {
		for _, f := range slices.Concat(m.Module.Files, m.Module.Tests) {
			files[f.Filename()] = &source{file: f}
		}
	}
	for _, d := range found {
		x := &planjson.Diagnostic{Severity: planjson.SeverityError, Summary: d.Summary, Detail: details.Replace(d.Detail)}
		if d.Severity == hclconfig.SeverityWarning {
			x.Severity = planjson.SeverityWarning
			doc.WarningCount++
		} else {
			doc.ErrorCount++
		}
		if d.Subject.IsValid() && !placeless().MatchString(d.Summary) {
			start, end := d.Subject.Start, d.Subject.End
			if start.Offset == end.Offset { // the tools never show an empty place
				end.Offset++
				end.Column++
			}
			x.Range = &planjson.Range{Filename: r.dir.relative(d.Subject.Filename), Start: position(start), End: position(end)}
			if s := files[d.Subject.Filename]; s != nil {
				x.Snippet = s.snippet(start, end)
			}
		}
		doc.Diagnostics = append(doc.Diagnostics, x)
	}
	out, err := planjson.Canonical(doc)
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

// write prints text or SARIF 2.1.0. Its rules are the summaries.
func (r *report) write(w io.Writer, format string, colors bool, found hclconfig.Diagnostics) error {
	details := r.details()
	out := &findings.Report{Tool: "validate", URL: "https://github.com/tofuwire/tofuwire", Dir: r.dir.path, Unnamed: true, Colors: colors}
	texts := map[string][]byte{}
	for m := range r.tree.All() {
		for _, f := range slices.Concat(m.Module.Files, m.Module.Tests) {
			texts[r.dir.relative(f.Filename())] = f.Bytes()
		}
	}
	out.Text = func(name string) []byte { return texts[name] }
	rules := map[string]bool{}
	same := map[[3]string]int{}
	for _, d := range found {
		f := findings.Finding{Rule: ruleOf(d.Summary), Severity: d.Severity.String(), Message: d.Summary, Range: d.Subject, URL: page}
		if d.Detail != "" || format != "sarif" {
			f.Message += "; " + details.Replace(d.Detail)
		}
		f.Range.Filename = r.dir.relative(d.Subject.Filename)
		key := [3]string{f.Rule, f.Range.Filename, f.Message}
		f.Occurrence = same[key]
		same[key]++
		if !rules[f.Rule] {
			rules[f.Rule] = true
			out.Rules = append(out.Rules, findings.Rule{Name: f.Rule, Doc: strings.TrimRight(d.Summary, ".") + ".", Severity: f.Severity, URL: page})
		}
		out.Findings = append(out.Findings, f)
	}
	slices.SortFunc(out.Rules, func(a, b findings.Rule) int { return strings.Compare(a.Name, b.Name) })
	return findings.Write(w, format, out)
}

// page is the page of the program.
const page = "https://github.com/tofuwire/tofuwire/blob/main/cmd/tofuwire/docs/validate.md"

// ruleOf returns a summary as the name of a rule: unsupported-argument.
func ruleOf(summary string) string {
	words := strings.FieldsFunc(strings.ToLower(summary), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	return strings.Join(words, "-")
}

func position(p addrs.Pos) planjson.Pos {
	return planjson.Pos{Line: int(p.Line), Column: int(p.Column), Byte: int(p.Offset)}
}

// A source is a file that diagnostics are about.
type source struct {
	file   *hclconfig.File
	parsed *hcl.File // for the names of blocks; nil until it is asked for
}

// maxBroken is the size of the largest broken file that HCL reads: hclconfig limits how
// deep a file may be, and HCL does not.
const maxBroken = 1 << 16

// snippet returns the lines from start to end, and the block that they are in.
func (s *source) snippet(start, end addrs.Pos) *planjson.Snippet {
	text := s.file.Bytes()
	from := bytes.LastIndexByte(text[:min(int(start.Offset), len(text))], '\n') + 1
	to := min(max(int(end.Offset)-1, from), len(text))
	if i := bytes.IndexByte(text[to:], '\n'); i >= 0 {
		to += i
	} else {
		to = len(text)
	}
	code := string(text[from:to])
	code = strings.TrimSuffix(strings.ReplaceAll(code, "\r\n", "\n"), "\r")
	first := min(int(start.Offset)-from, len(code))
	out := &planjson.Snippet{Context: planjson.Value("null"), Code: code, StartLine: int(start.Line), Values: []*planjson.ExpressionValue{},
		HighlightStartOffset: first, HighlightEndOffset: min(first+int(end.Offset-start.Offset), len(code))}
	if name := s.context(int(start.Offset)); name != "" {
		out.Context = planjson.Literal(name)
	}
	return out
}

// context names the block around an offset as the tools do.
func (s *source) context(offset int) string {
	if s.parsed == nil {
		s.parsed = &hcl.File{}
		if text := s.file.Bytes(); s.file.Err() == nil || len(text) <= maxBroken {
			read := hcljson.Parse
			if s.file.Syntax() == hclconfig.NativeSyntax {
				read = func(src []byte, name string) (*hcl.File, hcl.Diagnostics) {
					return hclsyntax.ParseConfig(src, name, hcl.InitialPos)
				}
			}
			if f, _ := read(text, s.file.Filename()); f != nil {
				s.parsed = f
			}
		}
	}
	return hcled.ContextString(s.parsed, offset-1)
}
