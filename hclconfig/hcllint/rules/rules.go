// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

// The sets of rules. One only in presetNone, which no configuration can name, must be named to run.
const (
	presetRecommended = "recommended"
	presetAll         = "all"
	presetStyle       = "style"
	presetNone        = ""
)

// page returns the address of a rule's description.
func page(rule string) string {
	return "https://github.com/tofuwire/tofuwire/blob/main/docs/lint-rules.md#" + rule
}

// All returns all rules, sorted by name. Each call returns the same analyzers.
func All() []*hcllint.Analyzer {
	return []*hcllint.Analyzer{
		heredocStripMarker,
		providerBlockCount,
		providerDeprecated,
		providerMissingArgument,
		providerReadOnlyArgument,
		providerUnknownArgument,
		providerUnknownFunction,
		providerUnknownNestedArgument,
		providerWrongType,
		styleArgumentOrder,
		styleFileLayout,
		styleFormat,
		styleResourceName,
		commentSyntax,
		deprecatedIndex,
		deprecatedInterpolation,
		deprecatedLookup,
		documentedOutputs,
		documentedVariables,
		emptyListEquality,
		jsonSyntax,
		mapDuplicateKeys,
		modulePinnedSource,
		moduleShallowClone,
		moduleVersion,
		namingConvention,
		requiredProviders,
		requiredVersion,
		standardModuleStructure,
		typedVariables,
		unusedDeclarations,
		unusedRequiredProviders,
		workspaceRemote,
		hcllint.Checker(),
	}
}

// Recommended returns the rules in tflint's preset of that name, and those of this
// package's own rules that every module should follow.
func Recommended() []*hcllint.Analyzer {
	return slices.DeleteFunc(All(), func(a *hcllint.Analyzer) bool {
		return a.Presets != nil && !slices.Contains(a.Presets, presetRecommended)
	})
}

// localsOf returns the arguments that declare local values, also those that only override
// files have.
func localsOf(m *hclconfig.Module) []*hclconfig.Argument {
	var out []*hclconfig.Argument
	known := map[string]bool{}
	for _, l := range m.Locals {
		out = append(out, l.Argument)
		known[l.Name] = true
	}
	for _, f := range m.Files {
		if !f.IsOverride() {
			continue
		}
		for b := range f.Body().BlocksOfType("locals") {
			for i := range b.Body.Arguments {
				if a := &b.Body.Arguments[i]; !known[a.Name] {
					out = append(out, a)
				}
			}
		}
	}
	return out
}
