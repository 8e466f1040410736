// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"embed"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// Two modules of the recordings, one in each syntax.
//
//go:embed testdata/hclconfig
var hclconfigModules embed.FS

// showHclconfig reads a module in native syntax and one in JSON syntax, and
// edits a file without touching anything else.
func showHclconfig(w io.Writer) error {
	for _, dir := range []string{"native", "json"} {
		m, err := hclconfig.LoadModule(hclconfigModules, "testdata/hclconfig/"+dir)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s: %d variables, %d resources, %d data sources, %d module calls, %d outputs, %d problems\n",
			m.Files[0].Filename(), len(m.Variables), len(m.Resources), len(m.Data), len(m.Calls), len(m.Outputs), len(hclcheck.ValidateModule(m)))
		for _, p := range m.RequiredProviders() {
			fmt.Fprintf(w, "  needs %s %s\n", p.Provider, p.Constraints)
		}
		f := m.Files[0]
		uses := map[string]int{}
		for _, r := range f.Body().References() {
			uses[r.Addr.Subject().String()]++
		}
		first := m.Variables[0]
		fmt.Fprintf(w, "  var.%s, declared at %s, is used %d times\n", first.Name, first.Block.DefRange(), uses["var."+first.Name])
		g, err := hcledit.Edit(f).Set(first.Block, "description", "Set by the quickstart, not by ${anyone}.").Apply()
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  one edit: %d of %d bytes are new\n", len(g.Bytes())-commonBytes(f.Bytes(), g.Bytes()), len(g.Bytes()))
	}
	return nil
}

// commonBytes returns how many bytes two texts share at both ends.
func commonBytes(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	m := 0
	for m < len(a) && m < len(b) && bytes.HasSuffix(a, b[len(b)-1-m:]) {
		m++
	}
	return n + m
}
