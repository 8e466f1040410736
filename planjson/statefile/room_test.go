// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// TestShowOfLongerSpellings shows values that are longer than their texts in the state, because
// "<" is escaped, of all lengths up to more than what several objects share.
func TestShowOfLongerSpellings(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"version":4,"resources":[{"mode":"managed","type":"null_resource","name":"a","provider":"provider[\"registry.opentofu.org/hashicorp/null\"]","instances":[`)
	const most = 700
	value := func(i int) string {
		return fmt.Sprintf(`{ "id": "%d", "text": "%s" }`, i, strings.Repeat("<", i*i%most*(1+i/600*10)))
	}
	for i := range most {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `{"index_key":%d,"schema_version":0,"attributes":%s}`, i, value(i))
	}
	text.WriteString(`]}]}`)
	f, err := statefile.Decode([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	state, err := statefile.Show(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range state.Values.RootModule.Resources {
		want, err := planjson.Value(value(i)).Canonical()
		if err != nil {
			t.Fatal(err)
		}
		if string(r.Values) != string(want) || cap(r.Values) != len(r.Values) {
			t.Fatalf("values of %s, with room for %d bytes:\n got  %.200s\n want %.200s", r.Address, cap(r.Values), r.Values, want)
		}
	}
}
