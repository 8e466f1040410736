// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package called_test

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/called"
)

func TestWriter(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"new name", "own: no own: here\n", "new name: no own: here\n"},
		{"", "own: first\nown: second\n", "first\nsecond\n"},
		{"new", "not own: here\n downown: x\nown\n", "not own: here\n downown: x\nown\n"},
		{"new", "own: usage: own [-w] FILE\n", "new: usage: new [-w] FILE\n"},
		{"a $1", "usage: x | own FILE\n       own -- own own\n\n  own of the text\n", "usage: x | a $1 FILE\n       a $1 -- own own\n\n  own of the text\n"},
		{"new", "  own is no usage\n", "  own is no usage\n"},
	} {
		var out strings.Builder
		w := called.Writer(&out, "own", test.name)
		if n, err := io.WriteString(w, test.in); err != nil || n != len(test.in) || out.String() != test.want {
			t.Errorf("%q becomes %q (%d, %v), not %q", test.in, out.String(), n, err, test.want)
		}
	}
	var out strings.Builder
	w := called.Writer(&out, "own", "new")
	for _, part := range []string{"own: 1", ", ", "own: 2", "\nown: 3\n"} {
		io.WriteString(w, part)
	}
	if out.String() != "new: 1, own: 2\nnew: 3\n" {
		t.Errorf("in parts: %q", out.String())
	}
	if called.Under(called.Writer(w, "a", "b")) != &out || called.Under(os.Stderr) != os.Stderr {
		t.Error("another writer below")
	}
	pr, pw := io.Pipe()
	pr.Close()
	if n, err := called.Writer(pw, "own", "new").Write([]byte("own: 1\n")); n != 0 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
}
