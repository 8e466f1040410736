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
	"github.com/hashicorp/hcl/v2/json"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// The names of configuration files of linters. Where our own and one of tflint are, ours is
// read last, so that its settings win.
const (
	ownConfig        = ".tofuwire-lint.hcl"
	tflintConfig     = ".tflint.hcl"
	tflintConfigJSON = ".tflint.json" // looked at where the other one is not
)

// settings are what the configuration files say.
type settings struct {
	preset   string // "" if none is named
	noRules  bool   // disabled_by_default
	plugin   bool   // there is a block of the plugin terraform
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
	body     hcl.Body // without what all rules have
	at       hcl.Range
	own      bool // from a file of our own, in which each name must be known
}

// findSettings reads the configuration files that hold for a directory: the nearest of each
// name, in the directory or above it up to the root of its repository.
func findSettings(dir string) (*settings, error) {
	s := &settings{rules: map[string]ruleSettings{}}
	for _, names := range [][]string{{tflintConfig, tflintConfigJSON}, {ownConfig}} {
		for at := dir; ; at = filepath.Dir(at) {
			if file := firstFile(at, names); file != "" {
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

// firstFile returns the first of some files that a directory has, or "".
func firstFile(dir string, names []string) string {
	for _, name := range names {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
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
	body, err := parseSettings(file, src)
	if err != nil {
		return err
	}
	own := !slices.Contains([]string{tflintConfig, tflintConfigJSON}, filepath.Base(file))
	schema := &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
		{Type: "rule", LabelNames: []string{"name"}}, {Type: "config"}, {Type: "plugin", LabelNames: []string{"name"}}, {Type: "tflint"},
	}}
	content, diags := body.Content(schema)
	if !own { // a newer tflint may know more
		content, _, diags = body.PartialContent(schema)
	}
	if diags.HasErrors() {
		return diags
	}
	for _, b := range content.Blocks {
		switch b.Type {
		case "rule":
			err = s.readRule(b, own)
		case "config":
			err = s.readConfig(b.Body, own)
		case "plugin":
			if b.Labels[0] == "terraform" {
				err = s.readPlugin(b.Body)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// parseSettings parses a configuration file in the syntax that its name says.
func parseSettings(file string, src []byte) (hcl.Body, error) {
	isJSON := strings.HasSuffix(file, ".json")
	check, parse := hclconfig.ParseNative, func() (*hcl.File, hcl.Diagnostics) { return hclsyntax.ParseConfig(src, file, hcl.InitialPos) }
	if isJSON {
		check, parse = hclconfig.ParseJSON, func() (*hcl.File, hcl.Diagnostics) { return json.Parse(src, file) }
	}
	if parsed, err := check(file, src); err != nil { // it bounds the nesting
		return nil, errors.Join(parsed.Err())
	}
	parsed, diags := parse()
	if diags.HasErrors() {
		return nil, diags
	}
	return parsed.Body, nil
}

func (s *settings) readRule(b *hcl.Block, own bool) error {
	r := ruleSettings{at: b.DefRange, own: own}
	content, rest, diags := b.Body.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "enabled"}, {Name: "severity"}}})
	if diags.HasErrors() {
		return diags
	}
	r.body = rest
	var severity string
	if err := decode(content, "enabled", &r.enabled); err != nil {
		return err
	}
	if err := decode(content, "severity", &severity); err != nil {
		return err
	}
	switch r.severity = Severity(severity); r.severity {
	case "", Error, Warning, Notice:
	default:
		return fmt.Errorf("%s: the severity is %q, which is not error, warning or notice", b.DefRange, severity)
	}
	if old, ok := s.rules[b.Labels[0]]; ok && r.severity == "" {
		r.severity = old.severity
	}
	s.rules[b.Labels[0]] = r
	return nil
}

// configNames are what a config block may have: what is used here, and the rest of what
// tflint knows.
var configNames = []string{
	"disabled_by_default", "force", "varfile", "variables",
	"call_module_type", "format", "ignore_module", "module", "plugin_dir",
}

func (s *settings) readConfig(b hcl.Body, own bool) error {
	if own {
		schema := &hcl.BodySchema{}
		for _, name := range configNames {
			schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: name})
		}
		if _, diags := b.Content(schema); diags.HasErrors() {
			return diags
		}
	}
	return errors.Join(
		attribute(b, "disabled_by_default", &s.noRules), attribute(b, "force", &s.force),
		attribute(b, "varfile", &s.varFiles), attribute(b, "variables", &s.vars),
	)
}

func (s *settings) readPlugin(b hcl.Body) error {
	enabled := true
	err := errors.Join(attribute(b, "enabled", &enabled), attribute(b, "preset", &s.preset))
	s.plugin, s.off = true, !enabled
	return err
}

// attribute reads an attribute of a block, if it has it.
func attribute(b hcl.Body, name string, into any) error {
	content, _, diags := b.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: name}}})
	if diags.HasErrors() {
		return diags
	}
	return decode(content, name, into)
}

// decode reads an attribute, if it is there.
func decode(content *hcl.BodyContent, name string, into any) error {
	a := content.Attributes[name]
	if a == nil {
		return nil
	}
	if diags := gohcl.DecodeExpression(a.Expr, nil, into); diags.HasErrors() {
		return diags
	}
	return nil
}

// isOn reports whether the settings turn an analyzer on. As in tflint, a block of the plugin
// that names no preset turns all rules on, and a preset that is named wins over
// disabled_by_default.
func (s *settings) isOn(a *Analyzer) bool {
	if r, ok := s.rules[a.Name]; ok && r.enabled != nil {
		return *r.enabled
	}
	preset, ofPlugin := s.preset, strings.HasPrefix(a.Name, "terraform_")
	switch {
	case preset == "" && s.plugin && ofPlugin:
		preset = "all"
	case preset == "":
		preset = recommended
	}
	switch {
	case s.noRules && !(s.preset != "" && ofPlugin), s.off && ofPlugin:
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
	if a.Options == nil {
		if !r.own { // tflint does not look
			return nil, nil
		}
		attributes, diags := r.body.JustAttributes()
		if diags.HasErrors() {
			return nil, diags
		}
		for _, name := range slices.Sorted(maps.Keys(attributes)) {
			return nil, fmt.Errorf("%s: rule %s has no option %s", r.at, a.Name, name)
		}
		return nil, nil
	}
	into := reflect.New(reflect.TypeOf(a.Options))
	into.Elem().Set(reflect.ValueOf(a.Options))
	if diags := gohcl.DecodeBody(r.body, nil, into.Interface()); diags.HasErrors() {
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
