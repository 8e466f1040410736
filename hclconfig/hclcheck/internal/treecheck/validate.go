// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/provschema"
)

// Validate returns the faults of a tree, with those that the plan finds if plan is set, and
// those of the kits for providers if kits is set.
func Validate(t *hclnames.Tree, schemas map[string]*provschema.Provider, plan, kits bool) hclconfig.Diagnostics {
	c := newTreeChecker(t, schemas)
	c.kits = kits
	c.readFunctions()
	late := !c.has(hclsource.RequiredVersionInTofu) // which looks at the files first
	if !late {
		c.required(t)
	}
	if c.dialect == hcllang.OpenTofu {
		c.valueFiles(t)
	}
	if c.out.HasErrors() {
		return c.finish()
	}
	c.load(t)
	if late && !c.failed() {
		c.required(t)
	}
	if !c.failed() {
		c.missingDirectories()
		for _, x := range c.tests {
			x.missingDirectories()
		}
	}
	if !c.failed() || late && !c.rootFailed {
		c.providers(t, nil)
	}
	if !c.failed() {
		c.importProviders(t.Module)
		c.testProviders(t.Module)
	}
	if !c.failed() {
		c.provisionerPlugins()
	}
	if !c.failed() {
		c.evaluateAll()
		c.validateRuns()
	}
	if plan && !c.failed() {
		c.plan()
	}
	return c.finish()
}

// evaluateAll checks what depends on values.
func (c *treeChecker) evaluateAll() {
	c.configurations(c.root)
	c.build()
	if c.has(hclsource.AbsentConfigurations) {
		c.absentConfigurations(c.scopes[c.root])
	}
	if !c.out.HasErrors() && !c.cycles() {
		c.walk()
		c.out = append(c.out, c.scopes[c.root].imports()...)
	}
}
