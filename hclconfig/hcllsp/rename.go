// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclrename"
)

// prepareRename answers textDocument/prepareRename.
func prepareRename(s *server, _ context.Context, v *view, p positionParams) (any, error) {
	at := s.spot(v, p)
	o, ok := at.occurrence()
	if !ok {
		if why := s.whyNot(v, at); why != "" {
			return nil, refuse("%s", why)
		}
		return nil, nil
	}
	if err := s.renamable(v, o.symbol); err != nil {
		return nil, err
	}
	x := at.doc.index()
	return prepareResult{x.rangeOf(o.start, o.end, v.enc), string(x.text[o.start:o.end])}, nil
}

// renamable returns why a symbol cannot be renamed, whatever the new name is.
func (s *server) renamable(v *view, sym symbol) error {
	root, _, _ := strings.Cut(sym.address, ".")
	switch {
	case strings.Contains(sym.dir+"/", "/.terraform/"):
		return refuse("%s is declared in an installed module, whose files are not changed", sym.address)
	case root == "check":
		return refuse("a check cannot be renamed: nothing refers to it, and states keep its name")
	case root == "run":
		return refuse("a run of a test cannot be renamed here")
	case root == "action":
		return refuse("an action cannot be renamed")
	case root == "provider" && strings.Count(sym.address, ".") == 1:
		return refuse("%s is the local name of a provider, not an alias", strings.TrimPrefix(sym.address, "provider."))
	}
	if len(s.declarations(v, sym)) == 0 {
		return refuse("nothing declares %s", sym.address)
	}
	return nil
}

// whyNot returns why the name at a spot cannot be renamed, or "" if there is none.
func (s *server) whyNot(v *view, at *spot) string {
	if at == nil || at.module == nil {
		return ""
	}
	f := v.Parsed(at.file, v.dialect())
	if f == nil {
		return ""
	}
	text := at.doc.index().text
	word := wordAt(text, at.offset)
	if word == "" {
		return ""
	}
	b := blockAt(f.Body(), at.offset)
	if b == nil {
		return ""
	}
	holds := func(start, end int) bool {
		start, end, _ = unquoted(text, start, end, "")
		return start <= at.offset && at.offset <= end
	}
	if r := b.TypeRange(); holds(int(r.Start.Offset), int(r.End.Offset)) {
		return "the type of a block cannot be renamed"
	}
	for i := range b.Labels {
		if r := b.LabelRange(i); holds(int(r.Start.Offset), int(r.End.Offset)) {
			return word + " is a type, or the name of a provider; these cannot be renamed here"
		}
	}
	for _, a := range argumentsAt(f.Body(), at.offset) {
		if r := a.NameRange(); holds(int(r.Start.Offset), int(r.End.Offset)) {
			return "the name of an argument cannot be renamed"
		}
		for x := range a.Expression.All() {
			if _, from, _ := x.Place(); x.Form() == hclconfig.FormCall && holds(from, from+len(x.Name())) {
				return "a function cannot be renamed"
			}
		}
		for _, r := range a.Expression.References() {
			if rr := r.Range(); holds(int(rr.Start.Offset), int(rr.End.Offset)) {
				return whyNotReference(r.Root(), word)
			}
		}
		if name := boundName(a.Expression, at.offset, word); name {
			return word + " is bound by a for expression; it cannot be renamed here"
		}
	}
	for nested := range b.Body.All() {
		if r := nested.TypeRange(); holds(int(r.Start.Offset), int(r.End.Offset)) {
			return "the type of a block cannot be renamed"
		}
		for i := range nested.Labels {
			if r := nested.LabelRange(i); holds(int(r.Start.Offset), int(r.End.Offset)) {
				return word + " is a type, which cannot be renamed"
			}
		}
	}
	if f.Syntax() == hclconfig.NativeSyntax && isIdentifier(text, at.offset) {
		return word + " is a name of an expression alone; it cannot be renamed here"
	}
	return ""
}

// isIdentifier reports whether there is an identifier at a place, and not a comment or a text.
func isIdentifier(text []byte, offset int) bool {
	tokens, _ := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	return slices.ContainsFunc(tokens, func(t hclsyntax.Token) bool {
		return t.Type == hclsyntax.TokenIdent && t.Range.Start.Byte <= offset && offset <= t.Range.End.Byte
	})
}

func whyNotReference(root, word string) string {
	switch root {
	case "each", "count", "self", "path", "terraform", "tofu":
		return root + " is a name of the language; it cannot be renamed"
	}
	return word + " is an attribute, which cannot be renamed"
}

// boundName reports whether a place is in a for expression that binds a word.
func boundName(x hclconfig.Expression, offset int, word string) bool {
	for e := range x.All() {
		if e.Form() != hclconfig.FormFor {
			continue
		}
		if _, start, end := e.Place(); start <= offset && offset <= end {
			for name := range strings.SplitSeq(e.Name(), ",") {
				if strings.TrimSpace(name) == word {
					return true
				}
			}
		}
	}
	return false
}

// wordAt returns the identifier at an offset, or "".
func wordAt(text []byte, offset int) string {
	part := func(c byte) bool {
		return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
	}
	start, end := min(offset, len(text)), min(offset, len(text))
	for start > 0 && part(text[start-1]) {
		start--
	}
	for end < len(text) && part(text[end]) {
		end++
	}
	return string(text[start:end])
}

// renameAt answers textDocument/rename.
func renameAt(s *server, _ context.Context, v *view, p renameParams) (*workspaceEdit, error) {
	at := s.spot(v, p.positionParams)
	o, ok := at.occurrence()
	if !ok {
		if why := s.whyNot(v, at); why != "" {
			return nil, refuse("%s", why)
		}
		return nil, refuse("there is no name here that can be renamed")
	}
	if err := s.renamable(v, o.symbol); err != nil {
		return nil, err
	}
	prefix := o.address[:strings.LastIndexByte(o.address, '.')+1]
	texts, err := hclrename.Rename(v.withAsIs(), o.dir, o.address, prefix+p.NewName, hclrename.Options{Root: nameOf(v.rootFor(osPath(o.dir)))})
	if err != nil {
		return nil, &wireError{Code: codeFailed, Message: v.reason(err, o.dir)}
	}
	return v.workspaceEdit(texts, at.file), nil
}

// reason returns the text of an error, with the names of files as seen from a folder.
func (v *view) reason(err error, dir string) string {
	text := err.Error()
	for _, f := range append(slices.Clone(v.folders), osPath(dir)) {
		text = strings.ReplaceAll(text, nameOf(f)+"/", "")
	}
	return text
}

// rootFor returns the directory below which callers of a module are looked for: its repository,
// else the folder that it is in.
func (v *view) rootFor(dir string) string {
	best := ""
	for _, top := range v.tops(dir) {
		if contains(top, dir) && (best == "" || contains(top, best)) {
			best = top
		}
	}
	if best == "" {
		return dir
	}
	return best
}
