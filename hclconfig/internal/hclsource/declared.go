// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import "github.com/tofuwire/tofuwire/hclconfig"

// Declared has the declarations of a module by name.
type Declared struct {
	Variables map[string]*hclconfig.Variable
	Locals    map[string]*hclconfig.Local
	Calls     map[string]*hclconfig.ModuleCall
	Outputs   map[string]*hclconfig.Output
	// Resources has the resources of all modes by address, with those in check blocks.
	// Scoped has the names of the checks of these.
	Resources map[string]*hclconfig.Resource
	Scoped    map[string]string
}

// DeclaredIn returns the declarations of m.
func DeclaredIn(m *hclconfig.Module) *Declared {
	d := &Declared{
		Variables: make(map[string]*hclconfig.Variable, len(m.Variables)), Locals: make(map[string]*hclconfig.Local, len(m.Locals)),
		Calls: make(map[string]*hclconfig.ModuleCall, len(m.Calls)), Outputs: make(map[string]*hclconfig.Output, len(m.Outputs)),
		Resources: make(map[string]*hclconfig.Resource, len(m.Resources)+len(m.Data)),
	}
	for _, v := range m.Variables {
		d.Variables[v.Name] = v
	}
	for _, l := range m.Locals {
		d.Locals[l.Name] = l
	}
	for _, k := range m.Calls {
		d.Calls[k.Name] = k
	}
	for _, o := range m.Outputs {
		d.Outputs[o.Name] = o
	}
	for _, r := range AllResources(m) {
		d.Resources[Address(r)] = r
	}
	for _, k := range m.Checks {
		if k.Data != nil {
			if d.Scoped == nil {
				d.Scoped = map[string]string{}
			}
			d.Scoped[Address(k.Data)] = k.Name
		}
	}
	return d
}
