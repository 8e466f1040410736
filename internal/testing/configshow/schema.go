// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package configshow

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
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
		Nesting string      `json:"nesting_mode"`
		Block   BlockSchema `json:"block"`
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
func (s BlockSchema) Schema() *hclconfig.BlockSchema {
	out := &hclconfig.BlockSchema{Attributes: map[string]hclconfig.AttributeSchema{}, Blocks: map[string]*hclconfig.BlockSchema{}}
	for name, a := range s.Attributes {
		out.Attributes[name] = hclconfig.AttributeSchema{Required: a.Required}
	}
	for name, b := range s.Blocks {
		inner := b.Block.Schema()
		inner.Nesting = b.Nesting
		out.Blocks[name] = inner
	}
	return out
}

// Body returns a schema in the form that [hclconfig.Body.Content] takes. The order of its
// lists is not defined.
func Body(s *hclconfig.BlockSchema) *hcl.BodySchema {
	out := new(hcl.BodySchema)
	for name, a := range s.Attributes {
		out.Attributes = append(out.Attributes, hcl.AttributeSchema{Name: name, Required: a.Required})
	}
	for name, b := range s.Blocks {
		h := hcl.BlockHeaderSchema{Type: name}
		if b.Nesting == "map" {
			h.LabelNames = []string{"key"}
		}
		out.Blocks = append(out.Blocks, h)
	}
	return out
}
