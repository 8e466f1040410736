// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package gate_test

import (
	"bytes"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/gate"
)

// A recording of a real tool passes without rules and is refused with them.
func TestRecordings(t *testing.T) {
	const recordings = "../../../../planjson/testdata/terraform-1.11.4/"
	for _, row := range []struct {
		args []string
		code int
	}{
		{[]string{recordings + "actions/plan.destroy.json"}, 0},
		{[]string{"-policy", "no-delete", recordings + "actions/plan.destroy.json"}, 1},
		{[]string{recordings + "checks/plan.cond-error.json"}, 2},
	} {
		var out, errs bytes.Buffer
		if code := gate.Run(row.args, nil, &out, &errs); code != row.code || (out.Len() > 0) != (code == 1) {
			t.Errorf("%v: %d\n%s%s", row.args, code, out.String(), errs.String())
		}
	}
}
