// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package progress

import (
	"io"
	"strings"
	"testing"
	"time"
)

// TestReader shows what was measured, after a second, and leaves nothing.
func TestReader(t *testing.T) {
	for _, row := range []struct {
		size, done int64
		waited     time.Duration
		want       string
	}{
		{2 * Large, Large, 2 * time.Second, "\r\x1b[K[===============               ] 50.0 of 100.0 MB\r\x1b[K"},
		{-1, Large, 2 * time.Second, "\r\x1b[Kread 50.0 MB\r\x1b[K"},
		{2 * Large, Large, -time.Hour, ""},
		{Large - 1, 10, 2 * time.Second, ""},
		{-1, 10, 2 * time.Second, ""},
	} {
		var out strings.Builder
		p := NewReader(strings.NewReader("xx"), row.size, &out)
		p.done, p.begin = row.done-1, p.begin.Add(-row.waited)
		p.Read(make([]byte, 1))
		p.last = time.Now().Add(time.Hour) // however long it takes from here on
		if io.ReadAll(p); out.String() != row.want {
			t.Errorf("%+v: %q", row, out.String())
		}
		quiet := NewReader(strings.NewReader("xx"), row.size, nil)
		quiet.done, quiet.begin = row.done, p.begin
		if text, err := io.ReadAll(quiet); string(text) != "xx" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
	}
}
