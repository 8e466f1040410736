// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/internal/lazy"
)

// namingOptions are the options of terraform_naming_convention.
type namingOptions struct {
	Format        string                  `hcl:"format,optional"`
	Custom        string                  `hcl:"custom,optional"`
	CustomFormats map[string]customFormat `hcl:"custom_formats,optional"`

	Data     *nameFormat `hcl:"data,block"`
	Locals   *nameFormat `hcl:"locals,block"`
	Module   *nameFormat `hcl:"module,block"`
	Output   *nameFormat `hcl:"output,block"`
	Resource *nameFormat `hcl:"resource,block"`
	Variable *nameFormat `hcl:"variable,block"`
	Check    *nameFormat `hcl:"check,block"`
}

// A customFormat is a format with a name.
type customFormat struct {
	Regexp      string `cty:"regex"`
	Description string `cty:"description"`
}

// A nameFormat says how names of one kind must be.
type nameFormat struct {
	Format string `hcl:"format,optional"`
	Custom string `hcl:"custom,optional"`
}

var namingConvention = &hcllint.Analyzer{
	Name: "terraform_naming_convention",
	Doc: `Names should follow one convention.

By default that is snake case: lower-case words joined by underscores. The rule looks at
variables, local values, outputs, resources, data sources, modules and checks.

	variable "vpcId" {}      finding
	variable "vpc__id" {}    finding
	variable "vpc_id" {}     no finding

Options: format is "snake_case", "mixed_snake_case" (with capitals), "none", or a key of
custom_formats = { name = { regex = "...", description = "..." } }; custom is a regular
expression and overrides format. Blocks named data, locals, module, output, resource,
variable and check have the options format and custom for one kind.`,
	URL:      page("terraform_naming_convention"),
	Severity: hcllint.Notice,
	Presets:  []string{presetAll},
	Options:  namingOptions{Format: "snake_case"},
	Run: func(p *hcllint.Pass) (any, error) {
		c, err := newNameChecker(p)
		if err != nil {
			return nil, err
		}
		m := p.Module
		for _, r := range m.Data {
			c.check("data", r.Name, r.Block)
		}
		for _, k := range m.Checks {
			if k.Data != nil {
				c.check("data", k.Data.Name, k.Data.Block)
			}
			c.check("check", k.Name, k.Block)
		}
		for _, k := range m.Calls {
			c.check("module", k.Name, k.Block)
		}
		for _, o := range m.Outputs {
			c.check("output", o.Name, o.Block)
		}
		for _, r := range m.Resources {
			c.check("resource", r.Name, r.Block)
		}
		for _, v := range m.Variables {
			c.check("variable", v.Name, v.Block)
		}
		for _, a := range localsOf(m) {
			c.check("local value", a.Name, a)
		}
		return nil, nil
	},
}

// A nameChecker checks the names of a module.
type nameChecker struct {
	pass    *hcllint.Pass
	formats map[string]*namePattern // nil allows every name
}

// A namePattern is what the names of one kind must match.
type namePattern struct {
	what, name string // as in the message
	regexp     *regexp.Regexp
}

func newNameChecker(p *hcllint.Pass) (*nameChecker, error) {
	o := hcllint.Options[namingOptions](p)
	common, err := o.pattern(nameFormat{o.Format, o.Custom})
	if err != nil {
		return nil, fmt.Errorf("invalid default configuration: %w", err)
	}
	c := &nameChecker{pass: p, formats: map[string]*namePattern{}}
	for kind, f := range map[string]*nameFormat{
		"data": o.Data, "local value": o.Locals, "module": o.Module, "output": o.Output,
		"resource": o.Resource, "variable": o.Variable, "check": o.Check,
	} {
		c.formats[kind] = common
		if f != nil {
			if c.formats[kind], err = o.pattern(*f); err != nil {
				return nil, fmt.Errorf("invalid %s configuration: %w", kind, err)
			}
		}
	}
	return c, nil
}

func (c *nameChecker) check(kind, name string, at hcledit.Part) {
	if f := c.formats[kind]; f != nil && !f.regexp.MatchString(name) {
		c.pass.Reportf(at, "%s name `%s` must match the following %s: %s", kind, name, f.what, f.name)
	}
}

var nameFormats = map[string]func() *regexp.Regexp{
	"snake_case":       lazy.Regexp("^[a-z][a-z0-9]*(_[a-z0-9]+)*$"),
	"mixed_snake_case": lazy.Regexp("^[a-zA-Z][a-zA-Z0-9]*(_[a-zA-Z0-9]+)*$"),
}

// pattern returns what a format means.
func (o namingOptions) pattern(f nameFormat) (*namePattern, error) {
	switch {
	case f.Custom != "":
		r, err := regexp.Compile(f.Custom)
		return &namePattern{"RegExp", f.Custom, r}, err
	case f.Format == "none":
		return nil, nil
	}
	if custom, ok := o.CustomFormats[f.Format]; ok {
		r, err := regexp.Compile(custom.Regexp)
		return &namePattern{"format", custom.Description, r}, err
	}
	if r := nameFormats[strings.ToLower(f.Format)]; r != nil {
		return &namePattern{"format", f.Format, r()}, nil
	}
	return nil, fmt.Errorf("`%s` is unsupported format", f.Format)
}
