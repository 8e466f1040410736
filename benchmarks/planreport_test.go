// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-json/sanitize"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// changedPlan returns a plan with n changed resources: each has 30 attributes,
// nested blocks, lists and a sensitive value, and most of it does not change.
func changedPlan(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{"resources":[`)
	values := func(i int, version string) string {
		var v strings.Builder
		fmt.Fprintf(&v, `{"arn":"arn:aws:x:%d"`, i)
		for k := range 25 {
			fmt.Fprintf(&v, `,"attribute_%02d":"value %d of %d"`, k, k, i)
		}
		fmt.Fprintf(&v, `,"disk":[{"device":"sda","size":%d},{"device":"sdb","size":10}],"id":"i-%d","name":"web-%d","password":"hunter2-%d","size":"t3.%s","tags":{"Env":"prod","Version":"%s"},"zones":["a","b","%s"]}`,
			i, i, i, i, version, version, version)
		return v.String()
	}
	const marks = `{"disk":[{},{}],"password":true,"tags":{},"zones":[false,false,false]}`
	comma := func(i int) {
		if i > 0 {
			b.WriteByte(',')
		}
	}
	for i := range n {
		comma(i)
		fmt.Fprintf(&b, `{"address":"aws_instance.web[%d]","mode":"managed","type":"aws_instance","name":"web","index":%d,"provider_name":"registry.opentofu.org/hashicorp/aws","schema_version":1,"values":%s,"sensitive_values":%s}`,
			i, i, values(i, "new"), marks)
	}
	b.WriteString(`]}},"resource_changes":[`)
	for i := range n {
		comma(i)
		fmt.Fprintf(&b, `{"address":"aws_instance.web[%d]","mode":"managed","type":"aws_instance","name":"web","index":%d,"provider_name":"registry.opentofu.org/hashicorp/aws","change":{"actions":["update"],"before":%s,"after":%s,"after_unknown":{"disk":[{},{}],"tags":{},"zones":[false,false,false]},"before_sensitive":%s,"after_sensitive":%s}}`,
			i, i, values(i, "old"), values(i, "new"), marks, marks)
	}
	b.WriteString(`],"configuration":{"root_module":{}},"errored":false}` + "\n")
	return b.Bytes()
}

// BenchmarkDiffPlan compares what a report of a plan costs with what decoding
// the plan and visiting every value costs.
func BenchmarkDiffPlan(b *testing.B) {
	for _, size := range sizes("600", "6000") {
		n := 600
		if size == "6000" {
			n = 6000
		}
		src := changedPlan(n)
		visit := func() (*planjson.Plan, error) {
			p, err := planjson.DecodePlan(src)
			if err != nil {
				return nil, err
			}
			for _, rc := range p.ResourceChanges {
				for _, v := range []planjson.Value{rc.Change.Before, rc.Change.After} {
					for c := v.Cursor(); c.Next(); {
						visited += len(c.Value())
					}
				}
			}
			return p, nil
		}
		decoded, err := planjson.DecodePlan(src)
		if err != nil {
			b.Fatal(err)
		}
		compare(b, size, int64(len(src)),
			impl{"decode-visit", func() error {
				_, err := visit()
				return err
			}},
			impl{"tofuwire-without-decoding", func() error {
				return plandiff.Plan(decoded, plandiff.Options{}).WriteText(io.Discard, plandiff.TextOptions{})
			}},
			impl{"tofuwire", func() error {
				p, err := planjson.DecodePlan(src)
				if err != nil {
					return err
				}
				d := plandiff.Plan(p, plandiff.Options{})
				if len(d.Resources) != n {
					return fmt.Errorf("%d changes", len(d.Resources))
				}
				return d.WriteText(io.Discard, plandiff.TextOptions{})
			}},
		)
	}
}

var visited int

// BenchmarkRedactPlan compares redaction from bytes to bytes. The peer leaves
// some secrets in their place, see the tests of planjson.
func BenchmarkRedactPlan(b *testing.B) {
	for _, size := range sizes("1MB", "10MB", "100MB") {
		src := planInput(b, size)
		impls := []impl{
			{"tofuwire", func() error { return redactMemory(src) }},
			{"tofuwire-stream", func() error { return redactStream(bytes.NewReader(src)) }},
			{"tofuwire-pipe", func() error { return redactStream(io.MultiReader(bytes.NewReader(src))) }},
		}
		if size != "100MB" {
			impls = append(impls, impl{"terraform-json-sanitize", func() error { return redactPeer(src) }})
		}
		compare(b, size, int64(len(src)), impls...)
	}
}

// BenchmarkRedactSmall redacts plans of many small resources with secrets of their own: those
// with 30 attributes each that change, and the recordings, multiplied.
func BenchmarkRedactSmall(b *testing.B) {
	for _, size := range sizes("changed-10MB", "recordings-10MB") {
		src := changedPlan(2500)
		if size == "recordings-10MB" {
			src = multiply(b, "plan", 10<<20)
		}
		compare(b, size, int64(len(src)),
			impl{"tofuwire", func() error { return redactMemory(src) }},
			impl{"tofuwire-stream", func() error { return redactStream(bytes.NewReader(src)) }},
			impl{"terraform-json-sanitize", func() error { return redactPeer(src) }},
		)
	}
}

// redactMemory redacts a plan in memory.
func redactMemory(src []byte) error {
	p, err := planjson.DecodePlan(src)
	if err != nil {
		return err
	}
	var r redact.Redactor
	if _, err := r.Plan(p); err != nil {
		return err
	}
	return planjson.Write(io.Discard, p)
}

// redactStream redacts a plan on the way, in two passes if the reader can seek.
func redactStream(src io.Reader) error {
	var r redact.Redactor
	_, err := r.WritePlan(io.Discard, src)
	return err
}

// redactPeer redacts a plan with the sanitizer of terraform-json.
func redactPeer(src []byte) error {
	var p tfjson.Plan
	if err := json.Unmarshal(src, &p); err != nil {
		return err
	}
	clean, err := sanitize.SanitizePlan(&p)
	if err != nil {
		return err
	}
	return json.NewEncoder(io.Discard).Encode(clean)
}
