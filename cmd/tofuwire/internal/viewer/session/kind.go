// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/planjson"
)

// titles are the words for people for each kind of document.
var titles = map[string]string{
	"plan": "Plan", "state": "State", "statefile": "State file", "ui": "Messages of a run", "lock": "Dependency lock file",
	"config": "Configuration", "schemas": "Schemas of providers", "functions": "Signatures of functions", "validate": "Result of validate",
	"version": "Version", "outputs": "Outputs", "modules": "List of modules", "workspaces": "List of workspaces",
	"state-show": "One resource of a state", "renderer-plan": "Plan with schemas", "renderer-state": "State with schemas",
}

var errEncrypted = errors.New("this is a state or a saved plan that OpenTofu has encrypted: drop what decrypts it instead, such as the output of \"tofu state pull\" or \"tofu show -json\"")

var lockBlock = lazy.Regexp(`(?m)^\s*provider\s+"`)

// kindOf says what a document is. It reads no more of it than that takes.
func kindOf(name string, src Source) (string, error) {
	for n := min(int64(64<<10), src.Size()); ; n = min(n*8, src.Size()) {
		if n > Whole {
			return "", fmt.Errorf("nothing in the first %d MiB says what this is", Whole>>20/8)
		}
		start := make([]byte, n)
		if _, err := io.ReadFull(io.NewSectionReader(src, 0, n), start); err != nil {
			return "", err
		}
		all := n == src.Size()
		trimmed := bytes.TrimLeft(bytes.TrimPrefix(start, []byte("\ufeff")), " \t\r\n")
		if strings.HasSuffix(strings.ToLower(name), ".lock.hcl") || len(trimmed) > 0 && trimmed[0] != '{' && lockBlock().Match(start) && !hasMessage(start) {
			return "lock", nil
		}
		if hasMessage(start) {
			return "ui", nil
		}
		if len(trimmed) > 0 && trimmed[0] != '{' && (all || n >= 1<<20) {
			return "", errors.New("this is not a document of OpenTofu or Terraform that can be shown: it is not a JSON object, has no line that is a message of the -json stream, and no provider block of a lock file")
		}
		if all {
			if kind := planjson.KindOf(start); kind == planjson.DocumentEncrypted {
				return "", errEncrypted
			} else if kind != "" && (kind != planjson.DocumentOutputs || isSound(start)) {
				return string(kind), nil
			}
		} else if outline := outlineOf(start); len(outline) > 0 {
			// Before the end, only members that one kind alone has say something.
			kind := planjson.KindOf(outline)
			switch {
			case kind == planjson.DocumentEncrypted:
				return "", errEncrypted
			case kind == planjson.DocumentState && !bytes.Contains(outline, []byte(`"values":`)), kind == planjson.DocumentOutputs, kind == "":
			default:
				return string(kind), nil
			}
		}
		if all {
			// A text that is no JSON has a place at which it is broken.
			if err := syntax(start); err != nil {
				return "", err
			}
			return "", errors.New("this is JSON, but not a document of OpenTofu or Terraform: it has none of their members")
		}
	}
}

// outlineOf returns the members of the object at the beginning of a text, each
// with an empty value of its kind. The last one may be cut off in the text.
func outlineOf(text []byte) []byte {
	out := []byte("{")
	depth, name := 0, []byte(nil)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) {
				i = len(text)
				continue
			}
			if depth == 1 {
				name = text[i : end+1]
			}
			i = end
		case ':':
			if depth != 1 || name == nil {
				continue
			}
			value := bytes.TrimLeft(text[i+1:], " \t\r\n")
			if len(value) == 0 {
				continue
			}
			empty := map[byte]string{'{': "{}", '[': "[]", '"': `""`, 't': "true", 'f': "false", 'n': "null"}[value[0]]
			if empty == "" {
				empty = "0"
			}
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(append(out, name...), ':'), empty...)
			name = nil
		}
	}
	return append(out, '}')
}

// hasMessage reports whether a line of text is a message of the -json stream.
func hasMessage(text []byte) bool {
	for i, line := 0, []byte(nil); i < 100 && len(text) > 0; i++ {
		line, text, _ = bytes.Cut(text, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] == '{' && planjson.KindOf(line) == planjson.DocumentMessage {
			return true
		}
	}
	return false
}

func isSound(text []byte) bool { return syntax(text) == nil }

// syntax returns the fault of a text that is no JSON.
func syntax(text []byte) error {
	_, err := planjson.DecodeOutputs(text)
	if err == nil || errors.Is(err, planjson.ErrKind) {
		return nil
	}
	return err
}
