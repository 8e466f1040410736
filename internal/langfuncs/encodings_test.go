// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"testing"

	"golang.org/x/text/encoding/ianaindex"
)

// The names of encodings are those of the index that the programs use.
func TestTextEncodings(t *testing.T) {
	for name := range knownEncodings() {
		if e, err := ianaindex.IANA.Encoding(name); err != nil || e == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"utf8", "ascii", "utf-32", "utf-7", "ucs-2", "tis-620", "cp1252", "iso-2022-kr", "iso-ir-58"} {
		if e, err := ianaindex.IANA.Encoding(name); err == nil && e != nil || knownEncodings()[name] {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(knownEncodings()); n != 226 {
		t.Errorf("%d names", n)
	}
}
