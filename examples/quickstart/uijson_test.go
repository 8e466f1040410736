// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

func TestShowUijson(t *testing.T) {
	var b strings.Builder
	if err := showUijson(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"tofu 1.12.6, 48 messages, 21 seconds",
		"planned: 5 to add, 1 to change, 5 to destroy\n",
		"failed  terraform_data.swap: create\n",
		"done    lab_switch.deleter: delete create\n",
		"outcome: failed, the tool reported 2 errors\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
