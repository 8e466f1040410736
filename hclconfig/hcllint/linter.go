// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"fmt"
	"maps"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/zclconf/go-cty/cty"
)

// A Linter runs analyzers on modules with the settings that [Command] would use: those of the
// configuration files of linters. It is for programs that load modules and show findings in
// their own way, such as an editor. It must not be changed after the first use, and is safe for
// concurrent use.
type Linter struct {
	// Analyzers are all analyzers that the settings may turn on.
	Analyzers []*Analyzer
	// Only and Skip are names of analyzers, as the options of Command with these names.
	Only, Skip []string
	// Config is the configuration file to read in place of those found in the directory of the
	// module and above it, or empty.
	Config string
	// VarFiles are files with values of variables, as the option -var-file of Command.
	VarFiles []string
	// Schemas has the schemas of providers, or is nil.
	Schemas *hclconfig.Schemas
	// ReadFile reads configuration files and files of values. If nil, it is os.ReadFile.
	ReadFile func(name string) ([]byte, error)
}

// Run runs the analyzers that the settings turn on, on the root module of a tree; dir is its
// directory, as an absolute path of the operating system. Severities are as the settings say,
// and names of files in messages are relative to dir. The error is about the settings, or that
// of [Run].
func (l *Linter) Run(t *hclnames.Tree, dir string) (*Report, error) {
	if l == nil {
		l = new(Linter)
	}
	if t == nil || t.Module == nil {
		return nil, errNoModule
	}
	s, err := l.settings(dir)
	if err != nil {
		return nil, err
	}
	options, err := s.options(l.Analyzers)
	if err != nil {
		return nil, err
	}
	variables, err := l.variables(s, dir)
	if err != nil {
		return nil, err
	}
	t = instanceOf(t, t.Parent) // the tree of the caller stays as it is
	s.unload(t)
	c := command{analyzers: l.Analyzers, commandOptions: commandOptions{only: l.Only, skip: l.Skip}}
	out, err := Run(t, c.chosen(s), RunOptions{Variables: variables, Schemas: l.Schemas, Options: options})
	if err != nil {
		return nil, err
	}
	names := namesFrom(t)
	for i := range out.Diagnostics {
		d := &out.Diagnostics[i]
		d.Message = names.Replace(d.Message)
		if r := s.rules[d.Analyzer.Name]; r.severity != "" {
			d.Severity = r.severity
		}
		if d.Severity == "" {
			d.Severity = d.Analyzer.severity()
		}
	}
	return out, nil
}

func (l *Linter) settings(dir string) (*settings, error) {
	if l.Config == "" {
		s, err := findSettings(dir, l.ReadFile)
		if err != nil {
			return nil, err
		}
		return s, s.unknown(l.Analyzers)
	}
	s := &settings{rules: map[string]ruleSettings{}}
	if err := s.read(l.Config, l.ReadFile); err != nil {
		return nil, err
	}
	return s, s.unknown(l.Analyzers)
}

func (l *Linter) variables(s *settings, dir string) (map[string]cty.Value, error) {
	out, err := s.variables(dir, l.ReadFile)
	if err != nil {
		return nil, err
	}
	for _, name := range l.VarFiles {
		src, err := readFile(l.ReadFile).bytes(name)
		if err == nil {
			var values map[string]cty.Value
			values, err = hclnames.ParseValues(name, src)
			maps.Copy(out, values)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}
