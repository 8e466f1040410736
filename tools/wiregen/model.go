// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// A model is what the generator needs to know of a package.
type model struct {
	name  string
	decls map[string]ast.Expr // the package's named types
	types []*object           // those that take part, by name
	union map[string]bool     // one-of types

}

// An object is a type that takes part.
type object struct {
	name   string
	fields []field
	alt    []string
	tf     []string
	union  bool
	empty  bool
	own    bool // the function wire is written by hand
	kind   bool // UnmarshalJSON may refuse the text
}

// hasTable reports whether the members of an object have names of their own:
// those of a map have not.
func (o *object) hasTable() bool {
	return len(o.fields) != 1 || o.fields[0].member != "*"
}

// A field is a tagged field of an object.
type field struct {
	name   string // in Go
	member string // in JSON; "*" for all members
	always bool
	alt    bool
	null   bool
	kept   bool
	whole  bool
	typ    ast.Expr

	verdict string // what becomes of the member in a redacted document
}

// load reads the package in dir.
func load(dir string) (*model, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	m := &model{decls: map[string]ast.Expr{}, union: map[string]bool{}}
	fset := token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "wire_gen.go" {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		m.name = file.Name.Name
		for _, decl := range file.Decls {
			if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
				if err := m.declare(fset, gen); err != nil {
					return nil, err
				}
			}
		}
	}
	if m.name == "" {
		return nil, fmt.Errorf("no Go files in %s", dir)
	}
	slices.SortFunc(m.types, func(a, b *object) int { return strings.Compare(a.name, b.name) })
	return m, nil
}

// declare records the types of one declaration.
func (m *model) declare(fset *token.FileSet, gen *ast.GenDecl) error {
	for _, spec := range gen.Specs {
		ts := spec.(*ast.TypeSpec)
		m.decls[ts.Name.Name] = ts.Type
		st, ok := ts.Type.(*ast.StructType)
		if !ok || !takesPart(st) {
			continue
		}
		o := &object{name: ts.Name.Name}
		for _, doc := range []*ast.CommentGroup{gen.Doc, ts.Doc} {
			if doc == nil {
				continue
			}
			for _, c := range doc.List {
				if names, ok := strings.CutPrefix(c.Text, "//wire:alt "); ok {
					o.alt = strings.Fields(names)
				}
				if rules, ok := strings.CutPrefix(c.Text, "//wire:terraform "); ok {
					o.tf = strings.Fields(rules)
				}
				o.empty = o.empty || c.Text == "//wire:empty"
				o.own = o.own || c.Text == "//wire:own"
				o.kind = o.kind || c.Text == "//wire:kind"
			}
		}
		for _, f := range st.Fields.List {
			if f.Tag == nil {
				continue
			}
			tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`"))
			member, opts, _ := strings.Cut(tag.Get("json"), ",")
			if member == "" {
				member = tag.Get("lazy")
			}
			if len(f.Names) != 1 || member == "" || opts != "" && opts != "omitempty" {
				return fmt.Errorf("%s: field of %s must have one name and a tag json:\"name\" or json:\"name,omitempty\"", fset.Position(f.Pos()), o.name)
			}
			o.fields = append(o.fields, field{
				name: f.Names[0].Name, member: member, always: opts == "", alt: tag.Get("wire") == "alt", null: tag.Get("wire") == "null",
				kept: tag.Get("wire") == "kept", whole: tag.Get("wire") == "document", typ: f.Type,
			})
		}
		o.union = len(o.fields) == 0 && !o.empty
		m.union[o.name] = o.union
		m.types = append(m.types, o)
	}
	return nil
}

// takesPart reports whether the last field of a struct is "src wire.Source".
func takesPart(st *ast.StructType) bool {
	n := len(st.Fields.List)
	if n == 0 {
		return false
	}
	last := st.Fields.List[n-1]
	sel, ok := last.Type.(*ast.SelectorExpr)
	return ok && len(last.Names) == 1 && last.Names[0].Name == "src" && sel.Sel.Name == "Source"
}

// isObject reports whether t is the name of a type that takes part.
func (m *model) isObject(t ast.Expr) (string, bool) {
	id, ok := t.(*ast.Ident)
	if !ok {
		return "", false
	}
	st, ok := m.decls[id.Name].(*ast.StructType)
	return id.Name, ok && takesPart(st)
}

// isLazy reports whether t is a wire.Lazy, and of what object.
func (m *model) isLazy(t ast.Expr) (elem string, ok bool) {
	of, ok := t.(*ast.IndexExpr)
	if !ok {
		return "", false
	}
	if sel, ok := of.X.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Lazy" {
		return "", false
	}
	return m.isObject(of.Index)
}

// underlying resolves names of the package. A type of another package is taken
// for a string type, such as addrs.Mode; the compiler finds it if it is not.
func (m *model) underlying(t ast.Expr) ast.Expr {
	for range 10 {
		if _, ok := t.(*ast.SelectorExpr); ok {
			return ast.NewIdent("string")
		}
		id, ok := t.(*ast.Ident)
		if !ok {
			return t
		}
		next, ok := m.decls[id.Name]
		if !ok {
			return t
		}
		t = next
	}
	return t
}

// basic returns the name of the predeclared type behind t, or "".
func (m *model) basic(t ast.Expr) string {
	if id, ok := m.underlying(t).(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// isRaw reports whether t is a named []byte: one of the package, or the Value of
// another package.
func (m *model) isRaw(t ast.Expr) bool {
	if sel, ok := t.(*ast.SelectorExpr); ok && sel.Sel.Name == "Value" {
		return true
	}
	s, ok := m.underlying(t).(*ast.ArrayType)
	return ok && s.Len == nil && m.basic(s.Elt) == "byte"
}
