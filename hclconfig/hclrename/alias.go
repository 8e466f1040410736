// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename

import (
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// aliases collects the places of a file that declare the alias FROM: the argument alias of a
// provider block, also of a test, which replaces that of the module, and an entry of
// configuration_aliases. What a test passes on as a value is collected as well.
func (r *renamer) aliases(f *hclconfig.File) (found bool, err error) {
	for i := range f.Body().Blocks {
		b := &f.Body().Blocks[i]
		switch {
		case (b.Type == "provider" || b.Type == "mock_provider") && len(b.Labels) == 1 && b.Labels[0] == r.from.typ:
			a := b.Argument("alias")
			if a == nil {
				continue
			}
			switch alias, _ := a.Text(); alias {
			case r.to.name:
				return found, fmt.Errorf("%s already exists, at %s", r.to.text, b.DefRange())
			case r.from.name:
				found = true
				if err := r.replace(f, a.Expression.Range()); err != nil {
					return found, err
				}
			}
		case b.Type == "terraform":
			for req := range b.Body.BlocksOfType("required_providers") {
				ok, err := r.configurationAliases(f, req)
				if found = found || ok; err != nil {
					return found, err
				}
			}
		}
	}
	for _, run := range f.Config().Runs {
		if a := run.Block.Argument("providers"); a != nil {
			members, _ := a.Members()
			for _, m := range members {
				if err := r.aliasIn(f, m.Value); err != nil {
					return found, err
				}
			}
		}
	}
	return found, nil
}

// configurationAliases collects the entries of configuration_aliases that declare FROM.
func (r *renamer) configurationAliases(f *hclconfig.File, req *hclconfig.Block) (found bool, err error) {
	for i := range req.Body.Arguments {
		members, _ := req.Body.Arguments[i].Members()
		for _, m := range members {
			if m.Name != "configuration_aliases" {
				continue
			}
			entries, _ := m.Value.Elements()
			for _, e := range entries {
				switch aliasOf(e) {
				case r.to.typ + "." + r.to.name:
					return found, fmt.Errorf("%s already exists, at %s", r.to.text, e.Range())
				case r.from.typ + "." + r.from.name:
					found = true
					if err := r.aliasIn(f, e); err != nil {
						return found, err
					}
				}
			}
		}
	}
	return found, nil
}

// aliasOf returns NAME.ALIAS of an expression that is one, in either syntax.
func aliasOf(e hclconfig.Expression) string {
	return strings.ReplaceAll(strings.Trim(e.Source(), `"`), " ", "")
}

// aliasIn replaces the alias in an expression that is FROM's NAME.ALIAS.
func (r *renamer) aliasIn(f *hclconfig.File, e hclconfig.Expression) error {
	if aliasOf(e) != r.from.typ+"."+r.from.name {
		return nil
	}
	at := e.Range()
	n := strings.LastIndex(string(f.Bytes()[at.Start.Offset:at.End.Offset]), r.from.name)
	if n < 0 {
		return fmt.Errorf("%s: the name is not written as plain text", at)
	}
	at.Start.Offset += int64(n)
	at.End.Offset = at.Start.Offset + int64(len(r.from.name))
	return r.replace(f, at)
}
