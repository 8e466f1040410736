// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/checksum"
)

// TestError_Error checks the places in the texts of errors, and that names from
// elsewhere cannot break a log line or a terminal.
func TestError_Error(t *testing.T) {
	cause := errors.New("cause")
	for _, tt := range []struct {
		err  checksum.Error
		want string
	}{
		{checksum.Error{Err: cause}, "checksum: cause"},
		{checksum.Error{Line: 2, Column: 3, Err: cause}, "checksum: line 2, column 3: cause"},
		{checksum.Error{Filename: "SUMS", Line: 2, Column: 3, Err: cause}, "checksum: SUMS:2,3: cause"},
		{checksum.Error{Filename: "a b.zip", Entry: "x/y", Err: cause}, `checksum: a b.zip: entry "x/y": cause`},
		{checksum.Error{Filename: "a\n\x1b[31m.zip", Err: cause}, `checksum: "a\n\x1b[31m.zip": cause`},
		{checksum.Error{Filename: "ü\xff.zip", Err: cause}, `checksum: "ü\xff.zip": cause`},
		{checksum.Error{Entry: "a\nb", Err: cause}, `checksum: entry "a\nb": cause`},
		{checksum.Error{Input: "h1:x\n", Err: cause}, `checksum: "h1:x\n": cause`},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
	long := checksum.Error{Input: strings.Repeat("h1:", 10_000), Err: cause}
	if got := long.Error(); len(got) > 400 || !strings.HasSuffix(got, ": cause") {
		t.Errorf("a text of %d bytes", len(got))
	}
}
