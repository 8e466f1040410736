// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile_test

import (
	"errors"
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
