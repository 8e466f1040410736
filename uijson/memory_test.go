// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/uijson"
)

// TestMemory_Joined reads many messages on one line: one does not cost what all of the line would.
func TestMemory_Joined(t *testing.T) {
	const n = 20_000
	message := `{"@level":"info","@message":"x","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","type":"version"}`
	for _, between := range []string{"", " "} {
		text := strings.Repeat(message+between, n) + "\n" + message + "\n"
		bounds.AtMost(t, "joined"+between, 60*len(text), func() {
			found, ended := 0, 0
			for ev, err := range uijson.NewReader(strings.NewReader(text)).Events() {
				if err != nil || ev.Message == nil || ev.Message.Text != "x" {
					t.Fatalf("%+v, %v", ev, err)
				}
				if found++; ev.Ended {
					ended++
				}
			}
			if found != n+1 || ended != 2 {
				t.Errorf("joined by %q: %d messages, %d lines", between, found, ended)
			}
		})
	}
}

// TestMemory_Problems finds the places of many problems of one message.
func TestMemory_Problems(t *testing.T) {
	var outputs []string
	for i := range 5000 {
		outputs = append(outputs, fmt.Sprintf(`"o%d":{"sensitive":"no","type":"string"}`, i))
	}
	text := `{"@level":"info","@message":"x","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","type":"outputs","outputs":{` + strings.Join(outputs, ",") + `}}`
	m, err := uijson.Decode([]byte(text))
	if m == nil {
		t.Fatal(err)
	}
	var all []uijson.Problem
	bounds.AtMost(t, "problems", 60*len(text), func() { all = m.Problems() })
	if len(all) != 5000 {
		t.Fatalf("%d problems", len(all))
	}
	for i, p := range all {
		if want := fmt.Sprintf("/outputs/o%d/sensitive", i); p.Pointer != want || !strings.HasPrefix(text[p.Offset:], `"no"`) {
			t.Errorf("%s at %d, want %s", p.Pointer, p.Offset, want)
		}
	}
}
