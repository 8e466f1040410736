// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// encryption reports key providers, methods and remote states of the same name in the
// encryption settings of a terraform block.
func (c *checker) encryption(b hclsource.Block) {
	if !c.tree || c.dialect != hcllang.OpenTofu {
		return
	}
	for e := range b.Body.BlocksOfType("encryption") {
		seen := map[string]bool{}
		look := func(in *hclsource.Plain, typ, called string) {
			for one := range in.Body.BlocksOfType(typ) {
				name := typ + "." + strings.Join(one.Labels, ".")
				if seen[name] {
					c.report(hclsource.DefRange(e), "Duplicate "+called, "There are several instances of %s.", name)
				}
				seen[name] = true
			}
		}
		look(e, "key_provider", "key_provider")
		look(e, "method", "method")
		for remote := range e.Body.BlocksOfType("remote_state_data_sources") {
			look(remote, "remote_state_data_source", "remote_data_source")
		}
	}
}

// encryptionName reports whether a label is one that OpenTofu accepts in its encryption
// settings, where names may begin with a digit and those of remote states are not checked.
func encryptionName(b hclsource.Block, label string) bool {
	switch b.Type {
	case "remote_state_data_source":
		return true
	case "key_provider", "method":
		other := func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
		}
		return label != "" && !strings.ContainsFunc(label, other)
	}
	return false
}
