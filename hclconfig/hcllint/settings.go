// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"cmp"
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
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
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
	presetAt hcl.Range
	noRules  bool // disabled_by_default
	plugin   bool // there is a block of the plugin terraform
	off      bool // the plugin terraform is not enabled
	others   bool // there are blocks of other plugins
	force    bool
	rules    map[string]ruleSettings
	varFiles []string
	vars     []string // NAME=VALUE
	// calls are the settings of the block config that rules have as options.
	calls callSettings
}

// callSettings say which called modules rules look into.
type callSettings struct {
	moduleType    string
	ignoreModules map[string]bool
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
func findSettings(dir string, read readFile) (*settings, error) {
	s := &settings{rules: map[string]ruleSettings{}}
	for _, names := range [][]string{{tflintConfig, tflintConfigJSON}, {ownConfig}} {
		for at := dir; ; at = filepath.Dir(at) {
			if file := firstFile(at, names, read); file != "" {
				if err := s.read(file, read); err != nil {
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

// A readFile reads a file, as os.ReadFile does. If it is nil, it is os.ReadFile.
type readFile func(name string) ([]byte, error)

func (read readFile) bytes(name string) ([]byte, error) {
	if read == nil {
		return os.ReadFile(name)
	}
	return read(name)
}

// firstFile returns the first of some files that a directory has, or "".
func firstFile(dir string, names []string, read readFile) string {
	for _, name := range names {
		file := filepath.Join(dir, name)
		if read != nil {
			if _, err := read(file); err == nil {
				return file
			}
			continue
		}
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

// maxSettings is the size of the largest configuration file of a linter.
const maxSettings = 1 << 20

// read reads one configuration file into the settings.
func (s *settings) read(file string, read readFile) error {
	src, err := read.bytes(file)
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
				err = s.readPlugin(b, own)
			} else {
				s.others = true
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
	"call_module_type", "format", "ignore_module", "plugin_dir",
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
	err := errors.Join(
		attribute(b, "disabled_by_default", &s.noRules), attribute(b, "force", &s.force),
		attribute(b, "varfile", &s.varFiles), attribute(b, "variables", &s.vars),
		attribute(b, "call_module_type", &s.calls.moduleType), attribute(b, "ignore_module", &s.calls.ignoreModules),
	)
	old, _, _ := b.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "module"}}})
	for _, a := range old.Attributes {
		return fmt.Errorf("%s: tflint has no setting module any more: use call_module_type", a.Range)
	}
	switch s.calls.moduleType {
	case "", "all", "local", "none":
		return err
	}
	return cmp.Or(err, fmt.Errorf("%s: call_module_type is %q, which is not all, local or none", b.MissingItemRange(), s.calls.moduleType))
}

func (s *settings) readPlugin(b *hcl.Block, own bool) error {
	enabled, preset := true, (*string)(nil)
	err := errors.Join(attribute(b.Body, "enabled", &enabled), attribute(b.Body, "preset", &preset))
	if preset != nil {
		s.preset, s.presetAt = *preset, b.DefRange
		if err == nil && enabled && !own && s.preset != recommended && s.preset != allRules {
			err = fmt.Errorf("%s: tflint has no preset %q: it has %s and %s", b.DefRange, s.preset, recommended, allRules)
		}
	}
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

// unload leaves out the called modules if the settings say so: call_module_type is "none".
func (s *settings) unload(t *hclnames.Tree) {
	if s.calls.moduleType == "none" {
		t.Children, t.Missing = nil, nil
	}
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
		preset = allRules
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
		if !ok && (a.Options == nil || s.calls.moduleType == "" && s.calls.ignoreModules == nil) {
			continue
		}
		decoded, err := r.options(a, s.calls)
		if err != nil {
			return nil, err
		}
		if decoded != nil {
			out[a.Name] = decoded
		}
	}
	return out, nil
}

// set sets the fields of a struct of options that the block config has, too.
func (c callSettings) set(options reflect.Value) {
	for i := range options.NumField() {
		var from reflect.Value
		switch name, _, _ := strings.Cut(options.Type().Field(i).Tag.Get("hcl"), ","); {
		case name == "call_module_type" && c.moduleType != "":
			from = reflect.ValueOf(c.moduleType)
		case name == "ignore_module" && c.ignoreModules != nil:
			from = reflect.ValueOf(c.ignoreModules)
		default:
			continue
		}
		if f := options.Field(i); f.CanSet() && from.Type() == f.Type() {
			f.Set(from)
		}
	}
}

// options reads the options of an analyzer from its rule block. What the block does not set
// is as the block config or Analyzer.Options has it.
func (r ruleSettings) options(a *Analyzer, calls callSettings) (any, error) {
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
	calls.set(into.Elem())
	if r.body == nil {
		return into.Elem().Interface(), nil
	}
	if diags := gohcl.DecodeBody(r.body, nil, into.Interface()); diags.HasErrors() {
		return nil, diags
	}
	return into.Elem().Interface(), nil
}

// ofTflint are the rules of tflint's ruleset for the language, which a program may lack.
var ofTflint = []string{
	"terraform_comment_syntax", "terraform_deprecated_index", "terraform_deprecated_interpolation", "terraform_deprecated_lookup",
	"terraform_documented_outputs", "terraform_documented_variables", "terraform_empty_list_equality", "terraform_json_syntax",
	"terraform_map_duplicate_keys", "terraform_module_pinned_source", "terraform_module_shallow_clone", "terraform_module_version",
	"terraform_naming_convention", "terraform_required_providers", "terraform_required_version", "terraform_standard_module_structure",
	"terraform_typed_variables", "terraform_unused_declarations", "terraform_unused_required_providers", "terraform_workspace_remote",
}

// unknown returns an error about a name of a rule or of a preset that nothing has. In files of
// tflint a rule may belong to a plugin. One whose name begins with "terraform_" is an error
// unless there are blocks of plugins.
func (s *settings) unknown(known []*Analyzer) error {
	has := func(is func(*Analyzer) bool) bool { return slices.ContainsFunc(known, is) }
	for _, name := range slices.Sorted(maps.Keys(s.rules)) {
		r := s.rules[name]
		if !r.own && (s.others || !strings.HasPrefix(name, "terraform_") || slices.Contains(ofTflint, name)) {
			continue
		}
		if !has(func(a *Analyzer) bool { return a.Name == name }) {
			return fmt.Errorf("%s: there is no rule %q", r.at, name)
		}
	}
	if s.off || slices.Contains([]string{"", recommended, allRules}, s.preset) {
		return nil
	}
	if !has(func(a *Analyzer) bool { return slices.Contains(a.Presets, s.preset) }) {
		return fmt.Errorf("%s: there is no preset %q", s.presetAt, s.preset)
	}
	return nil
}
