// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
)

// refused is what both tools write when a backend cannot be reached: the URL that it was configured with.
const refused = `{"@level":"error","@message":"Error: Failed to get state: GET http://planted-user:xxxxx@127.0.0.1:5598/x?token=planted-token-78 giving up after 2 attempt(s): Get \"http://planted-user:***@127.0.0.1:5598/x?token=planted-token-78\": dial tcp 127.0.0.1:5598: connect: connection refused","@module":"tofu.ui","@timestamp":"2026-11-29T17:35:53.757018Z",` +
	`"diagnostic":{"severity":"error","summary":"Failed to get state: GET http://planted-user:xxxxx@127.0.0.1:5598/x?token=planted-token-78 giving up after 2 attempt(s)","detail":"see https://planted-key@example.com/a?ref=v1\u0026sig=planted-sig"},"type":"diagnostic"}`

// TestCredentialsInMessages redacts messages with the URLs of backends, whose plan nobody has.
func TestCredentialsInMessages(t *testing.T) {
	for _, keep := range []uijson.Unmarked{0, uijson.UnmarkedDetails, ^uijson.Unmarked(0)} {
		m, err := uijson.Decode([]byte(refused))
		if err != nil {
			t.Fatal(err)
		}
		changed := m.Redact(keep)
		out, err := uijson.Encode(m)
		if err != nil || !changed || bytes.Contains(out, []byte("planted")) || !bytes.Contains(out, []byte("@127.0.0.1:5598/x?token=(sensitive value)")) {
			t.Errorf("%b: %v %s", keep, err, out)
		}
		if keep != 0 && !bytes.Contains(out, []byte(`@example.com/a?ref=v1`)) {
			t.Errorf("%b: %s", keep, out)
		}
		if m.Redact(keep) {
			t.Errorf("%b: redacted again it is another: %s", keep, out)
		}
	}
}

// TestCredentialsInText does the same with the texts of tools.
func TestCredentialsInText(t *testing.T) {
	const text = "Error: GET http://planted-user:xxxxx@h/x?token=planted-token-78 giving up\n" +
		`2026-11-29T17:35:53Z [DEBUG] GET \"https://planted-user:planted-pw@h/x?a=planted-a\u0026b=planted-b\"` + "\n" + refused + "\nhttps://h/x known-secret\n"
	for _, secrets := range [][]string{nil, {"known-secret"}} {
		r := uijson.RemoveSecretsFromText(secrets)
		var out strings.Builder
		if err := r.Copy(&out, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if got := string(r.Bytes([]byte(text))); got != out.String() || strings.Contains(got, "planted") || strings.Count(got, "\n") != 4 || strings.Contains(got, "known-secret") != (secrets == nil) ||
			!strings.HasPrefix(got, "Error: GET http://(sensitive value)@h/x?token=(sensitive value) giving up\n") {
			t.Errorf("%q: %s", secrets, got)
		}
	}
	if kept := uijson.RemoveSecretsFromText(nil).Bytes([]byte("https://h/x\n{\"a\": 1}\n")); string(kept) != "https://h/x\n{\"a\": 1}\n" {
		t.Errorf("%s", kept)
	}
}
