// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// readComments reads what the comments and constants of a package say of its types.
func (w *schemaWriter) readComments(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "wire_gen.go" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		files = append(files, file)
		for _, decl := range file.Decls {
			if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.CONST {
				w.readConstants(gen)
			}
		}
		ast.Inspect(file, w.readLists)
	}
	for _, o := range w.types {
		for _, f := range o.fields {
			w.names[o.name+"."+f.name] = f.member
		}
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
				w.readTypes(gen)
			}
		}
	}
	return nil
}

// readConstants reads the values of enumerations.
func (w *schemaWriter) readConstants(gen *ast.GenDecl) {
	for _, spec := range gen.Specs {
		v := spec.(*ast.ValueSpec)
		id, ok := v.Type.(*ast.Ident)
		if !ok || len(v.Values) != 1 {
			continue
		}
		lit, ok := v.Values[0].(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			continue
		}
		if text, err := strconv.Unquote(lit.Value); err == nil {
			w.values[id.Name] = append(w.values[id.Name], text)
			w.names[v.Names[0].Name] = text
			w.notes[v.Names[0].Name] = v.Comment.Text() + "\n" + gen.Doc.Text()
		}
	}
}

// readLists reads the forms of the actions of a plan, the variable knownActions.
func (w *schemaWriter) readLists(n ast.Node) bool {
	v, ok := n.(*ast.ValueSpec)
	if !ok || v.Names[0].Name != "knownActions" || len(v.Values) != 1 {
		return true
	}
	w.lists = nil
	for _, form := range v.Values[0].(*ast.CompositeLit).Elts {
		var list []string
		for _, action := range form.(*ast.CompositeLit).Elts {
			list = append(list, action.(*ast.Ident).Name)
		}
		w.lists = append(w.lists, list)
	}
	return false
}

// actionPairs returns the schemas of these forms: one action, or a pair that the tools write. Generators
// of code read no lists as values of an enumeration, and take a schema without a type for an object.
func (w *schemaWriter) actionPairs() []node {
	forms := []node{is("array").with("minItems", 1).with("maxItems", 1)}
	for _, form := range w.lists {
		if len(form) == 2 {
			forms = append(forms, is("array").with("prefixItems", []node{{{"const", w.names[form[0]]}}, {{"const", w.names[form[1]]}}}).with("minItems", 2).with("maxItems", 2))
		}
	}
	return forms
}

// readTypes reads the comments of types and their fields.
func (w *schemaWriter) readTypes(gen *ast.GenDecl) {
	for _, spec := range gen.Specs {
		ts := spec.(*ast.TypeSpec)
		doc := ts.Doc
		if doc == nil {
			doc = gen.Doc
		}
		name := ts.Name.Name
		w.notes[name] = doc.Text()
		st, ok := ts.Type.(*ast.StructType)
		if !ok || w.find(name) == nil {
			continue
		}
		w.docs[name] = w.plain(name, doc.Text())
		if by, ok := typeNotesByHand[w.name+"."+name]; ok {
			w.docs[name] = by
		}
		last := ""
		for _, f := range st.Fields.List {
			if f.Tag == nil || len(f.Names) != 1 {
				continue
			}
			text := f.Doc.Text()
			if text == "" {
				text = f.Comment.Text()
			}
			if text == "" && mentions(last, f.Names[0].Name) {
				text = last
			}
			if f.Doc != nil {
				last = text
			}
			key := name + "." + f.Names[0].Name
			w.notes[key] = text
			w.docs[key] = w.plain(name, text)
		}
	}
}

func mentions(text, name string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), name)
}

var (
	sentenceEnd = regexp.MustCompile(`([.:!?])\s+`)
	seeClause   = regexp.MustCompile(`(?i)[;:,(]? *see (also )?\[[^\]]*\][^.;)\[]*(\[[^\]]*\][^.;)\[]*)*\)?`)
	link        = regexp.MustCompile(`\[([A-Za-z]+(?:\.[A-Za-z0-9]+)*)\]`)
	justSince   = regexp.MustCompile(`^((?:Terraform|OpenTofu) \d+\.\d+(?:\.\d+)?)(,? (?:and )?(?:Terraform|OpenTofu) \d+\.\d+)?( and newer)?\.?$`)
	goWords     = strings.NewReplacer("Absent (nil)", "Absent", "absent (nil)", "absent", "Nil (null in the text)", "Null", "Nil if absent: only", "Only",
		"Nil if absent:", "", "A nil ", "An absent ", "Nil if", "Absent if", "nil if", "absent if", " a nil ", " an absent ", " nil ", " absent ", " nil.", " absent.", "[][]", "[]")
	forGo      = regexp.MustCompile(`(?i)\b(decod|encod|method|goroutine|caller|marshal|this package|index|pass(ed)? to|function|convert)`)
	dots       = regexp.MustCompile(`([.:])(?:\s*\.)+`)
	identifier = regexp.MustCompile(`[A-Z][A-Za-z0-9]*`)
)

// plain returns a comment of a type or of a field of it in words for people who do not
// read Go: with the names of members, and without what concerns a program in Go alone.
func (w *schemaWriter) plain(typ, text string) string {
	text = strings.Join(strings.Fields(text), " ")
	text, _, _ = strings.Cut(text, " Source: OpenTofu")
	text = seeClause.ReplaceAllString(text, "")
	text = goWords.Replace(text)
	var kept []string
	for _, s := range strings.Split(sentenceEnd.ReplaceAllString(text, "$1\n"), "\n") {
		if s = strings.TrimSpace(s); s == "" || len(kept) > 0 && strings.Contains(s, "[") && forGo.MatchString(s) {
			continue
		}
		if since := strings.TrimSuffix(strings.TrimSuffix(s, "."), " and newer"); justSince.MatchString(s) {
			s = "Since " + since + "."
		}
		kept = append(kept, s)
	}
	text = strings.Join(kept, " ")
	text = link.ReplaceAllStringFunc(text, func(s string) string { return w.nameOf(s[1 : len(s)-1]) })
	text = identifier.ReplaceAllStringFunc(text, func(s string) string {
		if member, ok := w.names[typ+"."+s]; ok && s != "Terraform" {
			return member
		}
		return s
	})
	text = dots.ReplaceAllString(text, "$1")
	if first, _, _ := strings.Cut(text, " "); typ == "Message" && (strings.Contains(first, "_*") || slices.Contains(w.values["Type"], strings.TrimRight(first, ",.:"))) && !strings.HasPrefix(text, first+" is") {
		text = "In messages of type " + text
	}
	if first, _, _ := strings.Cut(text, " "); first != "" && !w.isMember(typ, first) {
		text = strings.ToUpper(first[:1]) + text[1:]
	}
	if text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// isMember reports whether a word is the name of a member of a type.
func (w *schemaWriter) isMember(typ, word string) bool {
	o := w.find(typ)
	return o != nil && slices.ContainsFunc(o.fields, func(f field) bool { return f.member == word })
}

// nameOf returns what a name in a comment is called in JSON.
func (w *schemaWriter) nameOf(name string) string {
	if member, ok := w.names[name]; ok {
		return member
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	return strings.ToLower(words(name))
}

// words returns a name in CamelCase or snake_case as words.
func words(name string) string {
	if name == "_" { // the block for arguments that look like the language's own
		return "Escaped arguments"
	}
	var b strings.Builder
	rs := []rune(strings.TrimLeft(name, "@"))
	for i, r := range rs {
		switch {
		case r == '_':
			b.WriteByte(' ')
			continue
		case i > 0 && unicode.IsUpper(r) && (unicode.IsLower(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1])):
			b.WriteByte(' ')
			if i+1 < len(rs) && unicode.IsLower(rs[i+1]) {
				r = unicode.ToLower(r)
			}
		}
		if i == 0 {
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
