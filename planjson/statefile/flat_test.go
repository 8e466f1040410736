// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// flatState returns a state with one object of the lab provider that has flat attributes.
func flatState(typ string, version int, attributes string) *statefile.File {
	f, err := statefile.Decode(fmt.Appendf(nil, `{"version":4,"terraform_version":"0.12.0","serial":1,"lineage":"l","outputs":{},"resources":[`+
		`{"mode":"managed","type":%q,"name":"b","provider":"provider[\"registry.terraform.io/example/lab\"]","instances":[`+
		`{"schema_version":%d,"attributes_flat":%s}]}],"check_results":null}`, typ, version, attributes))
	must(err)
	return f
}

// TestShowFlat compares what is shown of attributes from before Terraform 0.12 with what
// Terraform 1.11.4 shows, the schema's sensitive parts
// among them. Without a schema they are texts.
func TestShowFlat(t *testing.T) {
	schemas := schemasOf("terraform-1.11.4")
	for _, tt := range []struct {
		typ                           string
		version                       int
		attributes, values, sensitive string
	}{
		{"lab_blocks", 1,
			`{"id":"1","title":"t\u003c","revision":"12.50","disk.#":"2","disk.0.kind":"ssd","disk.0.gb":"10","disk.0.key":"hunter2","disk.0.partition.#":"2","disk.0.partition.111.fs":"ext4","disk.0.partition.111.size":"5","disk.0.partition.111.flags.#":"2","disk.0.partition.111.flags.1":"b","disk.0.partition.111.flags.2":"a","disk.0.partition.222.fs":"xfs","disk.1.kind":"hdd","listener.#":"1","network.vlan":"5","zone.%":"1","zone.z.cidr":"c","policy.level":"x","odd":"1"}`,
			`{"disk":[{"dev":null,"gb":10,"key":"hunter2","kind":"ssd","partition":[{"flags":["a","b"],"fs":"ext4","size":5},{"flags":null,"fs":"xfs","size":null}]},{"dev":null,"gb":null,"key":null,"kind":"hdd","partition":null}],"fail":null,"id":"1","listener":[{"cert":null,"port":null}],"network":{"mtu":null,"vlan":5},"policy":{"grace":null,"level":"x"},"revision":12.5,"title":"t\u003c","zone":{"z.cidr":{"cidr":null,"note":null}}}`, `{"disk":[{"key":true,"partition":[{"flags":[false,false]},{}]},{"key":true}],"listener":true,"network":{},"policy":{},"zone":{"z.cidr":{}}}`},
		{"lab_blocks", 1,
			`{"id":"1","listener.#":"1","disk.#":"0"}`,
			`{"disk":[],"fail":null,"id":"1","listener":[{"cert":null,"port":null}],"network":{"mtu":null,"vlan":null},"policy":{"grace":null,"level":null},"revision":null,"title":null,"zone":null}`, `{"disk":[],"listener":true,"network":{},"policy":{}}`},
		{"lab_blocks", 1,
			`{}`,
			`{"disk":null,"fail":null,"id":null,"listener":null,"network":{"mtu":null,"vlan":null},"policy":{"grace":null,"level":null},"revision":null,"title":null,"zone":null}`, `{"network":{},"policy":{}}`},
		{"lab_blocks", 1,
			`{"disk.#":"1","disk.0.partition.#":"1"}`,
			`{"disk":[{"dev":null,"gb":null,"key":null,"kind":null,"partition":[{"flags":null,"fs":null,"size":null}]}],"fail":null,"id":null,"listener":null,"network":{"mtu":null,"vlan":null},"policy":{"grace":null,"level":null},"revision":null,"title":null,"zone":null}`, `{"disk":[{"key":true,"partition":[{}]}],"network":{},"policy":{}}`},
		{"lab_legacy", 2,
			`{"id":"x","key":"k","data.%":"2","data.a.b":"1","data.c":"2","old":""}`,
			`{"data":{"a.b":"1","c":"2"},"id":"x","key":"k","old":""}`, `{"data":{}}`},
	} {
		s, err := statefile.Show(flatState(tt.typ, tt.version, tt.attributes), schemas)
		must(err)
		r := s.Values.RootModule.Resources[0]
		if string(r.Values) != tt.values || string(r.SensitiveValues) != tt.sensitive {
			t.Errorf("%s is shown as\n%s %s, want\n%s %s", tt.attributes, r.Values, r.SensitiveValues, tt.values, tt.sensitive)
		}
		s, err = statefile.Show(flatState(tt.typ, tt.version, tt.attributes), nil)
		must(err)
		if got := s.Values.RootModule.Resources[0].Values; !got.Equal(planjson.Value(tt.attributes)) {
			t.Errorf("without a schema: %s, want %s", got, tt.attributes)
		}
	}
	for _, tt := range []struct {
		typ        string
		version    int
		attributes string
		cause      error
	}{
		{"lab_thing", 3, `{"id":"1"}`, statefile.ErrInvalid}, // has attributes of open types
		{"lab_blocks", 1, `{"revision":"x"}`, statefile.ErrInvalid},
		{"lab_blocks", 1, `{"disk.#":"x"}`, statefile.ErrInvalid},
		{"lab_blocks", 1, `{"disk.#":"-1"}`, statefile.ErrInvalid},
		{"lab_blocks", 1, `{"disk.#":"300000000"}`, statefile.ErrLimit},
		{"lab_blocks", 1, `{"listener.#":"1","listener.1.port":"74D93920-ED26-11E3-AC10-0800200C9A66"}`, statefile.ErrInvalid},
	} {
		_, err := statefile.Show(flatState(tt.typ, tt.version, tt.attributes), schemas)
		if _, ok := errors.AsType[*statefile.Error](err); !ok || !errors.Is(err, tt.cause) {
			t.Errorf("%s: %v", tt.attributes, err)
		}
	}
}
