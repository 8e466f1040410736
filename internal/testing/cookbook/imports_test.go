// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// recipe is a block of the page: an import declaration, and the body of a function.
var recipe = regexp.MustCompile("(?ms)^```go\n(import \\(\n.*?^\\)\n)(.*?)^```")

// TestImports compiles each recipe as it stands on the page: an import that it lacks, or one too
// many, is an error of the compiler.
func TestImports(t *testing.T) {
	depth.NeedFull(t, "it compiles all recipes")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	replace := map[string]string{}
	here, err := filepath.Abs("recipes") // a directory that the compiler alone sees
	if err != nil {
		t.Fatal(err)
	}
	add := func(name, text string) {
		path := filepath.Join(temp, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(here, name)] = path
	}
	inputs, err := os.ReadFile("inputs_test.go")
	if err != nil {
		t.Fatal(err)
	}
	add("inputs.go", strings.Replace(string(inputs), "package cookbook_test", "package recipes", 1))
	all := recipe.FindAllStringSubmatch(strings.ReplaceAll(string(text), "\r\n", "\n"), -1)
	for i, m := range all {
		add(fmt.Sprintf("recipe%d.go", i), fmt.Sprintf("package recipes\n\n%s\nfunc recipe%d() {\n%s}\n", m[1], i, m[2]))
	}
	if n := strings.Count(string(text), "```go\n"); len(all) < 40 || len(all) != n {
		t.Errorf("%d of %d blocks are recipes", len(all), n)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(temp, "overlay.json"), overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-overlay", filepath.Join(temp, "overlay.json"), "./recipes")
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
