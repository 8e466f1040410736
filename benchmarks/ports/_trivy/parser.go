// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package parser stands in for the package of this name of trivy, which makes
// configuration files of a plan, so that checks of configurations can read them.
package parser

import (
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/aquasecurity/trivy/pkg/iac/terraform"
	"github.com/aquasecurity/trivy/pkg/mapfs"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
)

// A Parser reads plans.
type Parser struct{}

// New returns a Parser.
func New() *Parser { return new(Parser) }

// A PlanFile is a plan.
type PlanFile struct{ planjson.Plan }

// ParseFile reads the plan in a file.
func (p *Parser) ParseFile(name string) (*PlanFile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return p.Parse(f)
}

// Parse reads a plan.
func (p *Parser) Parse(r io.Reader) (*PlanFile, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		return nil, err
	}
	return &PlanFile{*plan}, nil
}

// ToFS returns a file main.tf with a block for each planned resource instance.
func (p *PlanFile) ToFS() (fs.FS, error) {
	index := planjson.NewPlanIndex(&p.Plan)
	var text strings.Builder
	for m := range p.PlannedValues.AllModules() {
		for _, r := range m.Resources {
			text.WriteString(block(index, m.Address, r).ToHCL())
			text.WriteString("\n\n")
		}
	}
	files := mapfs.New()
	return files, files.WriteVirtualFile("main.tf", []byte(text.String()), 0o600)
}

// block returns the block of a resource instance: what the plan knows of it, and
// what the configuration says about the rest.
func block(index *planjson.PlanIndex, module string, r *planjson.Resource) *terraform.PlanBlock {
	b := terraform.NewPlanBlock(string(r.Mode), r.Type, label(module, r.Name))
	values, _ := index.Values(r.Address)
	for name, v := range values.Members() {
		first := v.Element(0)
		switch {
		case v.Kind() != planjson.KindArray:
			b.Attributes[name] = plain(v.Any())
		case first.Kind() == planjson.KindObject: // blocks
			b.Blocks[name], _ = plain(first.Any()).(map[string]any)
		case first != nil:
			b.Attributes[name] = plain(v.Any())
		}
	}
	config := index.Config().OfInstance(r.Address)
	if config == nil {
		return b
	}
	for name, e := range config.Expressions {
		if b.HasAttribute(name) || b.Blocks[name] != nil || e == nil {
			continue
		}
		if e.IsConstant() {
			b.Attributes[name] = plain(e.ConstantValue.Any())
			continue
		}
		for ref, err := range e.Refs() {
			if res, ok := ref.Resource(); ok && err == nil {
				b.Attributes[name] = terraform.PlanReference{Value: reference(module, res, ref)}
				break
			}
		}
	}
	return b
}

// reference returns a reference in a module, in the one file that holds all.
func reference(module string, res addrs.Resource, ref addrs.Reference) string {
	text := strings.TrimSuffix(res.String(), res.Name()) + label(module, res.Name())
	for step := range ref.Remaining() {
		text += step.String()
	}
	return text
}

// label returns a label for a resource that no other module has.
func label(module, name string) string {
	if module == "" {
		return name
	}
	h := fnv.New64a()
	io.WriteString(h, module)
	return fmt.Sprintf("%s_%x", name, h.Sum64())
}

// plain returns a Go value with numbers that the blocks can print.
func plain(v any) any {
	switch v := v.(type) {
	case interface{ Float64() (float64, error) }:
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return v
}
