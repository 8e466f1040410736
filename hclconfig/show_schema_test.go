// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// A schemaDocument is what there is to know of "providers schema -json".
type schemaDocument struct {
	Providers map[string]*providerSchemas `json:"provider_schemas"`
}

type providerSchemas struct {
	Provider     *objectSchema            `json:"provider"`
	Resources    map[string]*objectSchema `json:"resource_schemas"`
	Data         map[string]*objectSchema `json:"data_source_schemas"`
	Ephemeral    map[string]*objectSchema `json:"ephemeral_resource_schemas"`
	Provisioners map[string]*objectSchema `json:"provisioner_schemas"` // of ours
}

type objectSchema struct {
	Version int         `json:"version"`
	Block   blockSchema `json:"block"`
}

type blockSchema struct {
	Attributes map[string]struct {
		Required bool `json:"required"`
	} `json:"attributes"`
	Blocks map[string]struct {
		Nesting hclconfig.Nesting `json:"nesting_mode"`
		Block   blockSchema       `json:"block"`
	} `json:"block_types"`
}

// readSchemas reads the recorded schemas, and those of what is built in. They
// are found by namespace and type: all hosts of the recordings have the same.
func readSchemas(t *testing.T) map[string]*providerSchemas {
	t.Helper()
	out := map[string]*providerSchemas{}
	for _, name := range []string{"providers-schema.json", "built-in-schema.json"} {
		src, err := os.ReadFile(recordedDir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var doc schemaDocument
		if err := json.Unmarshal(src, &doc); err != nil {
			t.Fatal(err)
		}
		for source, s := range doc.Providers {
			p := addrs.MustParseProvider(source)
			out[p.Namespace()+"/"+p.Type()] = s
		}
	}
	return out
}

// schema returns s in the terms of the package.
func (s blockSchema) schema() hclconfig.Schema {
	out := hclconfig.Schema{Attributes: map[string]hclconfig.Attribute{}, Blocks: map[string]hclconfig.NestedBlock{}}
	for name, a := range s.Attributes {
		out.Attributes[name] = hclconfig.Attribute{Required: a.Required}
	}
	for name, b := range s.Blocks {
		out.Blocks[name] = hclconfig.NestedBlock{Nesting: b.Nesting, Schema: b.Block.schema()}
	}
	return out
}
