// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/lockfile"
)

// source is the source of all diagnostics, and codeValidate the code of what "validate" says.
const (
	source       = "tofuwire"
	codeValidate = "validate"
)

// A checked is what is said about a module: the findings in each of its files, by their names in
// the file system of the view. With the diagnostics of the linter, for their fixes.
type checked struct {
	tree   *hclnames.Tree
	files  map[string][]diagnostic
	report *hcllint.Report
}

// check checks the module in a directory, as "lint ." does there.
func (s *server) check(v *view, dir string) *checked {
	out := &checked{files: map[string][]diagnostic{}}
	if !v.isModule(dir) {
		v.syntaxErrors(dir, nil, out)
		return out
	}
	tree, err := hclnames.LoadTree(v, nameOf(dir), v.dialect(), hclconfig.TestDirectory("tests"))
	if err != nil {
		v.syntaxErrors(dir, nil, out)
		s.fault(v, dir, err, out)
		return out
	}
	v.syntaxErrors(dir, tree.Module, out)
	out.tree = tree
	out.report, err = s.linter(v, dir).Run(tree, dir)
	if err != nil { // of the configuration of the linter
		s.log.printf("error", "%s: %v", dir, err)
		if out.report, err = hcllint.Run(tree, []*hcllint.Analyzer{hcllint.Checker()}, hcllint.RunOptions{Schemas: s.schemasOf(v, dir)}); err != nil {
			out.report = &hcllint.Report{}
			return out
		}
	}
	for _, err := range out.report.Errors {
		if e := new(hclconfig.Error); !errors.As(err, &e) {
			s.log.printf("error", "%s: %v", dir, err)
		}
	}
	broken := brokenFiles(v, tree)
	own := ownFiles(tree.Module)
	for _, d := range out.report.Diagnostics {
		name := d.Range.Filename
		if !own[name] && path.Dir(name) != nameOf(dir) || broken[name] || len(broken) > 0 && lacksNames(d) {
			continue
		}
		out.files[name] = append(out.files[name], v.diagnostic(d))
	}
	return out
}

// ownFiles are the files of a module, or none.
func ownFiles(m *hclconfig.Module) map[string]bool {
	out := map[string]bool{}
	if m == nil {
		return out
	}
	for _, f := range slices.Concat(m.Files, m.Tests) {
		out[f.Filename()] = true
	}
	return out
}

// brokenFiles returns the files of a tree that have syntax errors.
func brokenFiles(v *view, tree *hclnames.Tree) map[string]bool {
	out := map[string]bool{}
	seen := map[*hclconfig.Module]bool{}
	for t := range tree.All() {
		if seen[t.Module] {
			continue
		}
		seen[t.Module] = true
		for _, f := range slices.Concat(t.Module.Files, t.Module.Tests) {
			if p, err := v.read(osPath(f.Filename())); err == nil && p.meaning(v.dialect()).real.Err() != nil {
				out[f.Filename()] = true
			}
		}
	}
	return out
}

// lacksNames reports whether a finding may be there only because a file with a syntax error does
// not tell all that it declares and uses.
func lacksNames(d hcllint.Diagnostic) bool {
	if strings.HasPrefix(d.Analyzer.Name, "terraform_unused_") {
		return true
	}
	for _, prefix := range []string{"Reference to undeclared", "Unsupported attribute", "Unsupported argument", "Missing required argument", "Invalid reference", "Provider configuration not present"} {
		if d.Analyzer == hcllint.Checker() && strings.HasPrefix(d.Message, prefix) {
			return true
		}
	}
	return false
}

// linter returns the linter with the settings for a module.
func (s *server) linter(v *view, dir string) *hcllint.Linter {
	analyzers := s.opts.Analyzers
	if !slices.Contains(analyzers, hcllint.Checker()) {
		analyzers = append(slices.Clone(analyzers), hcllint.Checker())
	}
	set := v.settings.lint
	l := &hcllint.Linter{
		Analyzers: analyzers, Schemas: s.schemasOf(v, dir), ReadFile: v.readFile,
		Config: v.path(set.config, dir), Skip: set.skip,
	}
	if len(set.only) > 0 {
		l.Only = set.only
	}
	if !set.enabled {
		l.Only, l.Skip = []string{hcllint.Checker().Name}, nil
	}
	for _, f := range v.settings.varFiles {
		l.VarFiles = append(l.VarFiles, v.path(f, dir))
	}
	return l
}

// fault adds an error that kept a module from being checked.
func (s *server) fault(v *view, dir string, err error, out *checked) {
	s.log.printf("info", "%s: %v", dir, err)
	if e := new(hclconfig.Error); errors.As(err, &e) && e.Line > 0 && path.Dir(e.Filename) == nameOf(dir) {
		at := v.problem(v.lines(e.Filename), e.Offset, e.Offset, e.Err.Error())
		out.files[e.Filename] = append(out.files[e.Filename], at)
	}
}

// syntaxErrors adds the syntax errors of the files of a module and of the open documents beside
// them. A file that the tools do not read, as main.tf beside main.tofu, has some if it is open.
func (v *view) syntaxErrors(dir string, m *hclconfig.Module, out *checked) {
	names := ownFiles(m)
	for at, d := range v.docs {
		if d.counts() && v.moduleDir(at) == dir {
			names[nameOf(at)] = true
		}
	}
	for name := range names {
		out.files[name] = v.syntaxErrorsOf(name)
	}
}

// syntaxErrorsOf returns the syntax errors of a file as diagnostics.
func (v *view) syntaxErrorsOf(name string) []diagnostic {
	p, err := v.read(osPath(name))
	if err != nil {
		return nil
	}
	if path.Base(name) == lockFile {
		return v.lockErrors(name, p)
	}
	real := p.meaning(v.dialect()).real
	if base := path.Base(name); isLinterFile(base) {
		parse := hclconfig.ParseNative
		if path.Ext(base) == ".json" {
			parse = hclconfig.ParseJSON
		}
		real, _ = parse(base, p.text)
	}
	if real == nil || real.Err() == nil {
		return nil
	}
	return v.diagnosticsOf(p, real)
}

// diagnosticsOf returns the syntax errors of a file.
func (v *view) diagnosticsOf(p *parsedFile, f *hclconfig.File) []diagnostic {
	var out []diagnostic
	for _, d := range f.Diagnostics() {
		if !isSyntaxError(d) {
			continue
		}
		text := d.Summary
		if d.Detail != "" {
			text += "; " + strings.ReplaceAll(d.Detail, "\n", " ")
		}
		out = append(out, v.problem(p.index(), d.Subject.Start.Offset, d.Subject.End.Offset, text))
	}
	return out
}

// problem returns what "validate" says of the bytes from start to end of a text.
func (v *view) problem(x *lineIndex, start, end int64, text string) diagnostic {
	return diagnostic{Range: x.rangeOf(int(start), int(end), v.enc), Severity: severityError, Code: codeValidate, Source: source, Message: text}
}

func isSyntaxError(d hclconfig.Diagnostic) bool {
	return d.Severity == hclconfig.SeverityError && (errors.Is(d.Err, hclconfig.ErrSyntax) || errors.Is(d.Err, hclconfig.ErrLimit))
}

// lockErrors returns the fault of a lock file.
func (v *view) lockErrors(name string, p *parsedFile) []diagnostic {
	_, err := lockfile.Parse(path.Base(name), p.text)
	if err == nil {
		return nil
	}
	offset, text := int64(0), err.Error()
	if e := new(lockfile.Error); errors.As(err, &e) {
		offset, text = e.Offset, e.Err.Error()
	}
	return []diagnostic{v.problem(p.index(), offset, offset, text)}
}

var severities = map[hcllint.Severity]int{hcllint.Error: severityError, hcllint.Warning: severityWarning, hcllint.Notice: severityInformation}

// diagnostic returns a finding as the protocol has it, without what the client does not
// understand.
func (v *view) diagnostic(d hcllint.Diagnostic) diagnostic {
	out := diagnostic{Range: v.place(d.Range), Severity: cmp.Or(severities[d.Severity], severityInformation), Code: d.Analyzer.Name, Source: source, Message: d.Message}
	const can = "textDocument.publishDiagnostics."
	if d.Analyzer.URL != "" && v.caps.has(can+"codeDescriptionSupport") {
		out.CodeDescription = &codeDescription{d.Analyzer.URL}
	}
	if v.caps.has(can + "tagSupport") {
		switch {
		case strings.HasPrefix(d.Analyzer.Name, "terraform_unused_"):
			out.Tags = []int{tagUnnecessary}
		case strings.Contains(d.Analyzer.Name, "deprecated"):
			out.Tags = []int{tagDeprecated}
		}
	}
	if v.caps.has(can + "relatedInformation") {
		for _, r := range d.Related {
			out.RelatedInformation = append(out.RelatedInformation, relatedInformation{v.location(r.Range), r.Message})
		}
		if at, ok := v.declaredAt(d); ok {
			out.RelatedInformation = append(out.RelatedInformation, at)
		}
	}
	return out
}

// placeInText is a place as "already declared at main.tf:3,1-15" has it.
var placeInText = lazy.Regexp(`\bat ([^\s:]+\.(?:tf|tofu|json|hcl)):(\d+),(\d+)(?:-(?:(\d+),)?(\d+))?`)

// declaredAt returns the place that a message names: where something was declared before.
func (v *view) declaredAt(d hcllint.Diagnostic) (relatedInformation, bool) {
	m := placeInText().FindStringSubmatch(d.Message)
	if m == nil || !strings.Contains(d.Message, "declared") && !strings.Contains(d.Message, "defined") && !strings.Contains(d.Message, "set at") {
		return relatedInformation{}, false
	}
	name := path.Join(path.Dir(d.Range.Filename), m[1])
	line := atoi(m[2])
	x := v.lines(name)
	if line < 1 || line > len(x.starts) {
		return relatedInformation{}, false
	}
	start := x.column(line-1, atoi(m[3]))
	end := x.lineEnd(line - 1)
	switch {
	case m[5] == "":
		end = start
	case m[4] == "":
		end = x.column(line-1, atoi(m[5]))
	case atoi(m[4]) <= len(x.starts):
		end = x.column(atoi(m[4])-1, atoi(m[5]))
	}
	return relatedInformation{location{v.uri(name), x.rangeOf(start, end, v.enc)}, "declared here"}, true
}

func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// A schemaCache keeps the schemas that were read last.
type schemaCache struct {
	mu      sync.Mutex
	from    *parsedFile
	schemas *hclconfig.Schemas // nil if they could not be read
}

// schemasOf returns the schemas that the settings name, or nil.
func (s *server) schemasOf(v *view, dir string) *hclconfig.Schemas {
	if v.settings.schemas == "" {
		return nil
	}
	p, err := v.read(realPath(v.path(v.settings.schemas, dir)))
	if err != nil {
		s.log.printf("error", "schemas: %v", err)
		return nil
	}
	c := &s.schemas
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.from != p {
		c.from = p
		if c.schemas, err = s.opts.DecodeSchemas(p.text); err != nil {
			s.log.printf("error", "schemas: %v", err)
			c.schemas = nil
		}
	}
	return c.schemas
}
