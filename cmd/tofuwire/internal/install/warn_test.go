// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/supply"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
)

// Of the hashes in a lock, tofu compares only those of zips with the blob of an OCI registry.
func TestWarn_zipHash(t *testing.T) {
	const zip = "295b11db46577931913e1754bd0175f35c8de3076cedb03eae52597e431cc728"
	for name, tt := range map[string]struct {
		origin registry.Origin
		known  []addrs.Hash
		want   bool
	}{
		"no lock":           {registry.FromElsewhere, nil, false},
		"the zip":           {registry.FromElsewhere, []addrs.Hash{"h1:a", "zh:" + zip}, false},
		"h1 alone":          {registry.FromElsewhere, []addrs.Hash{"h1:a"}, true},
		"another zip":       {registry.FromElsewhere, []addrs.Hash{"h1:a", "zh:b"}, true},
		"an unknown scheme": {registry.FromElsewhere, []addrs.Hash{"h9:a"}, false},
		"a registry":        {registry.FromRegistry, []addrs.Hash{"h1:a"}, false},
	} {
		j := &job{providers: []install.InstalledProvider{{
			Selection: install.Selection{Provider: addrs.MustParseProvider("acme/null"), Version: addrs.MustParseVersion("1.0.0"), Known: tt.known},
			Result:    &registry.Result{Package: &registry.Package{Origin: tt.origin, SHA256: zip}},
		}}}
		var b bytes.Buffer
		j.warn(&supply.Supply{}, &b)
		if got := strings.HasPrefix(b.String(), "warning: acme/null 1.0.0: tofu 1.12 cannot install it from an OCI registry"); got != tt.want || !got && b.Len() > 0 {
			t.Errorf("%s: got %q", name, b.String())
		}
	}
}

// TF_DATA_DIR is where the tools look. A link leads there.
func TestOtherDataDir(t *testing.T) {
	dir := t.TempDir()
	own, data := filepath.Join(dir, ".terraform"), t.TempDir()
	for value, want := range map[string]string{"": "", own: "", own + "/../.terraform/": "", data: data, filepath.Join(data, "none"): filepath.Join(data, "none")} {
		if got := otherDataDir(dir, []string{"TF_DATA_DIR=x", "TF_DATA_DIR=" + value}); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
	if err := os.Symlink(data, own); err != nil {
		t.Skip("needs a system with symbolic links:", err)
	}
	if got := otherDataDir(dir, []string{"TF_DATA_DIR=" + data}); got != "" {
		t.Errorf("%s is the target of the link", got)
	}
}
