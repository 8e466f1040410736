// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hclrename"
)

// prepareRename answers textDocument/prepareRename.
func prepareRename(s *server, _ context.Context, v *view, p positionParams) (any, error) {
	at := s.spot(v, p)
	o, ok, err := s.renamable(v, at)
	if !ok || err != nil {
		return nil, err
	}
	x := at.doc.index()
	return prepareResult{x.rangeOf(o.start, o.end, v.enc), string(x.text[o.start:o.end])}, nil
}

// renamable returns the name at a spot, or why it cannot be renamed, whatever the new name is. It
// reports false if there is none.
func (s *server) renamable(v *view, at *spot) (o occurrence, ok bool, err error) {
	if o, ok = at.occurrence(); ok {
		return o, true, s.fixed(v, o.symbol)
	}
	if why := v.whyNot(at); why != "" {
		return o, true, refuse("%s", why)
	}
	return o, false, nil
}

// fixed returns why a symbol cannot be renamed.
func (s *server) fixed(v *view, sym symbol) error {
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
func (v *view) whyNot(at *spot) string {
	switch w := v.wordAt(at); w.kind {
	case blockWord:
		return "the type of a block cannot be renamed"
	case labelWord:
		if len(w.blocks) > 1 {
			return w.text + " is a type, which cannot be renamed"
		}
		return w.text + " is a type, or the name of a provider; these cannot be renamed here"
	case argumentWord:
		return "the name of an argument cannot be renamed"
	case functionWord:
		return "a function cannot be renamed"
	case referenceWord:
		switch root := w.root(); root {
		case "each", "count", "self", "path", "terraform", "tofu":
			return root + " is a name of the language; it cannot be renamed"
		}
		return w.text + " is an attribute, which cannot be renamed"
	case boundWord:
		return w.text + " is bound by a for expression; it cannot be renamed here"
	case otherWord:
		return w.text + " is a name of an expression alone; it cannot be renamed here"
	}
	return ""
}

// renameAt answers textDocument/rename.
func renameAt(s *server, _ context.Context, v *view, p renameParams) (*workspaceEdit, error) {
	at := s.spot(v, p.positionParams)
	o, ok, err := s.renamable(v, at)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, refuse("there is no name here that can be renamed")
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

// rootFor returns the directory below which callers of a module are looked for: its repository, else
// the folder that it is in.
func (v *view) rootFor(dir string) string {
	root := v.repository(dir)
	for _, f := range v.folders {
		if root == "" && contains(f, dir) {
			root = f
		}
	}
	return cmp.Or(root, dir)
}
