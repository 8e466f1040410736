// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package configshow

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
)

// A schemaDocument is what there is to know of "providers schema -json".
type schemaDocument struct {
	Providers map[string]*ProviderSchemas `json:"provider_schemas"`
}

// ProviderSchemas are the schemas of one provider.
type ProviderSchemas struct {
	Provider     *ObjectSchema            `json:"provider"`
	Resources    map[string]*ObjectSchema `json:"resource_schemas"`
	Data         map[string]*ObjectSchema `json:"data_source_schemas"`
	Ephemeral    map[string]*ObjectSchema `json:"ephemeral_resource_schemas"`
	Provisioners map[string]*ObjectSchema `json:"provisioner_schemas"` // of ours
}

// An ObjectSchema is the schema of one type.
type ObjectSchema struct {
	Version int         `json:"version"`
	Block   BlockSchema `json:"block"`
}

// A BlockSchema is the schema of a block.
type BlockSchema struct {
	Attributes map[string]struct {
		Required bool `json:"required"`
	} `json:"attributes"`
	Blocks map[string]struct {
		Nesting hclconvert.Nesting `json:"nesting_mode"`
		Block   BlockSchema        `json:"block"`
	} `json:"block_types"`
}

// ReadSchemas reads the recorded schemas, and the built-in ones. They
// are found by namespace and type: all hosts of the recordings have the same.
func ReadSchemas(t *testing.T, root string) map[string]*ProviderSchemas {
	t.Helper()
	out := map[string]*ProviderSchemas{}
	for _, name := range []string{"providers-schema.json", "built-in-schema.json"} {
		src, err := os.ReadFile(root + "/" + name)
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

// Schema returns s in the terms of the package.
func (s BlockSchema) Schema() hclconvert.Schema {
	out := hclconvert.Schema{Attributes: map[string]hclconvert.Attribute{}, Blocks: map[string]hclconvert.NestedBlock{}}
	for name, a := range s.Attributes {
		out.Attributes[name] = hclconvert.Attribute{Required: a.Required}
	}
	for name, b := range s.Blocks {
		out.Blocks[name] = hclconvert.NestedBlock{Nesting: b.Nesting, Schema: b.Block.Schema()}
	}
	return out
}
