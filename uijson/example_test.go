// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
)

// Filter a stream: drop the output of provisioners and what is no message, remove secrets
// from everything else, and pass the rest on unchanged.
func ExampleMessage_Redact() {
	in := strings.NewReader(`{"@level":"info","@message":"a.b: Creating...","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","hook":{"resource":{"addr":"a.b"},"action":"create"},"type":"apply_start"}
{"@level":"info","@message":"a.b: (local-exec): hello","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000002Z","hook":{"resource":{"addr":"a.b"},"provisioner":"local-exec","output":"hello"},"type":"provision_progress"}
{"@level":"info","@message":"a.b: Creation complete after 0s [id=k-1234]","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000003Z","hook":{"resource":{"addr":"a.b"},"action":"create","id_key":"id","id_value":"k-1234","elapsed_seconds":0},"type":"apply_complete"}
`)
	out := uijson.NewWriter(os.Stdout)
	for ev, err := range uijson.NewReader(in).Borrowed() {
		if err != nil {
			log.Fatal(err)
		}
		m := ev.Message
		if ev.Kind != uijson.EventMessage || m.Type == uijson.TypeProvisionProgress {
			continue // text and logs can hold anything
		}
		m.Redact(uijson.UnmarkedOutputs | uijson.UnmarkedDetails | uijson.UnmarkedInstanceKeys | uijson.UnmarkedExtra)
		if err := out.WriteEvent(ev); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// {"@level":"info","@message":"a.b: Creating...","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","hook":{"resource":{"addr":"a.b"},"action":"create"},"type":"apply_start"}
	// {"@level":"info","@message":"a.b: Creation complete after 0s [id=(sensitive value)]","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000003Z","hook":{"resource":{"addr":"a.b"},"action":"create","id_key":"id","id_value":"(sensitive value)","elapsed_seconds":0},"type":"apply_complete"}
}

// Count the types of messages on a stream, without reading the payloads.
func ExampleReader_Envelopes() {
	stream, err := os.Open("testdata/tofu-1.12.6/apply-trouble/destroy.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	count := map[uijson.Type]int{}
	for e, err := range uijson.NewReader(stream).Envelopes() {
		if err != nil {
			log.Fatal(err)
		}
		count[e.Type]++
	}
	fmt.Println(count[uijson.TypeApplyStart], "operations begun,", count[uijson.TypeApplyComplete], "complete")
	// Output: 22 operations begun, 22 complete
}

// Read a stream from the log file of a container, which has each line as a member of a
// JSON object.
func ExampleUnwrap() {
	in := strings.NewReader(`{"log":"{\"@level\":\"info\",\"@message\":\"Apply complete!\",\"@module\":\"tofu.ui\"}\n","stream":"stdout"}`)
	for ev, err := range uijson.NewReader(in, uijson.Unwrap(uijson.UnwrapMember("log"))).Events() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(ev.Message.Text)
	}
	// Output: Apply complete!
}

// Read a stream that Terragrunt has put unit names before.
func ExampleEvent_Prefix() {
	in := strings.NewReader(`[vpc] {"@level":"info","@message":"Plan: 1 to add, 0 to change, 0 to destroy.","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","changes":{"add":1,"change":0,"import":0,"remove":0,"forget":0,"operation":"plan"},"type":"change_summary"}
`)
	for ev, err := range uijson.NewReader(in).Events() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %s\n", ev.Prefix(), ev.Message.Text)
	}
	// Output: [vpc]  Plan: 1 to add, 0 to change, 0 to destroy.
}

// Report what a wrapper does on the same stream as the tool.
func ExampleWriter_ownStream() {
	m := uijson.NewMessage(uijson.TypeLog, "Policy <baseline> passed & signed")
	m.Module = "acme.ui"
	m.Timestamp = "2026-01-02T03:04:05.000001Z" // NewMessage has set the present time
	if err := uijson.NewWriter(os.Stdout).Write(m); err != nil {
		log.Fatal(err)
	}
	// Output: {"@level":"info","@message":"Policy <baseline> passed & signed","@module":"acme.ui","@timestamp":"2026-01-02T03:04:05.000001Z","type":"log"}
}

// Refuse a stream of a format that this program was not made for, as the
// tools' documentation asks.
func ExampleMessage_CheckVersion() {
	line := []byte(`{"@level":"info","@message":"OpenTofu 9.0.0","@module":"tofu.ui","@timestamp":"2031-01-02T03:04:05.000001Z","tofu":"9.0.0","type":"version","ui":"2.0"}`)
	m, err := uijson.Decode(line)
	if err != nil {
		log.Fatal(err)
	}
	if err := m.CheckVersion(); errors.Is(err, uijson.ErrVersion) {
		fmt.Println(err)
	}
	// Output: uijson: line 1, column 1 (/ui): unsupported format version "2.0"
}

// Keep the stream in a file while it is read.
func ExampleTee() {
	var file strings.Builder
	in := strings.NewReader("Warning: not JSON\n" + `{"@level":"info","@message":"Apply complete!","@module":"tofu.ui","type":"log"}` + "\n")
	r := uijson.NewReader(in, uijson.Tee(&file))
	for ev, err := range r.Events() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(ev.Kind)
	}
	if err := r.TeeErr(); err != nil {
		log.Fatal(err)
	}
	_, _ = io.WriteString(os.Stdout, file.String())
	// Output:
	// text
	// message
	// Warning: not JSON
	// {"@level":"info","@message":"Apply complete!","@module":"tofu.ui","type":"log"}
}
