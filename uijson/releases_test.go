// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"os"
	"testing"

	archive "github.com/tofuwire/tofuwire/internal/testing/recordings"
	"github.com/tofuwire/tofuwire/uijson"
)

// Every message of every release comes out as it went in, is canonical, has a
// known type and no member without a field.
func TestReleases(t *testing.T) {
	releases, err := archive.Releases()
	if err != nil {
		t.Fatal(err)
	}
	constants, err := os.ReadFile("testdata/types.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[uijson.Type]int)
	n := 0
	for _, r := range releases {
		for f, err := range r.Files() {
			if err != nil {
				t.Fatal(err)
			}
			if f.Kind != "ui" {
				continue
			}
			messages(f.Text, func(line []byte) {
				m := decode(t, line)
				n++
				known[m.Type]++
				if out := encode(t, m); !bytes.Equal(out, line) {
					t.Errorf("%s/%s:\n in  %s\n out %s", r, f.Name, line, out)
				}
				if m.Type != "" && !bytes.Contains(constants, []byte("\n"+m.Type+"\t")) {
					t.Errorf("%s/%s: a message of the type %s", r, f.Name, m.Type)
				}
				for at, v := range m.Extras() {
					t.Errorf("%s/%s: no field for %s: %s", r, f.Name, at, v)
				}
				out, err := uijson.Canonical(m)
				if want := bytes.TrimRight(line, "\r\n"); err != nil || !bytes.Equal(out, want) {
					t.Errorf("%s/%s: canonical form, with %v\n in  %s\n out %s", r, f.Name, err, line, out)
				}
			})
		}
	}
	if n < 20000 || len(known) < 40 {
		t.Errorf("only %d messages of %d types", n, len(known))
	}
	t.Logf("%d messages of %d types", n, len(known))
}
