// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	goccy "github.com/goccy/go-json"

	"github.com/tofuwire/tofuwire/benchmarks/lifelike"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// rawState has all members of a state as the tools save it, for the peers; values of
// any type stay raw, as ours do.
type rawState struct {
	Version          int                   `json:"version"`
	TerraformVersion string                `json:"terraform_version"`
	Serial           uint64                `json:"serial"`
	Lineage          string                `json:"lineage"`
	Outputs          map[string]*rawOutput `json:"outputs"`
	Resources        []*rawResource        `json:"resources"`
	CheckResults     []*rawCheck           `json:"check_results"`
}

type rawOutput struct {
	Value      json.RawMessage `json:"value"`
	Type       json.RawMessage `json:"type"`
	Sensitive  bool            `json:"sensitive,omitempty"`
	Deprecated string          `json:"deprecated,omitempty"`
}

type rawResource struct {
	Module    string         `json:"module,omitempty"`
	Mode      string         `json:"mode"`
	Type      string         `json:"type"`
	Name      string         `json:"name"`
	Each      string         `json:"each,omitempty"`
	Provider  string         `json:"provider,omitempty"`
	Instances []*rawInstance `json:"instances"`
}

type rawInstance struct {
	IndexKey              json.RawMessage   `json:"index_key,omitempty"`
	Status                string            `json:"status,omitempty"`
	Deposed               string            `json:"deposed,omitempty"`
	Provider              string            `json:"provider,omitempty"`
	SchemaVersion         uint64            `json:"schema_version"`
	Attributes            json.RawMessage   `json:"attributes,omitempty"`
	AttributesFlat        map[string]string `json:"attributes_flat,omitempty"`
	SensitiveAttributes   json.RawMessage   `json:"sensitive_attributes,omitempty"`
	Private               string            `json:"private,omitempty"`
	Dependencies          []string          `json:"dependencies,omitempty"`
	DependsOn             []string          `json:"depends_on,omitempty"`
	CreateBeforeDestroy   bool              `json:"create_before_destroy,omitempty"`
	SkipDestroy           bool              `json:"skip_destroy,omitempty"`
	Identity              json.RawMessage   `json:"identity,omitempty"`
	IdentitySchemaVersion *uint64           `json:"identity_schema_version,omitempty"`
}

type rawCheck struct {
	ObjectKind string           `json:"object_kind"`
	ConfigAddr string           `json:"config_addr"`
	Status     string           `json:"status"`
	Objects    []*rawCheckState `json:"objects"`
}

type rawCheckState struct {
	ObjectAddr      string   `json:"object_addr"`
	Status          string   `json:"status"`
	FailureMessages []string `json:"failure_messages,omitempty"`
}

func decodeStateFile(text []byte) error {
	f, err := statefile.Decode(text)
	sink = f
	return err
}

// BenchmarkDecodeStateFile decodes states as the tools save them.
func BenchmarkDecodeStateFile(b *testing.B) {
	for _, size := range sizes("1MB", "10MB") {
		text := lifelike.StateFile(megabytes[size] << 20)
		compare(b, size, int64(len(text)),
			impl{"skip", func() error { return skip(text) }},
			impl{"tofuwire", func() error { return decodeStateFile(text) }},
			impl{"goccy", func() error {
				s := new(rawState)
				sink = s
				return goccy.Unmarshal(text, s)
			}},
			impl{"encoding-json", func() error {
				s := new(rawState)
				sink = s
				return json.Unmarshal(text, s)
			}},
		)
	}
}

// BenchmarkListStateFile lists the addresses of all objects of a state from a reader.
func BenchmarkListStateFile(b *testing.B) {
	for _, size := range sizes("1MB", "10MB", "100MB") {
		text := lifelike.StateFile(megabytes[size] << 20)
		compare(b, size, int64(len(text)),
			impl{"skip", func() error { return skip(text) }},
			impl{"tofuwire", func() error {
				n := 0
				for i, err := range statefile.List(bytes.NewReader(text)) {
					if err != nil {
						return err
					}
					n += len(i.Address.String())
				}
				if n == 0 {
					return errors.New("no address")
				}
				return nil
			}},
		)
	}
}
