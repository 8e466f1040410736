// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-exec/tfexec"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/tofuwire/tofuwire/uijson"
)

const messageRecordings = "../uijson/testdata"

var messageFeatures = []feature{
	{
		what: "fields for all message types; unknown ones are kept",
		cases: []featureCase{
			// The types of the recordings.
			typed("terraform-1.11.4", "version", true),
			typed("tofu-1.12.6", "version", false), // its member "tofu" is lost
			typed("tofu-1.12.6", "log", true),
			typed("tofu-1.12.6", "diagnostic", true),
			typed("terraform-1.11.4", "init_output", true),
			typed("tofu-1.12.6", "planned_change", false),
			typed("tofu-1.12.6", "resource_drift", false),
			typed("tofu-1.12.6", "change_summary", false),
			typed("tofu-1.12.6", "outputs", false),
			typed("tofu-1.12.6", "apply_start", false),
			typed("tofu-1.12.6", "apply_progress", false),
			typed("tofu-1.12.6", "apply_complete", false),
			typed("tofu-1.12.6", "apply_errored", false),
			typed("tofu-1.12.6", "provision_start", false),
			typed("tofu-1.12.6", "provision_progress", false),
			typed("tofu-1.12.6", "provision_complete", false),
			typed("tofu-1.12.6", "provision_errored", false),
			typed("tofu-1.12.6", "refresh_start", false),
			typed("tofu-1.12.6", "refresh_complete", false),
			typed("tofu-1.12.6", "ephemeral_action_started", false),
			typed("terraform-1.11.4", "ephemeral_op_start", false),
			typed("tofu-1.12.6", "test_abstract", false),
			typed("tofu-1.12.6", "test_file", false),
			typed("tofu-1.12.6", "test_run", false),
			typed("tofu-1.12.6", "test_summary", false),
			// Types of newer tools than those of the recordings.
			typedLine("list_start", `"list_start":{"address":"list.a.b","resource_type":"a"}`, true),
			typedLine("list_resource_found", `"list_resource_found":{"address":"list.a.b","display_name":"x","identity":{"id":"1"},"identity_version":0,"resource_type":"a"}`, true),
			typedLine("list_complete", `"list_complete":{"address":"list.a.b","resource_type":"a","total":1}`, true),
			typedLine("migration_errored", `"failure_mode":"error_during_migration"`, true),
			// An unknown type.
			{"an unknown type: its name", func(t *testing.T) bool { return decodeMessage(t, unknownMessage).Type == "future_thing" },
				func(t *testing.T) bool { return strings.Contains(peerMessage(t, unknownMessage), "future_thing") }, true, false},
			{"its payload", func(t *testing.T) bool {
				for name, value := range uijson.Extra(decodeMessage(t, unknownMessage)) {
					return name == "future" && value.String() == `{"a":1}`
				}
				return false
			}, func(t *testing.T) bool { return strings.Contains(peerMessage(t, unknownMessage), `{"a":1}`) }, true, false},
			{"its bytes", func(t *testing.T) bool {
				out, err := uijson.Encode(decodeMessage(t, unknownMessage))
				return err == nil && string(out) == unknownMessage
			}, func(t *testing.T) bool { return peerMessage(t, unknownMessage) == unknownMessage }, true, false},
		},
		note: "those of `init` and `query`, not of `plan`, `apply` and `test`",
	},
}

var streamFeatures = []feature{
	{
		what: "reads on after blank lines, text, broken JSON, lines above 64 KiB",
		cases: []featureCase{
			goesOn("a blank line", "", false, false),
			goesOn("plain text", "Warning: something about the CLI configuration", false, false),
			goesOn("broken JSON", `{"@level":"info",`, false, false),
			goesOn("a line of 70,000 bytes", longLine, false, true),
		},
		note: "it ends there, or hangs",
		controls: []featureCase{
			goesOn("a message", goodLine, true, false),
			goesOn("a message of an unknown type", unknownMessage, true, false),
		},
	},
}

const (
	envelope       = `{"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-08-26T16:20:04.692816Z",`
	goodLine       = envelope + `"type":"log"}`
	unknownMessage = envelope + `"future":{"a":1},"type":"future_thing"}`
)

// longLine is a message above the limit of a bufio.Scanner.
var longLine = envelope + `"type":"outputs","outputs":{"o":{"sensitive":false,"type":"string","value":"` + strings.Repeat("x", 70000) + `"}}}`

func decodeMessage(t *testing.T, line string) *uijson.Message {
	t.Helper()
	m, err := uijson.Decode([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// peerMessage returns everything that the peer makes of a line, as JSON.
func peerMessage(t *testing.T, line string) string {
	t.Helper()
	m, err := tfjson.UnmarshalLogMessage([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// typed is about the first line of a type that a tool has printed.
func typed(tool, typ string, peer bool) featureCase {
	find := func(t *testing.T) string {
		line := recordedLine(t, tool, typ)
		if line == "" {
			t.Fatalf("no message of type %s in the recordings", typ)
		}
		return line
	}
	return featureCase{
		name:    typ + " of " + tool,
		ours:    func(t *testing.T) bool { return hasFields(t, find(t), typ) },
		peer:    func(t *testing.T) bool { return peerHasFields(t, find(t)) },
		oursHas: true,
		peerHas: peer,
	}
}

// typedLine is about a message of a type that is not in the recordings.
func typedLine(typ, payload string, peer bool) featureCase {
	line := envelope + payload + `,"type":"` + typ + `"}`
	return featureCase{
		name:    typ,
		ours:    func(t *testing.T) bool { return hasFields(t, line, typ) },
		peer:    func(t *testing.T) bool { return peerHasFields(t, line) },
		oursHas: true,
		peerHas: peer,
	}
}

// hasFields reports whether all members of a message have a field.
func hasFields(t *testing.T, line, typ string) bool {
	m := decodeMessage(t, line)
	for name := range uijson.Extra(m) {
		t.Logf("extra member %s", name)
		return false
	}
	return string(m.Type) == typ && len(m.Problems()) == 0
}

// peerHasFields reports whether the peer has a type for the message, and the
// version in a version message.
func peerHasFields(t *testing.T, line string) bool {
	m, err := tfjson.UnmarshalLogMessage([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	switch m := m.(type) {
	case tfjson.UnknownLogMessage:
		return false
	case tfjson.VersionLogMessage:
		return m.Terraform != nil
	}
	return true
}

func recordedLine(t *testing.T, tool, typ string) (found string) {
	t.Helper()
	mark := []byte(`"type":"` + typ + `"`)
	err := filepath.WalkDir(filepath.Join(messageRecordings, tool), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for line := range bytes.Lines(text) {
			line = bytes.TrimSpace(line)
			if bytes.Contains(line, mark) && json.Valid(line) && decodeMessage(t, string(line)).Type == uijson.Type(typ) {
				found = string(line)
				return fs.SkipAll
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// goesOn is about a message behind a line on the stream. If the peer hangs, it
// is not waited for.
func goesOn(name, line string, peer, hangs bool) featureCase {
	stream := line + "\n" + envelope + `"type":"diagnostic","diagnostic":{"severity":"error","summary":"the last","detail":""}}` + "\n"
	return featureCase{
		name:    name,
		ours:    func(t *testing.T) bool { return reads(t, stream) },
		peer:    func(t *testing.T) bool { return peerReads(t, stream, hangs) },
		oursHas: true,
		peerHas: peer,
	}
}

func reads(t *testing.T, stream string) (found bool) {
	for event, err := range uijson.NewReader(strings.NewReader(stream)).Events() {
		if err != nil {
			t.Fatal(err)
		}
		if m := event.Message; m != nil && m.Diagnostic != nil && m.Diagnostic.Summary == "the last" {
			found = true
		}
	}
	return found
}

// fakeStream is the environment variable that makes this program terraform: it
// names the file with what "terraform query -json" and "terraform apply -json"
// print.
const fakeStream = "TOFUWIRE_FAKE_STREAM"

func TestMain(m *testing.M) {
	name := os.Getenv(fakeStream)
	if name == "" || len(os.Args) < 2 {
		os.Exit(m.Run())
	}
	switch os.Args[1] {
	case "version":
		os.Stdout.WriteString(`{"terraform_version":"1.14.0","platform":"linux_amd64","provider_selections":{},"terraform_outdated":false}`)
	case "query", "apply":
		text, err := os.ReadFile(name)
		if err != nil {
			os.Exit(1)
		}
		os.Stdout.Write(text)
	}
}

// fakeTerraform returns the peer with this program as terraform.
func fakeTerraform(t *testing.T, stream string) *tfexec.Terraform {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tf, err := tfexec.NewTerraform(t.TempDir(), self)
	if err != nil {
		t.Fatal(err)
	}
	if err := tf.SetEnv(map[string]string{fakeStream: stream}); err != nil {
		t.Fatal(err)
	}
	return tf
}

// peerPatience is how long the peer may take where it is known to hang.
const peerPatience = 5 * time.Second

// peerReads runs this program as terraform, in the way the peer reads it. Where
// the peer hangs, the context is done long before the patience is at an end.
func peerReads(t *testing.T, stream string, hangs bool) bool {
	name := filepath.Join(t.TempDir(), "stream.jsonl")
	if err := os.WriteFile(name, []byte(stream), 0o600); err != nil {
		t.Fatal(err)
	}
	tf := fakeTerraform(t, name)
	ctx := t.Context()
	var patience <-chan time.Time
	if hangs {
		// The version is asked for before, so that all of the time is for the
		// stream.
		if _, _, err := tf.Version(ctx, false); err != nil {
			t.Fatal(err)
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, peerPatience/2)
		defer cancel()
		patience = time.After(peerPatience)
	}
	messages, err := tf.QueryJSON(ctx)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool, 1)
	go func() {
		found := false
		for next := range messages {
			if d, ok := next.Msg.(tfjson.DiagnosticLogMessage); ok && d.Summary == "the last" {
				found = true
			}
		}
		done <- found
	}()
	select {
	case found := <-done:
		if hangs {
			t.Error("the peer does not hang, as the table says")
		}
		return found
	case <-patience:
		return false
	}
}
