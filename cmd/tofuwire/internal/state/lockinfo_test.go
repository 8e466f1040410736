// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"bytes"
	"strings"
	"testing"
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
