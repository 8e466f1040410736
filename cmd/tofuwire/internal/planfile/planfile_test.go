// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

func TestRead(t *testing.T) {
	const plan = `{"format_version":"1.2","planned_values":{},"errored":true}`
	var errs bytes.Buffer
	p, err := new(Inputs).Read("x", "-", strings.NewReader("log\n"+plan+"\nmore\n"), &errs)
	if err != nil || !p.Errored || !strings.HasPrefix(errs.String(), "x: -: skipped 10 bytes around the document at line 2, column 1: 4 before it") {
		t.Errorf("%v\n%s", err, errs.String())
	}
	var allow Reasons
	err = Judge(p, allow)
	var r *Refusal
	if !errors.As(err, &r) || r.Error() != "-: errored (line 1, column 55 (/errored): planning failed)" || !errors.Is(err, planjson.ErrErrored) {
		t.Errorf("%v", err)
	}
	if err := allow.Set("errored"); err != nil || Judge(p, allow) != nil || allow.String() != "errored" {
		t.Errorf("%v, %v", err, allow)
	}
	if err := allow.Set("all"); err == nil {
		t.Error("there is a reason all")
	}
	if _, err := new(Inputs).Read("x", "no-such-file", nil, &errs); err == nil || !strings.Contains(err.Error(), "no-such-file") {
		t.Errorf("%v", err)
	}
}

// The keys of a map can be secret, so the place of a duplicate is told by line and column.
func TestReport_duplicate(t *testing.T) {
	const plan = `{"format_version":"1.2","planned_values":{},"errored":true,"resource_changes":[{"address":"a.b","mode":"managed","type":"a","name":"b",
"change":{"actions":["create"],"before":null,"after":{"m":{"secret":1,"secret":2}},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"m":true}}}]}`
	p, err := new(Inputs).Read("x", "-", strings.NewReader(plan), new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = Judge(p, nil)
	Report(&out, "x", err)
	if s := out.String(); !errors.Is(err, planjson.ErrDuplicate) || !errors.Is(err, planjson.ErrErrored) || strings.Contains(s, "secret") ||
		!strings.Contains(s, "(/errored)") || !strings.Contains(s, "line 2, column 71") {
		t.Errorf("%v\n%s", err, s)
	}
}
