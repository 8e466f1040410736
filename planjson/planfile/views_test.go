// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/planfile"
)

// TestViews compares what is read without schemas with the document of the same plan.
func TestViews(t *testing.T) {
	generated := 0
	for _, r := range recordings(t) {
		f := r.open(t)
		want, err := planjson.DecodePlan(r.want)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := f.Tree()
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		if got := len(tree.Children); got < len(want.Config().RootModule.ModuleCalls) {
			t.Errorf("%s: %d modules, want %d", r.name, got, len(want.Config().RootModule.ModuleCalls))
		}
		h, err := f.Header()
		if err != nil {
			t.Fatal(err)
		}
		if v, err := h.Backend.Config(); err != nil || v.Kind() != planjson.KindObject {
			t.Errorf("%s: the backend %s: %s, %v", r.name, h.Backend.Type, v, err)
		}
		configs, err := f.GeneratedConfig()
		if err != nil {
			t.Fatal(err)
		}
		for _, rc := range want.ResourceChanges {
			if text := rc.Change.GeneratedConfig; text != configs[rc.Address] {
				t.Errorf("%s: %s: got %q, want %q", r.name, rc.Address, configs[rc.Address], text)
			} else if text != "" {
				generated++
			}
		}
	}
	if generated == 0 {
		t.Error("no recording has a generated configuration")
	}
}

func TestJoinSchemas(t *testing.T) {
	decode := func(text string) *planjson.Schemas {
		d, err := planjson.DecodeSchemas([]byte(`{"format_version":"1.0","provider_schemas":{` + text + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	const a, other, b = `"h/a/x":{"provider":{"version":1,"block":{}}}`, `"h/a/x":{"provider":{"version":2,"block":{}}}`, `"h/b/y":{}`
	if s, err := planfile.JoinSchemas(decode(a), nil, decode(b), decode(a)); err != nil || len(s.ProviderSchemas) != 2 {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := planfile.JoinSchemas(decode(a), decode(other)); !errors.Is(err, planfile.ErrSchemas) {
		t.Errorf("two versions of a provider: %v", err)
	}
}

var beforeTofu = regexp.MustCompile(`^terraform-1\.[1-5]\.`)

// TestHeader_withoutLock opens plans whose lock file is missing: other signs tell the tool.
func TestHeader_withoutLock(t *testing.T) {
	for _, r := range recordings(t) {
		hosted := bytes.Contains(r.want, []byte(`"provider_name":"registry.`))
		if planjson.KindOf(r.src) == planjson.DocumentEncrypted || !hosted && !beforeTofu.MatchString(r.name) { // nothing tells
			continue
		}
		z, err := zip.NewReader(bytes.NewReader(r.src), int64(len(r.src)))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for _, f := range z.File {
			if f.Name == ".terraform.lock.hcl" {
				continue
			}
			if err := w.Copy(f); err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		f, err := planfile.Open(out.Bytes(), planfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		h, err := f.Header()
		if tool, _, _ := strings.Cut(r.name, "-"); err != nil || string(h.Tool) != tool {
			t.Errorf("%s: %v, %v", r.name, h, err)
		}
		if _, err := f.JSON(nil); err != nil && !errors.Is(err, planfile.ErrSchemas) {
			t.Errorf("%s: %v", r.name, err)
		}
	}
}
