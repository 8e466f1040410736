// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lifelike

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
)

// A rawResource is a resource of a state as the tools save it.
type rawResource struct {
	Module    string        `json:"module,omitempty"`
	Mode      string        `json:"mode"`
	Type      string        `json:"type"`
	Name      string        `json:"name"`
	Provider  string        `json:"provider"`
	Instances []rawInstance `json:"instances"`
}

type rawInstance struct {
	IndexKey            any            `json:"index_key,omitempty"`
	SchemaVersion       int            `json:"schema_version"`
	Attributes          map[string]any `json:"attributes"`
	SensitiveAttributes []any          `json:"sensitive_attributes"`
	Private             string         `json:"private,omitempty"`
	Dependencies        []string       `json:"dependencies,omitempty"`
}

// StateFile returns a state of about n bytes as the tools save it: indented, as in
// terraform.tfstate, and in the order of the tools. Half of the resources have
// instances with keys.
func StateFile(n int) []byte {
	var resources []rawResource
	m := newMaker()
	for size := 0; size < n; {
		r := m.resource()
		raw := rawResource{r.module, "managed", r.kind.name, fmt.Sprintf("%s_%d", r.name, len(resources)), `provider["registry.opentofu.org/hashicorp/aws"]`, nil}
		add := func(r resource, key any) {
			document := r.document(true)
			i := rawInstance{key, 1, document["values"].(map[string]any), []any{}, base64.StdEncoding.EncodeToString([]byte(`{"schema_version":"1"}`)), nil}
			for name := range r.sensitive {
				i.SensitiveAttributes = append(i.SensitiveAttributes, []any{map[string]any{"type": "get_attr", "value": name}})
				break // maps have no order
			}
			if len(resources) > 0 {
				before := resources[m.IntN(len(resources))]
				i.Dependencies = []string{before.Type + "." + before.Name}
			}
			raw.Instances = append(raw.Instances, i)
			size += len(indented(i))
		}
		if r.key == "" {
			add(r, nil)
		} else {
			add(r, r.key)
			for k := range m.IntN(4) {
				other := r
				other.values, other.unknown, other.sensitive = m.values(r.kind)
				add(other, fmt.Sprint(r.key, k))
			}
		}
		slices.SortFunc(raw.Instances, func(a, b rawInstance) int { return cmp.Compare(fmt.Sprint(a.IndexKey), fmt.Sprint(b.IndexKey)) })
		resources = append(resources, raw)
	}
	slices.SortFunc(resources, func(a, b rawResource) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name))
	})
	return append(indented(struct {
		Version          int            `json:"version"`
		TerraformVersion string         `json:"terraform_version"`
		Serial           int            `json:"serial"`
		Lineage          string         `json:"lineage"`
		Outputs          map[string]any `json:"outputs"`
		Resources        []rawResource  `json:"resources"`
		CheckResults     any            `json:"check_results"`
	}{
		4, "1.12.6", 12, "5f1b2bd0-41a6-4a3c-9d0c-3a5c7a1c2b10",
		map[string]any{"endpoint": map[string]any{"value": "https://example.net", "type": "string"}}, resources, nil,
	}), '\n')
}

// indented returns the JSON text of v with two blanks a level. Values that cannot be
// encoded do not occur.
func indented(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
