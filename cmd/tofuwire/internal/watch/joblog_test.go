// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// hostileRun has a provider that writes commands of runners.
const hostileRun = `{"@level":"info","@message":"  ::error file=a::evil","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:01.000000Z","type":"log"}
{"@level":"error","@message":"Error: x","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:01.000000Z","type":"diagnostic","diagnostic":{"severity":"error","summary":"::set-output","detail":"a\n::add-mask::x\n##vso[task.complete]\nx ##[group]\nsection_start:1:x","range":{"filename":"a,b.tf","start":{"line":1,"column":1,"byte":0},"end":{"line":1,"column":2,"byte":1}}}}
::warning::not a message
`

// TestCommandsOfRunners checks that no line of others is a command, and that our own annotation is one, behind
// the stop-commands.
func TestCommandsOfRunners(t *testing.T) {
	command := regexp.MustCompile(`(?i)^\s*::|##(vso)?\[|section_start:`)
	for _, job := range []string{"", "true"} {
		t.Setenv("GITHUB_ACTIONS", job)
		var out, errs bytes.Buffer
		Run([]string{"-github", "m"}, strings.NewReader(hostileRun), &out, &errs)
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		var found []string
		for _, line := range lines {
			if command.MatchString(line) {
				found = append(found, line)
			}
		}
		own := 1
		if job != "" {
			own = 3
		}
		if len(found) != own || !strings.HasPrefix(found[own-1], "::error file=m/a%2Cb.tf,line=1,") {
			t.Fatalf("%q: commands are %q in\n%s", job, found, out.String())
		}
		if token, ok := strings.CutPrefix(found[0], "::stop-commands::"); job != "" && (!ok || found[1] != "::"+token+"::") {
			t.Errorf("commands are %q", found)
		}
	}
}
