// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"testing"
)

func TestShowPlanjson(t *testing.T) {
	var got bytes.Buffer
	if err := showPlanjson(&got); err != nil {
		t.Fatal(err)
	}
	const want = `plan of OpenTofu 1.12.6: 18 resource changes; it removes
  lab_switch.doomed      delete         delete_because_no_resource_config
  lab_switch.forgotten   forget         delete_because_no_resource_config
  local_file.roster      delete, create replace_because_cannot_update
  null_resource.trigger  delete, create replace_because_cannot_update
  random_pet.mascot      delete, create replace_because_cannot_update
  terraform_data.cbd     create, delete replace_because_cannot_update
failed checks of a state:
  check.data_fails: "Lookup failed: Nothing matches broken."
  check.data_late: "Not x but lookup-grown-turtle."
  check.fails: "Expected 4 replicas, found 3 in <z-1>."
  check.fails: "There are only 2 results.\nMore would be better."
  check.unknown_until_apply: "Name was grown-turtle."
  module.site["so.uth"].check.site: "Level of grown-turtle is 2."
after setting the timestamp, 6 of the 32621 bytes of the plan differ
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
