// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

// sizes reports counts that are known to be above two, and tags that are surely missing.
var sizes = &hcllint.Analyzer{
	Name: "sizes", Doc: "Sizes are small.",
	Run: func(pass *hcllint.Pass) (any, error) {
		for b := range pass.Blocks("resource") {
			if has, complete := b.HasTag("owner"); !has && complete {
				pass.Reportf(b, "%s has no owner", b.Labels[1])
			}
			if count := b.Argument("count"); count != nil && pass.Is(count.Expression, 3) {
				pass.Report(hcllint.Diagnostic{At: count, Message: "count is 3", Fixes: []hcllint.Fix{{Message: "two", Edit: func(e *hcllint.Edits) { e.In(b).Set(b.Block, "count", 2) }}}})
			}
		}
		return nil, nil
	},
}

// TestShared checks a module that others call: with what they pass, and as many times as they call it, each finding once.
func TestShared(t *testing.T) {
	files := map[string]string{
		"m/main.tf":   "variable \"n\" {\n  default = 3\n}\nvariable \"tags\" {\n  default = {}\n}\nresource \"aws_x\" \"a\" {\n  count = var.n\n  tags  = var.tags\n}\nresource \"aws_x\" \"b\" {\n}\n",
		"one/main.tf": "provider \"aws\" {\n  default_tags {\n    tags = { owner = \"me\" }\n  }\n}\nmodule \"m\" {\n  source = \"../mid\"\n  n      = 3\n}\n",
		"two/main.tf": "module \"m\" {\n  source = \"../m\"\n  n      = 2\n  tags   = { owner = \"x\" }\n}\nmodule \"n\" {\n  source = \"../m\"\n  n      = terraform.workspace == \"default\" ? 3 : 4\n  tags   = var.t\n}\nvariable \"t\" {}\n",
		"mid/main.tf": "variable \"n\" {}\nmodule \"m\" {\n  source = \"../m\"\n  n      = var.n\n}\n",
	}
	run := func(args ...string) string {
		t.Chdir(t.TempDir())
		write(t, files)
		var out, errs bytes.Buffer
		hcllint.Command(args, strings.NewReader(""), &out, &errs, sizes)
		return out.String() + errs.String()
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"./..."}, "m/main.tf:8,3: warning: count is 3; called at mid/main.tf:2,1 (sizes)\nm/main.tf:11,1: warning: b has no owner; called at two/main.tf:1,1, two/main.tf:6,1 (sizes)\n"},
		{[]string{"-workspace", "default", "./..."}, "m/main.tf:8,3: warning: count is 3; called at mid/main.tf:2,1, two/main.tf:6,1 (sizes)\nm/main.tf:11,1: warning: b has no owner; called at two/main.tf:1,1, two/main.tf:6,1 (sizes)\n"},
		{[]string{"-roots", "./..."}, "m/main.tf:7,1: warning: a has no owner (sizes)\nm/main.tf:8,3: warning: count is 3 (sizes)\nm/main.tf:11,1: warning: b has no owner (sizes)\n"},
		{[]string{"m"}, "m/main.tf:7,1: warning: a has no owner (sizes)\nm/main.tf:8,3: warning: count is 3 (sizes)\nm/main.tf:11,1: warning: b has no owner (sizes)\n"},
		// What holds for one call is no reason to change the module for all.
		{[]string{"-fix", "./..."}, "m/main.tf:8,3: warning: count is 3; called at mid/main.tf:2,1 (sizes)\nm/main.tf:11,1: warning: b has no owner; called at two/main.tf:1,1, two/main.tf:6,1 (sizes)\n"},
		{[]string{"-fix", "m", "mid"}, "m/main.tf:7,1: warning: a has no owner (sizes)\nm/main.tf:11,1: warning: b has no owner (sizes)\n"},
	} {
		if diff := cmp.Diff(c.want, run(c.args...)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.args, diff)
		}
	}
}
