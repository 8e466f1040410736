// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// Names returns the new names of the files of one directory when all of them are
// converted to one syntax: a map from each name to its new one. Names of files that are
// already in that syntax, of files of values, and of files that are not configuration
// stay the same. The names may be paths, if all are in one directory.
//
// The names decide which files OpenTofu reads, and the order of overrides. Most change
// their extension only: main.tf becomes main.tf.json. But next to main.tf.json, or to
// main.tofu.json which would then be read instead, it becomes main_native.tf.json; in
// the other direction main_json.tf. The name of an override file remains one, and keeps
// its place in the order. The diagnostics report names for which that is not possible.
func Names(names []string, to hclconfig.Syntax) (map[string]string, hclconfig.Diagnostics) {
	type key struct {
		stem string
		kind hclconfig.FileKind
	}
	out := make(map[string]string, len(names))
	kept := map[key]bool{} // files already in that syntax
	used := map[string]bool{}
	for _, name := range names {
		n, ok := hclconfig.ParseFilename(name)
		out[name] = name
		used[name] = true
		if ok && n.Syntax == to {
			kept[key{n.Stem, n.Kind}] = true
		}
	}
	sorted := slices.Sorted(slices.Values(names))
	for _, name := range sorted {
		n, ok := hclconfig.ParseFilename(name)
		if !ok || n.Syntax == to || n.Kind == hclconfig.ValuesFile {
			continue
		}
		fresh := convertedName(name, to)
		if kept[key{n.Stem, n.Kind}] || used[fresh] {
			extension := fresh[len(n.Stem):]
			for i := 1; ; i++ {
				stem := freeStem(n, to, i)
				fresh = stem + extension
				if !kept[key{stem, n.Kind}] && !used[fresh] {
					break
				}
			}
		}
		out[name] = fresh
	}
	return out, overrideOrder(sorted, out)
}

// freeStem returns the i-th name to try for a file whose own is taken. The
// variants with .tf and with .tofu get the same, since one shadows the other.
func freeStem(n hclconfig.Filename, to hclconfig.Syntax, i int) string {
	number := ""
	if i > 1 {
		number = strconv.Itoa(i)
	}
	switch {
	case n.Override && to == hclconfig.JSONSyntax:
		// "-" sorts before ".", as x_override.tf does before x_override.tf.json.
		return n.Stem + "-native" + number + "_override"
	case n.Override:
		// ".u" sorts after ".tf" and ".tofu".
		return n.Stem + ".u" + number + "_override"
	case to == hclconfig.JSONSyntax:
		return n.Stem + "_native" + number
	}
	return n.Stem + "_json" + number
}

// overrideOrder reports overrides whose order changes with their names.
func overrideOrder(sorted []string, names map[string]string) hclconfig.Diagnostics {
	var diags hclconfig.Diagnostics
	last := ""
	for _, name := range sorted {
		if n, ok := hclconfig.ParseFilename(name); !ok || !n.Override || n.Kind != hclconfig.ConfigFile {
			continue
		}
		if names[name] < last {
			diags = append(diags, hclconfig.Diagnostic{
				Severity: hclconfig.SeverityError, Summary: "Order of override files changes",
				Detail:  fmt.Sprintf("OpenTofu reads %s before %s; their new names sort the other way.", last, names[name]),
				Subject: addrs.Range{Filename: name},
			})
		}
		last = max(last, names[name])
	}
	return diags
}

// convertedName returns the name of a file in the other syntax.
func convertedName(name string, to hclconfig.Syntax) string {
	stem, isJSON := strings.CutSuffix(name, ".json")
	if to == hclconfig.NativeSyntax {
		switch {
		case !isJSON:
			return name
		case isModuleName(stem):
			return stem
		}
		if _, ok := hclconfig.ParseFilename("x" + path.Ext(stem) + ".hcl"); ok {
			return stem + ".hcl"
		}
		return name
	}
	if isModuleName(name) {
		return name + ".json"
	}
	if stem, ok := strings.CutSuffix(name, ".hcl"); ok {
		if _, ok := hclconfig.ParseFilename("x" + path.Ext(stem) + ".json"); ok {
			return stem + ".json"
		}
	}
	return name
}

func isModuleName(name string) bool {
	return strings.HasSuffix(name, ".tf") || strings.HasSuffix(name, ".tofu")
}
