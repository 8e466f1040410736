// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const schemas = `{"format_version": "1.0", "provider_schemas": {
  "registry.opentofu.org/example/lab": {
    "provider": {"version": 0, "block": {"block_types": {"auth": {"nesting_mode": "single", "block": {"attributes": {"k": {"type": "string", "optional": true}}}}}}},
    "resource_schemas": {"lab_thing": {"version": 0, "block": {
      "attributes": {"tags": {"type": ["map", "string"], "optional": true}, "ab": {"type": ["list", ["object", {"v": "string"}]], "optional": true}},
      "block_types": {
        "disk": {"nesting_mode": "list", "block": {"attributes": {"size": {"type": "number", "optional": true}}}},
        "zone": {"nesting_mode": "map", "block": {"attributes": {"size": {"type": "number", "optional": true}}}}
      }}}}
  },
  "registry.opentofu.org/other/lab": {"provider": {"version": 0, "block": {}},
    "resource_schemas": {"lab_thing": {"version": 0, "block": {"attributes": {"disk": {"type": "string"}}}}}}
}}`

const module = `{
  "terraform": {"required_providers": {"lab": {"source": "example/lab"}}},
  "provider": {"lab": {"auth": {"k": "v"}}},
  "resource": {"lab_thing": {"a": {"tags": {"k": "v"}, "ab": [{"v": "x"}], "disk": {"size": 1}, "zone": {"a b": {"size": 2}}}}}
}
`

const want = `terraform {
  required_providers {
    lab = {
      source = "example/lab"
    }
  }
}

provider "lab" {
  auth {
    k = "v"
  }
}

resource "lab_thing" "a" {
  tags = {
    k = "v"
  }
  ab = [
    {
      v = "x"
    },
  ]

  disk {
    size = 1
  }

  zone "a b" {
    size = 2
  }
}
`

// TestSchemas converts with the schemas of providers, of which two have a
// resource type of the same name.
func TestSchemas(t *testing.T) {
	dir := t.TempDir()
	for name, src := range map[string]string{"in/main.tf.json": module, "schema.json": schemas} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var report bytes.Buffer
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	status := Run([]string{"-to", "native", "-schemas", filepath.Join(dir, "schema.json"), in, out}, nil, io.Discard, &report)
	if status != 0 || report.Len() > 0 {
		t.Errorf("exit status %d: %s", status, report.Bytes())
	}
	got, err := os.ReadFile(filepath.Join(out, "main.tf"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Without schemas there are guesses, and each is told.
	status = Run([]string{"-to", "native", "-terraform", in, filepath.Join(dir, "guessed")}, nil, io.Discard, &report)
	if n := strings.Count(report.String(), "Only the provider's schema can tell"); status != 0 || n != 4 {
		t.Errorf("exit status %d, %d guesses: %s", status, n, report.Bytes())
	}
}
