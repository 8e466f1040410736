// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package settingsfile reads the settings of report, comment and gate, a file in native or JSON syntax:
// options that hold if the command line does not have them.
package settingsfile

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/tofuwire/tofuwire/internal/commandline"
)

// Name is the name of the file that report finds.
const Name = ".tofuwire.hcl"

// arguments are those of each block. Those of lists add one value of the option for each element.
var arguments = map[string][]hcl.AttributeSchema{
	"report": {{Name: "title"}, {Name: "format"}, {Name: "for"}, {Name: "limit"}, {Name: "only"}, {Name: "address"}},
	"gate":   {{Name: "policy"}},
}

// A Setting is a value of an option, with its place in the file.
type Setting struct{ Option, Value, Place string }

// Find returns the file of settings of the working directory, or of one above it up to the root of the
// repository, or "".
func Find() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for ; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, Name)); err == nil && info.Mode().IsRegular() {
			return filepath.Join(dir, Name)
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil || filepath.Dir(dir) == dir {
			return ""
		}
	}
}

// Apply sets the options of a block that the command line does not have. Those in adds count beside the
// command line, and those in skipped are not read.
func Apply(name, block string, flags *commandline.Set, adds, skipped []string) error {
	list, err := read(name, block)
	if err != nil {
		return err
	}
	given := map[string]bool{}
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for _, s := range list {
		switch {
		case has(skipped, s.Option), given[s.Option] && !has(adds, s.Option):
			continue
		}
		if err := flags.FlagSet.Set(s.Option, s.Value); err != nil {
			return fmt.Errorf("%s: %s: %w", s.Place, s.Option, err)
		}
	}
	return nil
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// read returns the settings in a block of a file. All blocks are checked.
func read(name, block string) ([]Setting, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var f *hcl.File
	var diags hcl.Diagnostics
	if strings.HasSuffix(name, ".json") {
		f, diags = hcljson.Parse(src, name)
	} else {
		f, diags = hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	}
	if diags.HasErrors() {
		return nil, first(diags)
	}
	content, diags := f.Body.Content(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "report"}, {Type: "gate"}}})
	if diags.HasErrors() {
		return nil, first(diags)
	}
	var list []Setting
	seen := map[string]bool{}
	for _, b := range content.Blocks {
		if seen[b.Type] {
			return nil, fmt.Errorf("%s: there is a block %s already", place(b.DefRange), b.Type)
		}
		seen[b.Type] = true
		settings, err := settingsOf(b)
		if err != nil {
			return nil, err
		}
		if b.Type == block {
			list = settings
		}
	}
	return list, nil
}

// settingsOf returns the settings in a block.
func settingsOf(b *hcl.Block) (list []Setting, err error) {
	content, diags := b.Body.Content(&hcl.BodySchema{Attributes: arguments[b.Type]})
	if diags.HasErrors() {
		return nil, first(diags)
	}
	for _, a := range arguments[b.Type] {
		attr := content.Attributes[a.Name]
		if attr == nil {
			continue
		}
		v, diags := attr.Expr.Value(nil)
		if diags.HasErrors() {
			return nil, first(diags)
		}
		at := place(attr.Range)
		texts, ok := textsOf(v, a.Name == "only" || a.Name == "address" || a.Name == "policy")
		if !ok {
			return nil, fmt.Errorf("%s: %s: unsuitable value", at, a.Name)
		}
		for _, text := range texts {
			list = append(list, Setting{a.Name, text, at})
		}
	}
	return list, nil
}

// textsOf returns the values that an argument has as texts.
func textsOf(v cty.Value, isList bool) ([]string, bool) {
	if !isList {
		text, err := convert.Convert(v, cty.String)
		if err != nil || text.IsNull() || !text.IsKnown() {
			return nil, false
		}
		return []string{text.AsString()}, true
	}
	if v.IsNull() || !v.CanIterateElements() || v.Type().IsObjectType() || v.Type().IsMapType() {
		return nil, false
	}
	var list []string
	for _, e := range v.AsValueSlice() {
		texts, ok := textsOf(e, false)
		if !ok || e.Type() != cty.String {
			return nil, false
		}
		list = append(list, texts...)
	}
	return list, true
}

// first returns the first error, with its place.
func first(diags hcl.Diagnostics) error {
	d := diags.Errs()[0].(*hcl.Diagnostic)
	text := strings.ReplaceAll(d.Summary+"; "+d.Detail, "\n", " ")
	if d.Subject == nil {
		return fmt.Errorf("%s", text)
	}
	return fmt.Errorf("%s: %s", place(*d.Subject), text)
}

func place(r hcl.Range) string {
	return fmt.Sprintf("%s:%d,%d", r.Filename, r.Start.Line, r.Start.Column)
}
