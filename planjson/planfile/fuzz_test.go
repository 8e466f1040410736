// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/planfile"
)

// entriesOf returns the entries of a saved plan, each a name and a text.
func entriesOf(t testing.TB, src []byte) (entries []string) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, f.Name, string(text))
	}
	return entries
}

// with returns the entries with another text in one of them.
func with(entries []string, name, text string) []string {
	out := append([]string(nil), entries...)
	for i := 0; i < len(out); i += 2 {
		if out[i] == name {
			out[i+1] = text
		}
	}
	return out
}

// checkLaws checks what holds for every file: an error is of the package's type, and has a place in its
// entry; a text is JSON that decodes, and is a plan that can be encoded; what is shown
// without schemas is what is shown with them, but for marks and types.
func checkLaws(t testing.TB, src []byte, schemas *planjson.Schemas) {
	t.Helper()
	f, err := planfile.Open(src, planfile.Options{})
	if err != nil {
		checkError(t, err)
		return
	}
	for _, s := range []*planjson.Schemas{nil, schemas} {
		text, _, err := f.Partial(s)
		if err != nil {
			checkError(t, err)
			continue
		}
		plan, err := planjson.DecodePlan(text)
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if again, err := planjson.Canonical(plan); err != nil {
			t.Fatalf("%v: %s", err, again)
		}
	}
	if _, err := f.Header(); err != nil {
		checkError(t, err)
	}
	if _, err := f.Snapshot(); err != nil {
		checkError(t, err)
	}
}

func checkError(t testing.TB, err error) {
	t.Helper()
	e, ok := errors.AsType[*planfile.Error](err)
	if !ok || e.Err == nil || !strings.HasPrefix(e.Error(), "planfile: ") || e.Offset < -1 {
		t.Fatalf("%#v", err)
	}
}

// FuzzOpen opens damaged archives.
func FuzzOpen(f *testing.F) {
	f.Add(planOf())
	f.Add(planOf("tfconfig/m-/main.tf", `resource "terraform_data" "a" { input = [for x in [1, 2] : [for y in [1, 2] : x]] }`))
	f.Fuzz(func(t *testing.T, src []byte) { checkLaws(t, src, nil) })
}

// FuzzPlan shows archives with a damaged tfplan.
func FuzzPlan(f *testing.F) {
	var entries []string
	var schemas *planjson.Schemas
	for _, r := range recordings(f) {
		if strings.HasSuffix(r.name, "/actions/plan.change") {
			entries, schemas = entriesOf(f, r.src), r.schemas
			f.Add([]byte(entries[1]))
		}
	}
	f.Fuzz(func(t *testing.T, plan []byte) {
		checkLaws(t, zipOf(with(entries, "tfplan", string(plan))...), schemas)
	})
}

// TestDamaged changes bytes of the entries of recorded plans, and cuts them.
func TestDamaged(t *testing.T) {
	for _, r := range recordings(t) {
		if !strings.HasSuffix(r.name, "/sensitive-unknown/plan") || planjson.KindOf(r.src) != planjson.DocumentPlanFile {
			continue
		}
		entries := entriesOf(t, r.src)
		for _, name := range []string{"tfplan", "tfstate", "tfconfig/modules.json"} {
			text := ""
			for i := 0; i < len(entries); i += 2 {
				if entries[i] == name {
					text = entries[i+1]
				}
			}
			for i := 0; i < len(text); i += 1 + len(text)/25 {
				checkLaws(t, zipOf(with(entries, name, text[:i])...), r.schemas)
				for _, c := range []byte{0x80, text[i] ^ 1} {
					checkLaws(t, zipOf(with(entries, name, text[:i]+string(c)+text[i+1:])...), r.schemas)
				}
			}
		}
	}
}
