// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package gate

import (
	"bytes"
	"strings"
	"testing"
)

const plan = `{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[
{"address":"aws_db_instance.main","mode":"managed","type":"aws_db_instance","name":"main","provider_name":"registry.opentofu.org/hashicorp/aws","change":{"actions":["delete"],"before":{},"after":null},"action_reason":"delete_because_no_resource_config"},
{"address":"aws_instance.web","mode":"managed","type":"aws_instance","name":"web","provider_name":"registry.opentofu.org/hashicorp/aws","change":{"actions":["create"],"before":null,"after":{}}}],"errored":false}`

func run(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Run(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

func TestRun(t *testing.T) {
	for _, row := range []struct {
		plan         string
		args         []string
		code         int
		stdout, errs string // a prefix
	}{
		{plan, nil, 0, "", "tofuwire gate: no -policy was given"},
		{"log\n" + plan, nil, 0, "", "tofuwire gate: -: skipped "},
		{plan, []string{"-policy", "no-delete=aws_db_*"}, 1, "aws_db_instance.main: no-delete=aws_db_*: would be deleted: delete because no resource config\n", ""},
		{plan, []string{"-policy", "no-delete=aws_s3_*", "-policy", "max-changes=2"}, 0, "", ""},
		{plan, []string{"-policy", "max-changes=1", "-"}, 1, "plan: max-changes=1: 2 objects would be touched, 1 are allowed\n", ""},
		{plan, []string{"-policy", "only=aws_instance"}, 1, "aws_db_instance.main: only=aws_instance: is not of an allowed type\n", ""},
		{plan, []string{"-policy", "providers=hashicorp/random"}, 1, "aws_db_instance.main: providers=hashicorp/random: uses the provider registry.opentofu.org/hashicorp/aws\n", ""},
		{strings.Replace(plan, `["create"]`, `["boom"]`, 1), nil, 1, "aws_instance.web: known actions: ", "tofuwire gate: no -policy was given: only unknown actions are refused\n"},
		{strings.Replace(plan, `"errored":false`, `"errored":true`, 1), nil, 2, "", "tofuwire gate: -: errored\n"},
		{strings.Replace(plan, `"errored":false`, `"errored":true,"complete":false`, 1), nil, 2, "", "tofuwire gate: -: errored\ntofuwire gate: -: incomplete\n"},
		{strings.Replace(plan, `"errored":false`, `"errored":true`, 1), []string{"-allow", "errored"}, 0, "", "tofuwire gate: no -policy was given"},
		{`{}`, nil, 2, "", "tofuwire gate: -: no-plan\n"},
		{plan, []string{"-policy", "no-fun"}, 2, "", "tofuwire gate: -policy: unknown rule "},
		{plan, []string{"a", "b"}, 2, "", "tofuwire gate: one PLAN at most, not 2\n"},
		{plan, []string{"/no/such/file"}, 2, "", "tofuwire gate: open /no/such/file: "},
		{plan, []string{"-h"}, 0, "usage: tofuwire gate ", ""},
	} {
		code, out, errs := run(row.plan, row.args...)
		if code != row.code || !strings.HasPrefix(out, row.stdout) || !strings.HasPrefix(errs, row.errs) || row.stdout == "" && out != "" || row.errs == "" && errs != "" {
			t.Errorf("%v: %d\n%s%s\nwant %d\n%s%s", row.args, code, out, errs, row.code, row.stdout, row.errs)
		}
	}
}
