// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package printable_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/printable"
)

func TestCredentials(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "no URL: a@b": "no URL: a@b", "://x@y": "://x@y",
		"see https://example.com/a@b, http://h:8080/x and s3://bucket/key":  "see https://example.com/a@b, http://h:8080/x and s3://bucket/key",
		"GET http://u:xxxxx@h:5598/x?token=t-78 giving up":                  "GET http://***@h:5598/x?token=*** giving up",
		`Get \"http://u:p@h/x?token=t\": refused`:                           `Get \"http://***@h/x?token=***\": refused`,
		`{"url":"https://h/x?a=1\u0026token=t\u003cu","n":1}`:               `{"url":"https://h/x?a=***\u0026token=***","n":1}`,
		"git::ssh://git@h/r?ref=v1.2&sshkey=LS0t":                           "git::ssh://git@h/r?ref=v1.2&sshkey=***",
		"git::https://token@h/r.git//m?depth=1;ref=v1":                      "git::https://***@h/r.git//m?depth=1;ref=v1",
		"postgres://u:p/w@d@h/db?sslmode=disable":                           "postgres://***@h/db?sslmode=***",
		"http://u:p'w@h/ http://[::1]:80/x":                                 "http://***@h/ http://[::1]:80/x",
		"https://h/cb#access_token=a&x=b https://h/p#L10 https://h/a#b?c=d": "https://h/cb#access_token=***&x=*** https://h/p#L10 https://h/a#b?c=***",
		"https://hooks/x?abcdef, is it http://h/y? yes":                     "https://hooks/x?*** is it http://h/y? yes",
		"https://h/?x-sig=a#frag&y=z":                                       "https://h/?x-sig=***#frag&y=***",
		`"url": "https:\/\/u:p@h\/x\/y?token=a\/b"`:                         `"url": "https:\/\/***@h\/x\/y?token=***"`,
		"http://a:b@h http://c:d@h":                                         "http://***@h http://***@h",
		"http://h/?a=&b=c&":                                                 "http://h/?a=&b=***&",
	} {
		for _, token := range []string{"***", "(sensitive value)"} {
			want := strings.ReplaceAll(want, "***", token)
			got := printable.Credentials(in, token)
			if got != want {
				t.Errorf("%q:\n got  %q\n want %q", in, got, want)
			}
			if again := printable.Credentials(got, token); again != got {
				t.Errorf("%q: again:\n got  %q\n want %q", in, again, got)
			}
		}
	}
}

func FuzzCredentials(f *testing.F) {
	f.Add("http://", "?token=")
	f.Fuzz(func(t *testing.T, before, after string) {
		const secret = "Secret1Secret"
		text := before + "https://u:" + secret + "@h/?a=" + secret + after
		once := printable.Credentials(text, "***")
		if n := strings.Count(before, secret) + strings.Count(after, secret); n == 0 && strings.Count(before+after, "/")+strings.Count(before+after, "\\") == 0 && strings.Contains(once, secret) {
			t.Errorf("%q: %q", text, once)
		}
		if again := printable.Credentials(once, "***"); again != once {
			t.Errorf("%q: %q, again %q", text, once, again)
		}
	})
}
