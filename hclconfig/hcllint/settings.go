// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// The names of configuration files of linters. Where both are, the first is read last, so
// that its settings win.
const (
	ownConfig    = ".tofuwire-lint.hcl"
	tflintConfig = ".tflint.hcl"
)

// settings are what the configuration files say.
type settings struct {
	preset   string // "" if none is named
	noRules  bool   // disabled_by_default
	off      bool   // the plugin terraform is not enabled
	force    bool
	rules    map[string]ruleSettings
	varFiles []string
	vars     []string // NAME=VALUE
}

// ruleSettings are those of one rule.
type ruleSettings struct {
	enabled  *bool
	severity Severity
	body     *hclsyntax.Body
	src      []byte
	at       hcl.Range
	own      bool // from a file of our own, in which each name must be known
}

// findSettings reads the configuration files that hold for a directory: the nearest of each
// name, in the directory or above it up to the root of its repository.
func findSettings(dir string) (*settings, error) {
	s := &settings{rules: map[string]ruleSettings{}}
	for _, name := range []string{tflintConfig, ownConfig} {
		for at := dir; ; at = filepath.Dir(at) {
			file := filepath.Join(at, name)
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
				if err := s.read(file); err != nil {
					return nil, err
				}
				break
			}
			if _, err := os.Stat(filepath.Join(at, ".git")); err == nil || filepath.Dir(at) == at {
				break
			}
		}
	}
	return s, nil
}

// maxSettings is the size of the largest configuration file of a linter.
const maxSettings = 1 << 20

// read reads one configuration file into the settings.
func (s *settings) read(file string) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if len(src) > maxSettings {
		return fmt.Errorf("%s is larger than %d bytes", file, maxSettings)
	}
	if parsed, err := hclconfig.ParseNative(file, src); err != nil { // it bounds the nesting
		return errors.Join(parsed.Err())
	}
	parsed, diags := hclsyntax.ParseConfig(src, file, hcl.InitialPos)
	if diags.HasErrors() {
		return diags
	}
	own := filepath.Base(file) != tflintConfig
	for _, b := range parsed.Body.(*hclsyntax.Body).Blocks {
		switch b.Type {
		case "rule":
			err = s.readRule(b, src, own)
		case "config":
			err = s.readConfig(b)
		case "plugin":
			if len(b.Labels) > 0 && b.Labels[0] == "terraform" {
				err = s.readPlugin(b)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *settings) readRule(b *hclsyntax.Block, src []byte, own bool) error {
	if len(b.Labels) != 1 {
		return fmt.Errorf("%s: a rule block has one label, the name of the rule", b.DefRange())
	}
	r := ruleSettings{body: b.Body, src: src, at: b.DefRange(), own: own}
	var severity string
	if err := attribute(b.Body, "enabled", &r.enabled); err != nil {
		return err
	}
	if err := attribute(b.Body, "severity", &severity); err != nil {
		return err
	}
	switch r.severity = Severity(severity); r.severity {
	case "", Error, Warning, Notice:
	default:
		return fmt.Errorf("%s: the severity is %q: it is error, warning or notice", b.DefRange(), severity)
	}
	if old, ok := s.rules[b.Labels[0]]; ok && r.severity == "" {
		r.severity = old.severity
	}
	s.rules[b.Labels[0]] = r
	return nil
}

func (s *settings) readConfig(b *hclsyntax.Block) error {
	return errors.Join(
		attribute(b.Body, "disabled_by_default", &s.noRules), attribute(b.Body, "force", &s.force),
		attribute(b.Body, "varfile", &s.varFiles), attribute(b.Body, "variables", &s.vars),
	)
}

func (s *settings) readPlugin(b *hclsyntax.Block) error {
	enabled := true
	err := errors.Join(attribute(b.Body, "enabled", &enabled), attribute(b.Body, "preset", &s.preset))
	s.off = !enabled
	return err
}

// attribute reads an attribute of a block, if it has it.
func attribute(b *hclsyntax.Body, name string, into any) error {
	a := b.Attributes[name]
	if a == nil {
		return nil
	}
	if diags := gohcl.DecodeExpression(a.Expr, nil, into); diags.HasErrors() {
		return diags
	}
	return nil
}

// isOn reports whether the settings turn an analyzer on.
func (s *settings) isOn(a *Analyzer) bool {
	if r, ok := s.rules[a.Name]; ok && r.enabled != nil {
		return *r.enabled
	}
	preset := s.preset
	if preset == "" {
		preset = recommended
	}
	switch {
	case s.noRules, s.off && strings.HasPrefix(a.Name, "terraform_"):
		return false
	case a.Presets == nil:
		return true
	}
	return slices.Contains(a.Presets, preset)
}

// options returns the options of the analyzers that the settings change.
func (s *settings) options(known []*Analyzer) (map[string]any, error) {
	out := map[string]any{}
	for _, a := range known {
		r, ok := s.rules[a.Name]
		if !ok {
			continue
		}
		decoded, err := r.options(a)
		if err != nil {
			return nil, err
		}
		if decoded != nil {
			out[a.Name] = decoded
		}
	}
	return out, nil
}

// options reads the options of an analyzer from its rule block. What the block does not set
// is as Analyzer.Options has it.
func (r ruleSettings) options(a *Analyzer) (any, error) {
	rest := *r.body
	rest.Attributes = maps.Clone(rest.Attributes)
	delete(rest.Attributes, "enabled")
	delete(rest.Attributes, "severity")
	if a.Options == nil {
		if !r.own { // tflint does not look
			return nil, nil
		}
		for name := range rest.Attributes {
			return nil, fmt.Errorf("%s: rule %s has no option %s", r.at, a.Name, name)
		}
		return nil, nil
	}
	into := reflect.New(reflect.TypeOf(a.Options))
	into.Elem().Set(reflect.ValueOf(a.Options))
	if diags := gohcl.DecodeBody(&rest, nil, into.Interface()); diags.HasErrors() {
		return nil, diags
	}
	return into.Elem().Interface(), nil
}

// unknown returns the names of rules in files of our own that no analyzer has.
func (s *settings) unknown(known []*Analyzer) error {
	for _, name := range slices.Sorted(maps.Keys(s.rules)) {
		r := s.rules[name]
		if r.own && !slices.ContainsFunc(known, func(a *Analyzer) bool { return a.Name == name }) {
			return fmt.Errorf("%s: there is no rule %q", r.at, name)
		}
	}
	return nil
}
