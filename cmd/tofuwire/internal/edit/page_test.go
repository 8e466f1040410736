// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/edit"
)

// TestHCLEditPage makes each step of the page for people with hcledit.
func TestHCLEditPage(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/migrate-hcledit.md")
	if err != nil {
		t.Fatal(err)
	}
	const src = "resource \"vm\" \"web\" {\n  size = \"small\" # for now\n}\n\noutput \"web\" {\n  value = vm.web.id\n}\n"
	rows := 0
	for _, row := range regexp.MustCompile("(?m)^\\| `(.*)` \\| `(-e .*)` \\|$").FindAllStringSubmatch(string(page), -1) {
		rows++
		var args []string
		for _, m := range regexp.MustCompile(`-e '([^']*)'`).FindAllStringSubmatch(row[2], -1) {
			args = append(args, "-e", m[1])
		}
		var out, errs bytes.Buffer
		if code := edit.Run(append(args, "-"), strings.NewReader(src), &out, &errs); code != 0 || out.Len() == 0 || out.String() == src {
			t.Errorf("%s: exit %d, %s\n%s", row[2], code, errs.String(), out.String())
		}
	}
	if rows < 10 {
		t.Errorf("the page has %d steps", rows)
	}
}
