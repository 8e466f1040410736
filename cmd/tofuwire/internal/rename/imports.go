// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rename

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig/hclrename"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// imports returns the instances of the old type in the state, with their ids, and a note for
// each deposed object, which no import finds.
func imports(o options) (list []hclrename.Import, notes []string, err error) {
	text, err := os.ReadFile(o.state)
	if err == nil && o.passphrase != "" {
		var passphrase []byte
		if passphrase, err = os.ReadFile(o.passphrase); err == nil {
			if line, ok := bytes.CutSuffix(passphrase, []byte("\n")); ok {
				passphrase = bytes.TrimSuffix(line, []byte("\r"))
			}
			text, err = statefile.Decrypt(context.Background(), text, string(passphrase))
		}
	}
	var f *statefile.File
	if err == nil {
		f, err = statefile.Decode(text)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", o.state, err)
	}
	for i := range f.All() {
		r := i.Address.Resource()
		switch {
		case r.Mode() != addrs.Managed || r.Type() != o.from:
			continue
		case i.Object.Deposed != "":
			notes = append(notes, fmt.Sprintf("the deposed object %s of %s is forgotten and not imported", i.Object.Deposed, i.Address))
			list = append(list, hclrename.Import{Address: i.Address})
			continue
		}
		id, ok := i.Object.Attributes.Member("id").ScalarText()
		if i.Object.Attributes == nil {
			id, ok = i.Object.AttributesFlat["id"]
		}
		if !ok || id == "" {
			return nil, nil, fmt.Errorf("%s: %s has no id to import it by", o.state, i.Address)
		}
		list = append(list, hclrename.Import{Address: i.Address, ID: id})
	}
	return list, notes, nil
}
