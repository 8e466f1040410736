// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rename_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/rename"
)

// TestDiffAndWrite: without -w there is a diff and the file stays; with it the file is
// written and nothing printed.
func TestDiffAndWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "main.tf")
	const src, want = "locals {\n  a = 1\n  b = local.a\n}\n", "locals {\n  c = 1\n  b = local.c\n}\n"
	if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := rename.Run([]string{"local.a", "local.c", dir}, nil, &out, &errs); code != 0 || !strings.Contains(out.String(), "-  b = local.a\n+  b = local.c\n") && !strings.Contains(out.String(), "+  b = local.c\n") {
		t.Errorf("exit %d\n%s%s", code, out.String(), errs.String())
	}
	if got, _ := os.ReadFile(name); string(got) != src {
		t.Errorf("the file was written without -w:\n%s", got)
	}
	out.Reset()
	if code := rename.Run([]string{"-w", "local.a", "local.c", dir}, nil, &out, &errs); code != 0 || out.Len() > 0 {
		t.Errorf("exit %d\n%s%s", code, out.String(), errs.String())
	}
	if got, _ := os.ReadFile(name); string(got) != want {
		t.Errorf("got\n%s", got)
	}
	if code := rename.Run([]string{"-w", "local.none", "local.c", dir}, nil, &out, &errs); code != 1 || out.Len() > 0 || errs.Len() == 0 {
		t.Errorf("exit %d\n%s%s", code, out.String(), errs.String())
	}
}
