// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
)

// seed adds the fixtures of one syntax.
func seed(f *testing.F, syntax hclconfig.Syntax) {
	for _, fx := range configshow.Fixtures(f, "testdata", "hclconvert/testdata") {
		if name, _ := hclconfig.ParseFilename(fx.Name); name.Syntax == syntax && len(fx.Src) < 4096 {
			f.Add(fx.Src)
		}
	}
}

func FuzzNative(f *testing.F) {
	seed(f, hclconfig.NativeSyntax)
	f.Fuzz(func(t *testing.T, src []byte) { checkLaws(t, "x.tf", src) })
}

func FuzzJSON(f *testing.F) {
	seed(f, hclconfig.JSONSyntax)
	f.Fuzz(func(t *testing.T, src []byte) { checkLaws(t, "x.tf.json", src) })
}

// checkLaws requires of any text that it comes back as it was, that nothing
// that can be asked of it panics, and that places agree with HCL's.
func checkLaws(t *testing.T, name string, src []byte) {
	if len(src) > 1<<14 {
		return // no longer than a fuzzer reads quickly
	}
	f, err := hclconfig.Parse(name, src)
	if !bytes.Equal(f.Bytes(), src) {
		t.Fatal("the bytes are not those that were parsed")
	}
	if (err != nil) != f.Diagnostics().HasErrors() && err != nil {
		t.Fatalf("%v is not among the diagnostics", err)
	}
	for _, d := range f.Diagnostics() {
		if d.Subject.Start.Offset > d.Subject.End.Offset || d.Subject.End.Offset > int64(len(src)) {
			t.Errorf("a diagnostic is nowhere: %v", d)
		}
	}
	askEverything(t, f)
	if err != nil {
		return
	}
	if name == "x.tf" && utf8.Valid(src) {
		tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos)
		for _, tok := range tokens {
			if p := f.Position(int64(tok.Range.Start.Byte)); p.Line != tok.Range.Start.Line {
				t.Errorf("offset %d is at %v, HCL says %v", tok.Range.Start.Byte, p, tok.Range.Start)
			}
		}
	}
}

func askEverything(t *testing.T, f *hclconfig.File) {
	for _, r := range f.Body().References() {
		if rng := r.Range(); rng.End.Offset > int64(len(f.Bytes())) || rng.Start.Offset > rng.End.Offset {
			t.Errorf("%s is nowhere: %v", r, rng)
		}
	}
	for a := range f.Body().AllArguments() {
		a.Value(nil)
		a.Keyword()
		_, _ = a.Address()
		_, _, _ = a.TypeConstraint()
		if m, ok := a.Members(); ok {
			for _, m := range m {
				m.Value.References()
			}
		}
	}
	f.Config()
	for b := range f.Body().All() {
		b.Body.Own()
	}
}
