// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package unifieddiff_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/unifieddiff"
)

func TestWrite(t *testing.T) {
	var b strings.Builder
	if err := unifieddiff.Write(&b, "f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\n2\nx\n4\n5\n6\n7\n8\n9\n10\n11\n12"); err != nil {
		t.Fatal(err)
	}
	want := "--- a/f\n+++ b/f\n@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+x\n 4\n 5\n 6\n@@ -9,4 +9,4 @@\n 9\n 10\n 11\n-12\n+12\n\\ No newline at end of file\n"
	if b.String() != want {
		t.Errorf("got %s", b.String())
	}
}
