// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

import (
	"encoding/base64"
	"math/rand/v2"
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

// TestStartsOdd checks that no run that may be text is passed over by its first two letters.
func TestStartsOdd(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	m := rand.New(rand.NewPCG(1, 2))
	odd := 0
	for start := range 1 << 12 {
		run := []byte{letters[start>>6], letters[start&63], 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A'}
		if !startsOdd(run) {
			continue
		}
		if mayBeText(run) {
			t.Fatalf("%s may be text", run)
		}
		odd++
		for try := range 64 {
			for k := 2; k < len(run); k++ {
				run[k] = letters[m.IntN(64)]
			}
			if run[2] = letters[try]; mayBeText(run) {
				t.Fatalf("%s may be text", run)
			}
		}
	}
	if odd < 1<<11 {
		t.Errorf("only %d of %d starts are odd", odd, 1<<12)
	}
}
