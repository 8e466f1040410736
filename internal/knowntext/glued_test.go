// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestGlued looks for secrets that are encoded twice behind letters that are not part of the
// encoded text.
func TestGlued(t *testing.T) {
	const secret = "hunter2-Correct-Horse"
	set := New([]string{secret})
	encode := base64.StdEncoding.EncodeToString
	for _, inner := range []string{secret, "x" + secret, "key = " + secret + "\n"} {
		twice := encode([]byte("user: " + encode([]byte(inner))))
		for n := range maxGlued + 1 {
			glued := strings.Repeat("Qx7z", 5)[:n] + twice
			if out, found := set.Replace(glued, "-"); !found || strings.Contains(out, twice) {
				t.Errorf("%d letters before %q: %q", n, inner, out)
			}
		}
	}
	if out, found := set.Replace(strings.Repeat("Qx7z", 5)+encode([]byte("user: "+encode([]byte("nothing of that")))), "-"); found {
		t.Errorf("what has no secret becomes %q", out)
	}
}
