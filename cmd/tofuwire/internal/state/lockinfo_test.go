// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

func TestLockInfo(t *testing.T) {
	const lock = `{"ID":"5e8b1c9e-1","Operation":"OperationTypeApply","Info":"","Who":"me@host","Version":"1.12.6","Created":"2026-11-29T01:03:02.454423123Z","Path":"terraform.tfstate"}`
	const encoded = "eyJJRCI6IjVlOGIxYzllLTEiLCJPcGVyYXRpb24iOiJPcGVyYXRpb25UeXBlQXBwbHkiLCJJbmZvIjoiIiwiV2hvIjoibWVAaG9zdCIsIlZlcnNpb24iOiIxLjEyLjYiLCJDcmVhdGVkIjoiMjAyNi0xMS0yOVQwMTowMzowMi40NTQ0MjMxMjNaIiwiUGF0aCI6InRlcnJhZm9ybS50ZnN0YXRlIn0="
	for name, tt := range map[string]struct {
		in     string
		status int
	}{
		"lock file":    {lock, 0},
		"with a line":  {lock + "\n", 0},
		"lease":        {"apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata:\n  annotations:\n    app.terraform.io/lock-info: '" + lock + "'\n  name: lock-tfstate-default-state\n", 0},
		"lease, twice": {"---\nkind: Secret\n---\nkind: Lease\nmetadata:\n  annotations:\n    app.terraform.io/lock-info: '" + lock + "'\n", 0},
		"headers":      {"HTTP/1.1 200 OK\r\nx-ms-meta-terraformlockid: x\r\n\r\n" + lock, 0},
		"blob":         {"x-ms-meta-terraformlockid: " + encoded + "\n", 0},
		"XML":          {`<Blob><Name>a</Name><Snapshot>2026</Snapshot><Metadata><terraformlockid>eyJJRCI6IjEifQ==</terraformlockid></Metadata></Blob><Blob><Name>a</Name><Metadata><Terraformlockid>` + encoded + `</Terraformlockid></Metadata></Blob>`, 0},
		"az":           {`[{"metadata":{"Terraformlockid":"eyJJRCI6IjEifQ=="},"name":"a","snapshot":"2026"},{"metadata":{"Terraformlockid":"` + encoded + `"},"name":"a","snapshot":null}]`, 0},
		"detailed":     {"CreateIndex      51\nKey              a/.lockinfo\nSession          -\nValue            " + lock + "\n", 0},
		"cut":          {"Value " + lock[:40] + "\n" + lock, 0},
		"digest":       {`{"LockID":{"S":"b/k-md5"},"Digest":{"S":"d41d8cd98f00b204e9800998ecf8427e"}}`, 1},
		"a state":      {`{"version":4,"terraform_version":"1.12.6","serial":1,"lineage":"l","outputs":{},"resources":[]}`, 1},
		"text":         {"nothing", 1},
		"empty":        {"", 1},
	} {
		var out, errs bytes.Buffer
		status := Run([]string{"lock-info", "-"}, strings.NewReader(tt.in), &out, &errs)
		if status != tt.status || status == 0 && out.String() != lock+"\n" || status != 0 && (out.Len() > 0 || errs.Len() == 0) {
			t.Errorf("%s: %d %q %s", name, status, out.String(), errs.String())
		}
	}
	for _, args := range [][]string{{"lock-info", "no-such-file"}, {"lock-info"}, {"lock-info", "a", "b"}} {
		if status := Run(args, nil, new(bytes.Buffer), new(bytes.Buffer)); status != 2 {
			t.Errorf("%q: %d", args, status)
		}
	}
}

// TestLockInfoStores reads what stores have of locks that both tools held when it was recorded.
func TestLockInfoStores(t *testing.T) {
	const stores = "../../../fleet/testdata/stores/"
	for name, holders := range map[string][]string{
		"azurerm-tofu.head": {"1.12.6"}, "azurerm-terraform.head": {"1.11.4"}, "azurerm-list.xml": {"1.11.4", "1.12.6"},
		"consul-locked.json": {"1.11.4", "1.12.6"}, "consul-locked-api.json": {"1.11.4", "1.12.6"}, "consul-detailed.txt": {"1.12.6"},
		"http.lock": {"1.12.6"}, "dynamodb.json": {"1.12.6"}, "s3-dynamodb.json": {"1.11.4", "1.12.6"},
		"s3.tar.gz": {"1.11.4", "1.12.6"}, "gcs.tar.gz": {"1.11.4", "1.12.6"}, "s3-list.xml": nil, "s3-versions.json": nil, "gcs-list.json": nil,
		"secrets.json": nil, "table.csv": nil,
	} {
		var out, errs bytes.Buffer
		status := Run([]string{"lock-info", stores + name}, nil, &out, &errs)
		var got []string
		for line := range strings.Lines(out.String()) {
			lock, err := statefile.DecodeLockInfo([]byte(strings.TrimSpace(line)))
			if err != nil || lock.Operation != "OperationTypeApply" || lock.Who == "" || lock.Line()+"\n" != line {
				t.Fatalf("%s: %s %v", name, line, err)
			}
			got = append(got, lock.Version)
		}
		if !slices.Equal(got, holders) || (status == 0) != (len(holders) > 0) {
			t.Errorf("%s: %d %q %s", name, status, got, errs.String())
		}
	}
}
