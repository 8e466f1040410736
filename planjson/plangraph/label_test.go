// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

// hostileKeys are keys of instances that mean something in DOT, Mermaid or HTML.
var hostileKeys = []string{
	"a&amp;b", "a&#65;b", "a&b", `a\nb`, `a\\lb\N`, `"]; x -> y; [`, "<b>x</b>", "%%{wrap}%%", "%%{init: {}}%%", "#quot;#35;", "fa:fa-car", "$$x^2$$", "`*md*`", "a;b|c{d}(e)", "end", "1. x", "<br/>", "a\nb", "::x:::y",
}

// hostilePlan has an instance for each of them.
func hostilePlan(t *testing.T) (*plangraph.Instances, []string) {
	t.Helper()
	var changes []any
	var addresses []string
	for _, key := range hostileKeys {
		quoted, _ := json.Marshal(key)
		address := "a_b.c[" + strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(string(quoted)) + "]"
		addresses = append(addresses, address)
		changes = append(changes, map[string]any{"address": address, "mode": "managed", "type": "a_b", "name": "c", "index": key, "provider_name": "x/y/z",
			"change": map[string]any{"actions": []string{"create"}, "before": nil, "after": map[string]any{}, "after_unknown": map[string]any{}}})
	}
	text, err := json.Marshal(map[string]any{"format_version": "1.2", "terraform_version": "1.12.6", "planned_values": map[string]any{}, "configuration": map[string]any{}, "resource_changes": changes})
	if err != nil {
		t.Fatal(err)
	}
	p, err := planjson.DecodePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	return plangraph.NewInstances(p, plangraph.InstancesOptions{}), addresses
}

// TestHostileLabels resolves the references of labels as Mermaid does, and lets Graphviz, if TOFUWIRE_DOT says
// where it is, draw those of DOT: what is shown is the address.
func TestHostileLabels(t *testing.T) {
	x, want := hostilePlan(t)
	slices.Sort(want)
	var b bytes.Buffer
	if err := x.WriteMermaid(&b, plangraph.DrawingOptions{}); err != nil {
		t.Fatal(err)
	}
	var got []string
	names := map[string]string{"quot": `"`, "amp": "&", "lt": "<", "gt": ">"}
	for _, m := range regexp.MustCompile(`(?m)^  n\d+\["(.*)"\]`).FindAllStringSubmatch(b.String(), -1) {
		if bad := regexp.MustCompile("[<>&\"'`%$:\\\\]").FindString(m[1]); bad != "" {
			t.Errorf("%q is left in %q", bad, m[1])
		}
		got = append(got, regexp.MustCompile(`#(\w+);`).ReplaceAllStringFunc(m[1], func(s string) string {
			if n, err := strconv.Atoi(s[1 : len(s)-1]); err == nil {
				return string(rune(n))
			}
			return names[s[1:len(s)-1]]
		}))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("Mermaid has %q, want %q", got, want)
	}
	depth.Tool(t, "dot")
	b.Reset()
	if err := x.WriteDOT(&b, plangraph.DrawingOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := graphviz(t, &b); !slices.Equal(got, want) {
		t.Errorf("Graphviz draws %q, want %q", got, want)
	}
	b.Reset()
	if err := x.Graph.WriteDOT(&b, plangraph.GraphOptions{}); err != nil {
		t.Fatal(err)
	}
	graphviz(t, &b)
}

// graphviz returns the texts that Graphviz draws, sorted.
func graphviz(t *testing.T, dot io.Reader) (texts []string) {
	t.Helper()
	cmd := exec.Command(depth.Tool(t, "dot"), "-Tsvg")
	cmd.Stdin = dot
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(out))
	d.Strict = false
	for {
		token, err := d.Token()
		if err != nil {
			break
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "text" {
			var text string
			if err := d.DecodeElement(&text, &start); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, strings.ReplaceAll(text, "\u00a0", " "))
		}
	}
	slices.Sort(texts)
	return texts
}

// TestMermaid lets Mermaid's own parser, if TOFUWIRE_MERMAID says what runs it, read the labels
// of hostile keys.
func TestMermaid(t *testing.T) {
	program := depth.Tool(t, "mermaid")
	x, want := hostilePlan(t)
	slices.Sort(want)
	for name, write := range map[string]func(io.Writer) error{
		"instances": func(w io.Writer) error { return x.WriteMermaid(w, plangraph.DrawingOptions{}) },
		"graph":     func(w io.Writer) error { return x.Graph.WriteMermaid(w, plangraph.GraphOptions{}) },
	} {
		cmd := exec.Command(program)
		var in, stderr bytes.Buffer
		if err := write(&in); err != nil {
			t.Fatal(err)
		}
		text := in.String()
		cmd.Stdin, cmd.Stderr = &in, &stderr
		out, err := cmd.Output()
		var got []string
		if err == nil {
			err = json.Unmarshal(out, &got)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s\n%s", name, err, stderr.Bytes(), text)
		}
		if slices.Sort(got); name == "instances" && !slices.Equal(got, want) {
			t.Errorf("Mermaid shows %q, want %q", got, want)
		}
	}
}
