// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package approve_test

import (
	"bytes"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/approve"
)

const recordings = "../../../../planjson/testdata/terraform-1.11.4/"

// Recordings of a real tool are the same as themselves, and differ from each other.
func TestRecordings(t *testing.T) {
	for _, row := range []struct {
		first, second string
		code          int
	}{
		{"actions/plan.json", "actions/plan.json", 0},
		{"actions/plan.json", "actions/plan.destroy.json", 1},
		{"actions/plan.json", "checks/plan.cond-error.json", 2},
	} {
		var out, errs bytes.Buffer
		code := approve.Run([]string{recordings + row.first, recordings + row.second}, nil, &out, &errs)
		if code != row.code || (out.Len() > 0) != (code == 1) || (errs.Len() > 0) != (code == 2) {
			t.Errorf("%s and %s: %d\n%s%s", row.first, row.second, code, out.String(), errs.String())
		}
	}
}
