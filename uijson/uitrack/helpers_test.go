// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
)

// versionLine is a message of version 1.12.6 of OpenTofu.
const versionLine = `{"@level":"info","@message":"OpenTofu 1.12.6","@module":"tofu.ui","@timestamp":"2026-11-21T12:52:57.362377Z","tofu":"1.12.6","type":"version","ui":"1.2"}` + "\n"

// recordings returns the recordings of real tools, by name.
func recordings(t testing.TB) map[string][]byte {
	t.Helper()
	const dir = "../testdata"
	all := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".jsonl") || strings.Contains(path, "render") {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = text
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 100 {
		t.Fatalf("only %d recordings", len(all))
	}
	return all
}

func recording(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func readText(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// messages calls f with each line of a recording that is a message.
func messages(text []byte, f func(line []byte)) {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(`{"@level"`)) {
			f(line)
		}
	}
}

func decode(t testing.TB, line []byte) *uijson.Message {
	t.Helper()
	m, err := uijson.Decode(bytes.Clone(line))
	if err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return m
}

// stream returns lines of several recordings, n times over.
func stream(t testing.TB, n int) []byte {
	t.Helper()
	var text []byte
	for _, name := range []string{
		"tofu-1.12.6/apply-trouble/apply.jsonl",
		"tofu-1.12.6/values/apply.jsonl",
		"terraform-1.11.4/apply-trouble/apply.failures.jsonl",
		"terraform-1.11.4/tests/test.jsonl",
	} {
		text = append(text, recording(t, name)...)
	}
	return bytes.Repeat(text, n)
}

// A failingWriter fails with its error.
type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
