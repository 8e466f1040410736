// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// The tests of released programs pass with files of ours in the place of theirs.
func TestPorts(t *testing.T) {
	depth.NeedFull(t, "it downloads four programs and runs their tests, which takes a quarter of an hour")
	if d, ok := t.Deadline(); ok && time.Until(d) < 30*time.Minute {
		t.Skip("needs go test -timeout 40m")
	}
	r := runner{work: t.TempDir(), out: t.Output()}
	for _, p := range ports {
		if _, err := r.source(t.Context(), p.module, p.version); err != nil {
			t.Skip("needs the sources of the programs:", err)
		}
	}
	if err := r.all(t.Context(), ""); err != nil {
		t.Error(err)
	}
}

// Our files are there, are Go, and are of use to a port.
func TestFiles(t *testing.T) {
	there, err := filepath.Glob("_*/*.go")
	if err != nil || len(there) < 6 {
		t.Fatalf("%d files, %v", len(there), err)
	}
	for _, p := range ports {
		for place, file := range p.files {
			if _, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments); err != nil {
				t.Errorf("%s: %v", place, err)
			}
			there = slices.DeleteFunc(there, func(s string) bool { return s == file })
		}
	}
	if len(there) > 0 {
		t.Errorf("no port has %v", there)
	}
}

func TestEdit(t *testing.T) {
	const src = `package p

import (
	"context"
	"fmt"

	tf "github.com/hashicorp/terraform-json"
	other "example.com/other"
)

// Read reads.
func (w *W) Read(ctx context.Context) (*tf.Plan, error) { return other.Read(ctx) }

func empty(p *tf.Plan) bool {
	var rc *tf.ResourceChange
	if rc == nil || rc.Change == nil || rc.Change.Actions.NoOp() {
		fmt.Println(rc)
	}
	return true
}
`
	e := edit{
		file: "p.go", drop: []string{"Read"}, types: map[string]string{"Plan": "Plan", "ResourceChange": "ResourceChange"},
		methods: map[string]string{"NoOp": "IsNoOp"}, values: []string{"Change"},
	}
	const want = `package p

import (
	"fmt"
	"github.com/tofuwire/tofuwire/planjson"
)

func empty(p *planjson.Plan) bool {
	var rc *planjson.ResourceChange
	if rc == nil || false && false || rc.Change.Actions.IsNoOp() {
		fmt.Println(rc)
	}
	return true
}
`
	got, err := e.apply([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if squeeze(string(got)) != squeeze(want) {
		t.Errorf("got %s", got)
	}
	e.drop = []string{"Gone"}
	if _, err := e.apply([]byte(src)); err == nil || !strings.Contains(err.Error(), "there is no Gone") {
		t.Errorf("got %v", err)
	}
}

// The folder is served as the host in the certificate, through the proxy.
func TestRaw(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "plan.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "certificate.pem")
	variables, stop, err := raw("/owner/name/v1/", dir, file)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	pool := x509.NewCertPool()
	text, err := os.ReadFile(file)
	if err != nil || !pool.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	proxy, err := url.Parse(strings.TrimPrefix(variables[0], "HTTPS_PROXY="))
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: pool}}}
	defer client.CloseIdleConnections()
	answer, err := client.Get("https://" + rawHost + "/owner/name/v1/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || string(body) != "{}" {
		t.Errorf("%q, %v", body, err)
	}
}

// A test that does not pass any more is a failure, one that never did is not.
func TestCompare(t *testing.T) {
	r := runner{root: filepath.Join("..", ".."), out: io.Discard}
	at := func(name string) [2]string { return [2]string{"p", name} }
	for _, row := range []struct {
		after string
		want  string
	}{{"pass", ""}, {"fail", "1 tests that passed before"}, {"", "TestA ()"}} {
		err := r.compare(port{without: []string{"TestC"}}, map[[2]string]string{at("TestA"): "pass", at("TestB"): "fail", at("TestC/x"): "pass"}, map[[2]string]string{at("TestA"): row.after})
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q: %v", row.after, err)
		}
	}
	sub := port{without: []string{"TestA/x"}}
	before := map[[2]string]string{at("TestA"): "pass", at("TestA/x"): "pass", at("TestA/y"): "pass"}
	if err := r.compare(sub, before, map[[2]string]string{at("TestA"): "fail", at("TestA/x"): "fail", at("TestA/y"): "pass"}); err != nil {
		t.Error(err)
	}
	if r.compare(sub, before, map[[2]string]string{at("TestA"): "fail", at("TestA/x"): "fail", at("TestA/y"): "fail"}) == nil {
		t.Error("a test beside one that may differ fails")
	}
	if r.compare(port{}, nil, nil) == nil {
		t.Error("no test at all is enough")
	}
	if err := (&runner{work: t.TempDir(), out: io.Discard}).all(context.Background(), "nothing"); err == nil {
		t.Error("there is a port named nothing")
	}
}
