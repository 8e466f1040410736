// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package viewer

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planview"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/internal/lazy"
)

//go:embed page
var files embed.FS

// program is the package that runs in the browser.
const program = "github.com/tofuwire/tofuwire/cmd/tofuwire/internal/viewer/wasm"

// scripts are the parts of the script of the page, in their order.
var scripts = []string{"calls.js", "list.js", "changes.js", "graph.js", "timeline.js", "redact.js", "app.js"}

// A built is the page with its parts.
type built struct {
	page        []byte
	policy      string // the Content-Security-Policy
	raw, packed int    // the sizes of the program
}

// beside returns the page that is beside this program, or nil if there is none. Links to the program
// are followed.
func beside() (*built, error) {
	name, err := os.Executable()
	if err == nil {
		name, err = filepath.EvalSymlinks(name)
	}
	if err != nil {
		return nil, nil
	}
	return readPage(filepath.Join(filepath.Dir(name), "viewer.html"))
}

// contentPolicy finds the Content-Security-Policy in a page.
var contentPolicy = lazy.Regexp(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`)

// readPage reads a page that assemble made, or returns nil if there is no such file.
func readPage(name string) (*built, error) {
	page, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := contentPolicy().FindSubmatch(page)
	if m == nil {
		return nil, fmt.Errorf("%s is not the page of the viewer", name)
	}
	return &built{page: page, policy: html.UnescapeString(string(m[1]))}, nil
}

// build compiles the program and puts the page together.
func build(ctx context.Context) (*built, error) {
	command, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("the page is built with the go command: %w", err)
	}
	dir, err := os.MkdirTemp("", "viewer")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "viewer.wasm")
	c := exec.CommandContext(ctx, command, "build", "-trimpath", "-ldflags=-s -w", "-o", name, program)
	if _, err := os.Stat("cmd/tofuwire/go.mod"); err == nil {
		c.Dir = "cmd/tofuwire" // a module of its own
	}
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build %s (which needs the source of the library: run this in its folder): %w\n%s", program, err, out)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	glue, err := glue(ctx, command)
	if err != nil {
		return nil, err
	}
	return assemble(raw, glue)
}

// glue returns the script that Go has for its programs in browsers, of the same
// version as the compiler.
func glue(ctx context.Context, command string) ([]byte, error) {
	root, err := exec.CommandContext(ctx, command, "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
}

// assemble makes one file of everything. The policy names the script and the
// style by their hashes, and nothing else runs, whatever a document holds.
func assemble(program, glue []byte) (*built, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(program); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	read := func(name string) (text string) {
		if err == nil {
			var b []byte
			b, err = files.ReadFile("page/" + name)
			text = string(b)
		}
		return text
	}
	var script strings.Builder
	script.WriteString("\n(() => {\n\"use strict\";\n")
	script.WriteString(planview.Script)
	for _, name := range scripts {
		script.WriteString(read(name))
	}
	script.WriteString("})();\n")
	style := "\n" + planview.Style + read("style.css")
	worker := "\n" + string(glue) + read("worker.js")
	page := read("page.html")
	if err != nil {
		return nil, err
	}
	for _, text := range []string{script.String(), worker} {
		if strings.Contains(strings.ToLower(text), "</script") || strings.Contains(text, "<!--") {
			return nil, errors.New("the script cannot be part of the page: it contains the end tag of a script")
		}
	}
	b := &built{policy: policy(script.String(), style), raw: len(program), packed: packed.Len()}
	b.page = []byte(strings.NewReplacer("{{.Policy}}", b.policy, "{{.Style}}", style, "{{.Worker}}", worker,
		"{{.Wasm}}", base64.StdEncoding.EncodeToString(packed.Bytes()), "{{.Loaded}}", loadedMark, "{{.Script}}", script.String()).Replace(page))
	return b, nil
}

// loadedMark is where documents that come with the page stand, at its end.
const loadedMark = "<!--loaded-->\n"

// load puts documents into the page, which opens them.
func (b *built) load(names []string, inputs *planfile.Inputs, stderr io.Writer) error {
	if err := inputs.Check(); err != nil || len(names) == 0 {
		return err
	}
	var all strings.Builder
	for _, name := range names {
		text, err := planfile.ReadFile(name, inputs.Progress)
		if err == nil && planfile.IsSaved(text) {
			text, err = inputs.Convert("view", name, text, stderr)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(&all, "<script type=\"text/plain\" class=\"loaded\" data-name=\"%s\">%s</script>\n", html.EscapeString(filepath.Base(name)), base64.StdEncoding.EncodeToString(text))
	}
	before, after, ok := bytes.Cut(b.page, []byte(loadedMark))
	if !ok {
		return errors.New("the page is from a release whose pages cannot include documents")
	}
	b.page = slices.Concat(before, []byte(all.String()), []byte(loadedMark), after)
	return nil
}

// policy forbids everything but the script and the style of the page, and the
// program in its worker.
func policy(script, style string) string {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + hash(script) + " 'wasm-unsafe-eval'",
		"style-src " + hash(style),
		"worker-src blob:",
		"img-src data:",
		"connect-src 'none'",
		"form-action 'none'",
		"base-uri 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types viewer",
	}, "; ")
}
