// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/planfile"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// A recording is a saved plan and what "show -json" of the tool that wrote it has printed.
type recording struct {
	name    string // such as terraform-1.11.4/actions/plan
	src     []byte
	want    []byte
	schemas *planjson.Schemas // of all providers of the tool's recordings
}

// recordings returns all that there are.
func recordings(t testing.TB) (list []recording) {
	t.Helper()
	names, err := filepath.Glob("testdata/*/*/*.tfplan")
	if err != nil || len(names) == 0 {
		t.Fatal("there are no recordings", err)
	}
	schemas := make(map[string]*planjson.Schemas)
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tool := filepath.Dir(filepath.Dir(name))
		if schemas[tool] == nil {
			if schemas[tool], err = planjson.DecodeSchemas(unzipped(t, tool+"/schemas.json.gz")); err != nil {
				t.Fatal(err)
			}
			for _, p := range schemas[tool].ProviderSchemas { // only managed resources have versions in the tools
				for _, of := range []map[string]*planjson.Schema{p.DataSourceSchemas, p.EphemeralResourceSchemas} {
					for _, s := range of {
						s.Version = 7
					}
				}
			}
		}
		name = strings.TrimSuffix(name, ".tfplan")
		list = append(list, recording{strings.TrimPrefix(filepath.ToSlash(name), "testdata/"), src, unzipped(t, name+".json.gz"), schemas[tool]})
	}
	return list
}

func unzipped(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// open opens the plan of a recording; those that are encrypted have this passphrase.
func (r recording) open(t testing.TB) *planfile.File {
	t.Helper()
	src := r.src
	if planjson.KindOf(src) == planjson.DocumentEncrypted {
		var err error
		if src, err = statefile.Decrypt(t.Context(), src, "a passphrase of the tests"); err != nil {
			t.Fatal(err)
		}
	}
	f, err := planfile.Open(src, planfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestRecorded shows every recorded plan, byte for byte as the tool did.
func TestRecorded(t *testing.T) {
	for _, r := range recordings(t) {
		t.Run(r.name, func(t *testing.T) {
			f := r.open(t)
			got, err := f.JSON(r.schemas)
			if err != nil {
				t.Fatal(err)
			}
			if i := differs(got, r.want); i >= 0 {
				t.Errorf("at %d:\n got %s\nwant %s", i, around(got, i), around(r.want, i))
			}
			plan, err := f.Plan(r.schemas)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := planjson.Encode(plan); err != nil || !bytes.Equal(text, got) {
				t.Errorf("the plan is not its text: %v", err)
			}
			tool, version, _ := strings.Cut(r.name[:strings.IndexByte(r.name, '/')], "-")
			h, err := f.Header()
			if err != nil || h.Tool != addrs.Tool(tool) || h.Version.String() != version {
				t.Errorf("%+v, %v", h, err)
			}
		})
	}
}

func differs(a, b []byte) int {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	if len(a) < len(b) {
		return len(a)
	}
	return -1
}

func around(text []byte, i int) []byte { return text[max(0, i-150):min(len(text), i+150)] }

// TestPartial shows recorded plans without schemas: what does not need them is as the tool shows it, and
// no value of another type than the tools' own is public.
func TestPartial(t *testing.T) {
	for _, r := range recordings(t) {
		t.Run(r.name, func(t *testing.T) {
			f := r.open(t)
			text, missing, err := f.Partial(nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := planjson.DecodePlan(r.want)
			if err != nil {
				t.Fatal(err)
			}
			got, err := planjson.DecodePlan(text)
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.JSON(nil)
			var e *planfile.MissingError
			if (len(missing) > 0) != errors.As(err, &e) || len(missing) == 0 && !bytes.Equal(text, r.want) {
				t.Fatalf("%d types are missing, but the error is %v", len(missing), err)
			}
			isMissing := make(map[string]bool)
			for _, m := range missing {
				isMissing[m.Provider.String()] = true
			}
			comparePartial(t, got.ResourceChanges, want.ResourceChanges, isMissing)
			comparePartial(t, got.ResourceDrift, want.ResourceDrift, isMissing)
			for _, v := range []*planjson.Values{&got.PlannedValues, priorOf(got)} {
				for x := range v.AllResources() {
					if isMissing[x.ProviderName] && x.Values != nil && string(x.SensitiveValues) != "true" {
						t.Errorf("%s: the values are not sensitive as a whole: %s", x.Address, x.SensitiveValues)
					}
				}
			}
			for _, of := range []func(*planjson.Plan) any{
				func(p *planjson.Plan) any { return p.OutputChanges }, func(p *planjson.Plan) any { return p.Checks },
				func(p *planjson.Plan) any { return p.RelevantAttributes }, func(p *planjson.Plan) any { return p.Variables },
			} {
				if a, b := jsonOf(t, of(got)), jsonOf(t, of(want)); a != b {
					t.Errorf("got %s\nwant %s", a, b)
				}
			}
		})
	}
}

func priorOf(p *planjson.Plan) *planjson.Values {
	if p.PriorState == nil || p.PriorState.Values == nil {
		return new(planjson.Values)
	}
	return p.PriorState.Values
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := planjson.ValueOf(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// comparePartial compares what is exact without schemas.
func comparePartial(t *testing.T, got, want []*planjson.ResourceChange, isMissing map[string]bool) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d changes, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Address != w.Address || g.PreviousAddress != w.PreviousAddress || g.ActionReason != w.ActionReason || g.Deposed != w.Deposed || g.ProviderName != w.ProviderName ||
			g.Change.Actions.String() != w.Change.Actions.String() || !slices.EqualFunc(g.Change.ReplacePaths, w.Change.ReplacePaths, planjson.Value.Equal) {
			t.Errorf("%s: got %+v\nwant %+v", w.Address, g, w)
		}
		if !g.Change.AfterUnknown.Equal(w.Change.AfterUnknown) {
			t.Errorf("%s: unknown %s\nwant %s", w.Address, g.Change.AfterUnknown, w.Change.AfterUnknown)
		}
		if !isMissing[w.ProviderName] {
			continue
		}
		for _, side := range [][2]planjson.Value{{g.Change.Before, g.Change.BeforeSensitive}, {g.Change.After, g.Change.AfterSensitive}} {
			if !side[0].IsNull() && string(side[1]) != "true" {
				t.Errorf("%s: a value is not sensitive as a whole: %s", w.Address, side[1])
			}
		}
	}
}
