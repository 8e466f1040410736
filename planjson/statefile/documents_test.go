// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

const lockText = `{"ID":"5e8b1c9e-1","Operation":"OperationTypeApply","Info":"","Who":"me@host","Version":"1.12.6","Created":"2026-11-29T01:03:02.454423123Z","Path":"terraform.tfstate"}`

// otherDocuments are texts as the tools write them, with an extra member and without.
var otherDocuments = []struct {
	kind planjson.DocumentKind
	text string
}{
	{planjson.DocumentLockInfo, lockText},
	{planjson.DocumentLockInfo, strings.Replace(lockText, "}", ` , "New" : 1 }`, 1)},
	{planjson.DocumentBackend, "{\n    \"version\": 3,\n    \"backend\": {\n        \"type\": \"local\",\n        \"config\": {\n            \"path\": \"s.tfstate\",\n            \"workspace_dir\": null\n        },\n        \"hash\": 3497149457\n    }\n}\n"},
	{planjson.DocumentBackend, `{"version":3,"serial":1,"lineage":"l","terraform_version":"1.1.0","backend":{"type":"s3","config":{"key":"<k>"},"hash":18446744073709551615,"x":1.0},"modules":[{"path":["root"],"outputs":{},"resources":{},"depends_on":[]}]}`},
	{planjson.DocumentInstalledModules, `{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"box.a","Source":"registry.opentofu.org/acme/box/lab","Version":"1.2.3","Dir":".terraform/modules/box"}]}`},
	{planjson.DocumentInstalledModules, `{"Modules":[],"x":null}`},
	{planjson.DocumentEncrypted, `{"serial":18446744073709551615,"lineage":"l","meta":{"key_provider.pbkdf2.main":"eyJzYWx0IjoiYWJjIn0="},"encrypted_data":"AAAA","encryption_version":"v0"}`},
	{planjson.DocumentEncrypted, `{"meta":{},"encrypted_data":"AAAA","encryption_version":"v0"}`},
}

// decodeOther decodes a document of a kind.
func decodeOther(kind planjson.DocumentKind, text []byte) (statefile.Document, error) {
	switch kind {
	case planjson.DocumentLockInfo:
		return statefile.DecodeLockInfo(text)
	case planjson.DocumentBackend:
		return statefile.DecodeBackend(text)
	case planjson.DocumentInstalledModules:
		return statefile.DecodeInstalledModules(text)
	}
	return statefile.DecodeEnvelope(text)
}

// TestOtherDocuments checks the law: unchanged bytes, an edit changes only the bytes of its field,
// and what a caller makes decodes as the same.
func TestOtherDocuments(t *testing.T) {
	for _, d := range otherDocuments {
		if kind := planjson.KindOf([]byte(d.text)); kind != d.kind {
			t.Errorf("%s is of the kind %q", d.text, kind)
		}
		doc, err := decodeOther(d.kind, []byte(d.text))
		if err != nil {
			t.Fatal(d.text, err)
		}
		if text, err := statefile.Encode(doc); err != nil || string(text) != d.text {
			t.Errorf("%s becomes %s %v", d.text, text, err)
		}
		for _, other := range otherDocuments {
			if _, err := decodeOther(other.kind, []byte(d.text)); (err == nil) != (other.kind == d.kind) || err != nil && !errors.Is(err, statefile.ErrKind) {
				t.Errorf("%s as %s: %v", d.text, other.kind, err)
			}
		}
		was, now := "", ""
		switch doc := doc.(type) {
		case *statefile.LockInfo:
			was, now, doc.Who = `"me@host"`, `"you"`, "you"
		case *statefile.Backend:
			was, now, doc.Backend.Type = fmt.Sprintf("%q", doc.Backend.Type), `"pg"`, "pg"
		case *statefile.InstalledModules:
			if len(doc.Modules) == 0 {
				continue
			}
			was, now, doc.Modules[1].Version = `"1.2.3"`, `"2.0.0"`, "2.0.0"
		case *statefile.Envelope:
			was, now, doc.EncryptedData = `"AAAA"`, `"BBBB"`, "BBBB"
		}
		if text, err := statefile.Encode(doc); err != nil || string(text) != strings.Replace(d.text, was, now, 1) {
			t.Errorf("%s edited is %s %v", d.text, text, err)
		}
	}
	for _, tt := range []struct {
		doc  statefile.Document
		want string
	}{
		{&statefile.LockInfo{ID: "1", Operation: "a<b"}, `{"ID":"1","Operation":"a\u003cb","Info":"","Who":"","Version":"","Created":"","Path":""}`},
		{&statefile.Backend{Version: 3, Backend: &statefile.BackendSettings{Type: "pg", Config: planjson.Value("{}")}}, "{\n  \"version\": 3,\n  \"backend\": {\n    \"type\": \"pg\",\n    \"config\": {},\n    \"hash\": 0\n  }\n}\n"},
		{&statefile.InstalledModules{Modules: []*statefile.InstalledModule{{Key: "a", Dir: "."}}}, `{"Modules":[{"Key":"a","Source":"","Dir":"."}]}`},
		{&statefile.Envelope{EncryptedData: "AA", EncryptionVersion: "v0"}, `{"meta":{},"encrypted_data":"AA","encryption_version":"v0"}`},
	} {
		if text, err := statefile.Encode(tt.doc); err != nil || string(text) != tt.want {
			t.Errorf("%s %v, want %s", text, err, tt.want)
		}
	}
	if _, err := statefile.Encode((*statefile.Backend)(nil)); !errors.Is(err, statefile.ErrAbsent) {
		t.Error(err)
	}
}

func TestOtherDocumentsBad(t *testing.T) {
	for _, text := range []string{"", "{}", "[]", "x", `{"version":4,"backend":{}}`, `{"ID":"1","Operation":2,"Who":"x"}`, `{"Modules":{}}`, `{"Modules":[null]}`, `{"encrypted_data":1}`, `{"version":3,"lineage":"l","modules":[{"resources":{"a.b":{}}}]}`} {
		for _, d := range otherDocuments {
			if doc, err := decodeOther(d.kind, []byte(text)); err == nil {
				t.Errorf("%s is %T", text, doc)
			} else if e := new(statefile.Error); !errors.As(err, &e) {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if b, err := statefile.DecodeBackend([]byte(`{"version":3,"serial":2,"lineage":"l","modules":[{"path":["root"],"outputs":{},"resources":{}}]}`)); err != nil || b.Backend != nil {
		t.Error(b, err)
	}
}

// TestFindLockInfo takes lock documents out of what the command lines of the stores print.
func TestFindLockInfo(t *testing.T) {
	quoted, _ := json.Marshal(lockText)
	encoded := base64.StdEncoding.EncodeToString([]byte(lockText))
	for name, text := range map[string]string{
		"file":            lockText,
		"indented":        strings.ReplaceAll(lockText, ",", ",\n  "),
		"DynamoDB":        `{"Item":{"LockID":{"S":"bucket/key"},"Info":{"S":` + string(quoted) + `}}}`,
		"DynamoDB scan":   `{"Items":[{"LockID":{"S":"b/k-md5"},"Digest":{"S":"d41d8cd98f00b204e9800998ecf8427e"}},{"LockID":{"S":"b/k"},"Info":{"S":` + string(quoted) + `}}],"Count":2}`,
		"DynamoDB simple": `{"LockID":"bucket/key","Info":` + string(quoted) + `}`,
		"blob":            `{"metadata":{"terraformlockid":"` + encoded + `"},"name":"key"}`,
		"blob's headers":  `{"x-ms-meta-Terraformlockid":"` + encoded + `"}`,
		"lease":           `{"apiVersion":"v1","items":[{"kind":"Lease","metadata":{"annotations":{"app.terraform.io/lock-info":` + string(quoted) + `}},"spec":{"holderIdentity":"5e8b1c9e-1"}}],"kind":"List"}`,
		"Consul":          `[{"LockIndex":0,"Key":"path/.lockinfo","Flags":0,"Value":"` + encoded + `"}]`,
	} {
		found := statefile.FindLockInfo([]byte(text))
		if len(found) != 1 || found[0].Line() != lockText {
			t.Errorf("%s: %v", name, found)
		}
	}
	for _, text := range []string{"", "x", "{}", `{"LockID":{"S":"b/k-md5"},"Digest":{"S":"d41d8cd98f00b204e9800998ecf8427e"}}`, `{"version":4,"terraform_version":"1.0.0","serial":1,"lineage":"l","outputs":{"Info":{"value":"x","type":"string"}},"resources":[]}`,
		`{"Description":` + string(quoted) + `}`, strings.Repeat("[", 1000) + strings.Repeat("]", 1000)} {
		if found := statefile.FindLockInfo([]byte(text)); len(found) > 0 {
			t.Errorf("%.80s: %v", text, found[0])
		}
	}
	if (*statefile.LockInfo)(nil).Line() != "" {
		t.Error("nil has a line")
	}
}

func TestEnvironment(t *testing.T) {
	for text, name := range map[string]string{"": "default", "prod": "prod", " prod\r\n": "prod", "\n": "default"} {
		e, err := statefile.DecodeEnvironment([]byte(text))
		if err != nil || e.Workspace != name || string(e.Bytes()) != text {
			t.Errorf("%q: %+v %v", text, e, err)
			continue
		}
		e.Workspace = "test"
		if want := strings.Replace(text, strings.TrimSpace(text), "test", 1); string(e.Bytes()) != want {
			t.Errorf("%q becomes %q, want %q", text, e.Bytes(), want)
		}
	}
	for _, text := range []string{"a\nb", "\xff", "a\x00"} {
		if _, err := statefile.DecodeEnvironment([]byte(text)); !errors.Is(err, statefile.ErrInvalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if (*statefile.Environment)(nil).Bytes() != nil || string((&statefile.Environment{Workspace: "x"}).Bytes()) != "x" {
		t.Error("an environment of the caller")
	}
}

func TestMetadata(t *testing.T) {
	e, err := statefile.DecodeEnvelope([]byte(otherDocuments[6].text))
	if err != nil {
		t.Fatal(err)
	}
	if m, err := e.Metadata("key_provider.pbkdf2.main"); err != nil || string(m) != `{"salt":"abc"}` {
		t.Error(string(m), err)
	}
	if _, err := e.Metadata("x"); !errors.Is(err, statefile.ErrAbsent) {
		t.Error(err)
	}
	e.Meta["x"] = "%"
	if _, err := e.Metadata("x"); !errors.Is(err, statefile.ErrInvalid) {
		t.Error(err)
	}
}

func FuzzOtherDocuments(f *testing.F) {
	for _, d := range otherDocuments {
		f.Add([]byte(d.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, d := range otherDocuments {
			doc, err := decodeOther(d.kind, bytes.Clone(text))
			if err != nil {
				continue
			}
			if out, err := statefile.Encode(doc); err != nil || !bytes.Equal(out, text) {
				t.Errorf("%q becomes %q %v", text, out, err)
			}
		}
		for _, l := range statefile.FindLockInfo(text) {
			if again := statefile.FindLockInfo([]byte(l.Line())); len(again) != 1 || again[0].Line() != l.Line() {
				t.Errorf("%q: %q", text, l.Line())
			}
		}
		if e, err := statefile.DecodeEnvironment(text); err == nil && !bytes.Equal(e.Bytes(), text) {
			t.Errorf("%q becomes %q", text, e.Bytes())
		}
	})
}

func ExampleFindLockInfo() {
	item := `{"Item":{"LockID":{"S":"states/prod"},"Info":{"S":"{\"ID\":\"5e8b\",\"Operation\":\"OperationTypeApply\",\"Info\":\"\",\"Who\":\"ci@runner\",\"Version\":\"1.12.6\",\"Created\":\"2026-11-29T01:03:02Z\",\"Path\":\"states/prod\"}"}}}`
	for _, lock := range statefile.FindLockInfo([]byte(item)) {
		fmt.Println(lock.Who, "holds the lock for", lock.Operation)
	}
	// Output:
	// ci@runner holds the lock for OperationTypeApply
}
