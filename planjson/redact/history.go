// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

// A history says which objects have been looked at, and which marks were known then.
type history struct {
	visits   map[uint64]visit
	moved    [][2]string
	hasMoved map[string]bool
	again    bool // some values were looked at before all marks were known
}

// A visit is a look at an object.
type visit struct {
	hash   uint64 // of the value that was looked at
	set    int32  // of the marks that were known then, if isOpen
	first  int32  // of the marks that were known when the object was first looked at
	isOpen bool   // the value has not been looked at again when the changes were known
}
