// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"encoding/json"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
)

const recordedDir = "testdata/recorded"

// TestShowConfig writes what the typed view has of each recorded module in the
// form of "configuration" in the JSON form of plans, and wants what the tool
// itself wrote: names, references with their order, constants, types, provider
// configurations, schemas applied, module calls and what they call.
func TestShowConfig(t *testing.T) {
	schemas := configshow.ReadSchemas(t, recordedDir)
	for _, r := range configshow.Recordings(t, recordedDir) {
		t.Run(path.Join(r.Dir, r.Tool, r.File), func(t *testing.T) {
			m, err := hclconfig.LoadModule(r.Files(t), r.Module, r.Dialect())
			if err != nil {
				t.Fatal(err)
			}
			for d := range hclcheck.ValidateModule(m).Errors() {
				// OpenTofu 1.6 cannot read functions of providers: its plan is of a configuration
				// that calls a plain one with the same arguments.
				if r.Tool != "tofu-1.6.3" || !strings.Contains(d.Detail, "functions in namespaces") {
					t.Errorf("%v", d)
				}
			}
			// What "show -json -module" prints has no expressions.
			s := configshow.Renderer{T: t, Recording: r, Files: r.Files(t), Schemas: schemas, Bare: strings.HasPrefix(r.File, "show-module")}
			ours, err := json.Marshal(s.Show(m))
			if err != nil {
				t.Fatal(err)
			}
			configshow.SortResources(r.Want)
			if diff := cmp.Diff(r.Want, configshow.DecodeObject(t, ours)); diff != "" {
				t.Errorf("(-%s +ours):\n%s", r.Tool, diff)
			}
		})
	}
}
