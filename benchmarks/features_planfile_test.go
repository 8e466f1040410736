// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/planfile"
)

const savedPlans = "../planjson/planfile/testdata"

// savedPlanFeatures try saved plans, with what the tool that wrote each prints of it.
var savedPlanFeatures = []feature{{
	what: "saved plans without the tool and its providers",
	cases: []featureCase{
		savedPlan("tofu-1.12.6", "actions/plan"),
		savedPlan("tofu-1.6.3", "actions/plan"),
		savedPlan("terraform-1.11.4", "actions/plan"),
		savedPlan("terraform-1.5.7", "actions/plan"),
	},
	note: "it reads what the tool prints of them",
	controls: []featureCase{{
		"what the tool prints", func(t *testing.T) bool {
			_, err := planjson.DecodePlan(unzipped(t, "tofu-1.12.6/actions/plan.json.gz"))
			return err == nil
		}, func(t *testing.T) bool {
			return new(tfjson.Plan).UnmarshalJSON(unzipped(t, "tofu-1.12.6/actions/plan.json.gz")) == nil
		}, true, true,
	}},
}}

// savedPlan is the case of the recording of a release with that name.
func savedPlan(release, name string) featureCase {
	return featureCase{
		name: release,
		ours: func(t *testing.T) bool {
			file, err := planfile.Open(savedPlanText(t, release, name), planfile.Options{})
			if err != nil {
				return false
			}
			schemas, err := planjson.DecodeSchemas(unzipped(t, release+"/schemas.json.gz"))
			if err != nil {
				t.Fatal(err)
			}
			got, err := file.JSON(schemas)
			want := bytes.TrimSpace(unzipped(t, release+"/"+name+".json.gz"))
			return err == nil && bytes.Equal(bytes.TrimSpace(got), want)
		},
		peer:    func(t *testing.T) bool { return new(tfjson.Plan).UnmarshalJSON(savedPlanText(t, release, name)) == nil },
		oursHas: true,
	}
}

func savedPlanText(t *testing.T, release, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(savedPlans, release, name+".tfplan"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func unzipped(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join(savedPlans, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
