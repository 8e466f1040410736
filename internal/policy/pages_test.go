// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pageParameters are what the code on the pages takes from its surroundings.
const pageParameters = `ctx context.Context, text, src []byte, stdout io.Reader, t *testing.T, root string,
	resource addrs.Resource, module addrs.ModuleInstance, wanted []addrs.Hash, platforms []addrs.Platform,
	plan *planjson.Plan, schemas *planjson.Schemas, file *lockfile.File, client *registry.Client, required []install.Requirement`

// TestPagesCompile compiles the code on the pages of all packages.
func TestPagesCompile(t *testing.T) {
	imports := map[string]string{"context": "context", "errors": "errors", "exec": "os/exec", "fmt": "fmt", "io": "io", "os": "os", "testing": "testing"}
	for pkg := range mayImport {
		imports[filepath.Base(pkg)] = module + "/" + pkg
	}
	dir, err := filepath.Abs(filepath.Join(root, "internal/policy/pages"))
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	overlay := map[string]string{}
	for _, pkg := range slices.Sorted(maps.Keys(mayImport)) {
		page, _, _ := strings.Cut(string(read(t, pkg+"/doc.go")), "\npackage ")
		found := 0
		for _, block := range regexp.MustCompile(`(?m)(^//\t.*\n(//\n(//\t))?|^//\t.*\n)+`).FindAllString(page+"\n", -1) {
			code := regexp.MustCompile(`(?m)^//`).ReplaceAllString(block, "")
			if !strings.Contains(code, ":=") {
				continue // a list of names
			}
			found++
			text := "func page(" + pageParameters + ") error {\n{\n" + code + "}\nreturn nil\n}\n"
			var head strings.Builder
			fmt.Fprintln(&head, "package pages")
			for name, path := range imports {
				if regexp.MustCompile(`\b` + name + `\.`).MatchString(text) {
					fmt.Fprintf(&head, "import %q\n", path)
				}
			}
			name := fmt.Sprintf("page_%s_%d", filepath.Base(pkg), found)
			text = head.String() + strings.Replace(text, "func page(", "func "+name+"(", 1)
			file := filepath.Join(scratch, name+".go")
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			overlay[filepath.Join(dir, name+"_.go")] = file
		}
		if found == 0 {
			t.Errorf("%s/doc.go has no code", pkg)
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(name, list, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-buildvcs=false", "-gcflags=-e", "-overlay", name, "./internal/policy/pages")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	faults := 0
	for line := range strings.Lines(string(out)) {
		// The last lines of a page may make a value for what the reader does next.
		if !strings.Contains(line, "declared and not used") && !strings.HasPrefix(line, "#") {
			t.Errorf("%s", line)
		}
		faults++
	}
	if err != nil && faults == 0 {
		t.Error(err)
	}
}
