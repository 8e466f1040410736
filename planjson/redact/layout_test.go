// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// TestSameWithReport checks that a document becomes the same whether somebody asks
// what is hidden or not. Without a report, members are compared with those of the
// object before, and a value that stays as it is in a change is gone through once.
func TestSameWithReport(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	names := []string{"id", "name", "password", "keys", "tags", "\\u0061rn", "last password0"}
	object := func() string {
		var parts []string
		for _, name := range names {
			if r.IntN(6) == 0 {
				continue
			}
			value := []string{"null", "true", "12.5", `"text"`, `"password%d"`, `["a","password%d",{"b":1}]`, `{"x":"password%d","y":{"z":"key password0"}}`}[r.IntN(7)]
			if strings.Contains(value, "%d") {
				value = fmt.Sprintf(value, r.IntN(5))
			}
			parts = append(parts, `"`+name+`":`+value)
		}
		if r.IntN(4) == 0 {
			r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	mark := func() string {
		return []string{`{}`, `false`, `{"password":true}`, `{"password":true,"keys":{"x":true}}`, `{"keys":[false,true,{}],"tags":true}`, `{"arn":true}`}[r.IntN(6)]
	}
	replaced, same := 0, 0
	for range 400 {
		var changes []string
		for i := range 1 + r.IntN(8) {
			before, after, beforeMark, afterMark := object(), object(), mark(), mark()
			if r.IntN(2) == 0 {
				after = before
			}
			if r.IntN(2) == 0 {
				afterMark = beforeMark
			}
			if after == before && afterMark == beforeMark {
				same++
			}
			typ := []string{"a", "b"}[r.IntN(2)]
			changes = append(changes, fmt.Sprintf(`{"address":"%s.x[%d]","mode":"managed","type":"%[1]s","name":"x","change":{"actions":["update"],"before":%[3]s,"after":%s,"before_sensitive":%s,"after_sensitive":%s}}`,
				typ, i, before, after, beforeMark, afterMark))
		}
		src := `{"format_version":"1.2","resource_changes":[` + strings.Join(changes, ",") + `]}`
		var quiet, told bytes.Buffer
		n, err := redact.Redactor{}.WritePlan(&quiet, strings.NewReader(src))
		if err != nil {
			t.Fatal(err)
		}
		reports := 0
		m, err := redact.Redactor{Report: func(e redact.Entry) {
			if !e.Kept {
				reports++
			}
		}}.WritePlan(&told, strings.NewReader(src))
		if err != nil || quiet.String() != told.String() || n != m || n != reports {
			t.Fatalf("%s\nwithout a report %d: %s\nwith one %d, %d, %v: %s", src, n, &quiet, m, reports, err, &told)
		}
		replaced += n
	}
	if replaced < 1000 || same < 200 {
		t.Errorf("%d values replaced, %d changes to the same", replaced, same)
	}
}

// TestSameValueOtherMarks checks that a value is not taken for the one before it
// if that is sensitive and it is not.
func TestSameValueOtherMarks(t *testing.T) {
	o, err := planjson.DecodeOutputs([]byte(`{"a":{"sensitive":true,"type":"string","value":"some text"},"b":{"sensitive":false,"type":"string","value":"some text"}}`))
	if err != nil {
		t.Fatal(err)
	}
	n, err := redact.Redactor{OnlyMarked: true}.Outputs(o)
	if a, b := o.Outputs["a"].Value, o.Outputs["b"].Value; err != nil || n != 1 || string(a) != `"(sensitive value)"` || string(b) != `"some text"` {
		t.Errorf("%d replaced, %v: %s and %s", n, err, a, b)
	}
}
