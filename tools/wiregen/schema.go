// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A node is a JSON object whose members have an order.
type node []nodeMember

type nodeMember struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order, and no character as an escape
// that JSON does not ask for.
func (n node) MarshalJSON() ([]byte, error) {
	if n.isOnlyText() {
		n = append(slices.Clip(n), nodeMember{"anyOf", []node{{}}})
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := plainJSON(e.name)
		if err != nil {
			return nil, err
		}
		value, err := plainJSON(e.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// isOnlyText reports whether a schema has texts for people and allows any value. Some
// generators of code take it for an object then; an empty alternative says what it is.
func (n node) isOnlyText() bool {
	for _, e := range n {
		switch e.name {
		case "title", "description":
			if _, ok := e.value.(string); !ok {
				return false // the property of that name
			}
		case "deprecated":
			if _, ok := e.value.(bool); !ok {
				return false
			}
		default:
			return false
		}
	}
	return len(n) > 0
}

func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// with returns n with a member at its end. A value that is empty adds nothing.
func (n node) with(name string, value any) node {
	switch v := value.(type) {
	case string:
		if v == "" {
			return n
		}
	case []string:
		if len(v) == 0 {
			return n
		}
	case node:
		if len(v) == 0 {
			return n
		}
	}
	return append(slices.Clip(n), nodeMember{name, value})
}

// is returns the schema of values of JSON kinds.
func is(kinds ...string) node {
	if len(kinds) == 1 {
		return node{{"type", kinds[0]}}
	}
	return node{{"type", kinds}}
}

func ref(name string) node { return node{{"$ref", "#/$defs/" + name}} }

func listOf(items node) node { return is("array").with("items", items) }

func mapOf(values node) node { return is("object").with("additionalProperties", values) }

// open returns the schema of a string that has one of some values, or another one
// that a newer release may write.
func open(values ...string) node {
	return node{{"anyOf", []node{{{"enum", values}}, is("string")}}}
}

func closed(values ...string) node { return is("string").with("enum", values) }

func anyOf(schemas ...node) node { return node{{"anyOf", schemas}} }

// A schemaWriter makes the schemas of the documents of one package.
type schemaWriter struct {
	*model
	docs   map[string]string   // of types
	values map[string][]string // of enumerations
	lists  [][]string          // the forms of a plan's actions, by the names of constants
	names  map[string]string   // the members, by TYPE.FIELD, and the values of constants
	notes  map[string]string   // what is known of a type or of TYPE.FIELD by its comment
	defs   map[string]node
}

// newSchemaWriter reads the package in dir with its comments.
func newSchemaWriter(dir string) (*schemaWriter, error) {
	m, err := load(dir)
	if err != nil {
		return nil, err
	}
	w := &schemaWriter{model: m, docs: map[string]string{}, values: map[string][]string{}, names: map[string]string{}, notes: map[string]string{}, defs: map[string]node{}}
	if err := w.readComments(dir); err != nil {
		return nil, err
	}
	return w, nil
}

// document returns the schema of the documents of type root.
func (w *schemaWriter) document(root string) (node, error) {
	w.defs = map[string]node{}
	body, err := w.object(w.find(root))
	if err != nil {
		return nil, err
	}
	defs := make(node, 0, len(w.defs))
	for _, name := range slices.Sorted(maps.Keys(w.defs)) {
		defs = append(defs, nodeMember{name, w.defs[name]})
	}
	return body.with("$defs", defs), nil
}

func (w *schemaWriter) find(name string) *object {
	i := slices.IndexFunc(w.types, func(o *object) bool { return o.name == name })
	if i < 0 {
		return nil
	}
	return w.types[i]
}

// refer returns the reference to a type, and makes its schema.
func (w *schemaWriter) refer(name string) (node, error) {
	if _, ok := w.defs[name]; ok {
		return ref(name), nil
	}
	w.defs[name] = nil // it may contain itself
	n, ok := commonSchemas[name]
	if o := w.find(name); o != nil && !ok {
		var err error
		if n, err = w.object(o); err != nil {
			return nil, err
		}
	} else if !ok {
		return nil, fmt.Errorf("there is no type %s", name)
	}
	w.defs[name] = n
	return ref(name), w.referAll(n)
}

// referAll makes the schemas that a schema written by hand refers to.
func (w *schemaWriter) referAll(v any) error {
	switch v := v.(type) {
	case node:
		for _, e := range v {
			if text, ok := e.value.(string); ok && e.name == "$ref" {
				if _, err := w.refer(strings.TrimPrefix(text, "#/$defs/")); err != nil {
					return err
				}
			} else if err := w.referAll(e.value); err != nil {
				return err
			}
		}
	case []node:
		for _, n := range v {
			if err := w.referAll(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// object returns the schema of a type that takes part.
func (w *schemaWriter) object(o *object) (node, error) {
	n := node{}.with("title", words(o.name)).with("description", w.docs[o.name])
	if by, ok := handSchemas[w.name+"."+o.name]; ok {
		n = append(n, by...)
		return n, w.referAll(by)
	}
	if o.union {
		return nil, fmt.Errorf("there is no schema by hand for the one-of type %s", o.name)
	}
	var properties node
	var required []string
	for _, f := range o.fields {
		s, err := w.field(o, f)
		if err != nil {
			return nil, fmt.Errorf("%s.%s: %w", o.name, f.name, err)
		}
		text := w.docs[o.name+"."+f.name]
		if by, ok := fieldNotes[w.name+"."+o.name+"."+f.member]; ok {
			text = by
		}
		p := node{}.with("title", words(f.member)).with("description", text)
		if onlyOld.MatchString(w.notes[o.name+"."+f.name]) {
			p = p.with("deprecated", true)
		}
		properties = append(properties, nodeMember{f.member, append(p, s...)})
		if w.required(o, f) {
			required = append(required, f.member)
		}
	}
	n = n.with("type", "object").with("properties", properties).with("required", required)
	if more, ok := extraSchemas[w.name+"."+o.name]; ok {
		n = append(n, more(w)...)
	}
	return n, nil
}

var (
	onlyOld       = regexp.MustCompile(`Only\s+Terraform|Only releases|releases before|[Ff]or(mer)? releases|Terraform 0\.1\d only`)
	alwaysPresent = regexp.MustCompile(`[Aa]lways\s+present(\s+since|,\s+except)?`)
)

// required reports whether every release of both tools writes a member.
func (w *schemaWriter) required(o *object, f field) bool {
	name := w.name + "." + o.name + "." + f.member
	if by, ok := requiredByHand[name]; ok {
		return by
	}
	for _, rule := range o.tf {
		if strings.HasPrefix(rule, f.member+"@") || rule == "-"+f.member {
			return false
		}
	}
	note := w.notes[o.name+"."+f.name]
	if found := alwaysPresent.FindStringSubmatch(note); found != nil {
		return found[1] == ""
	}
	return f.always && !strings.Contains(note, "and newer") && !onlyOld.MatchString(note)
}

// field returns the schema of a member.
func (w *schemaWriter) field(o *object, f field) (node, error) {
	if by, ok := memberSchemas[w.name+"."+o.name+"."+f.member]; ok {
		return by, w.referAll(by)
	}
	if by, ok := memberSchemas[f.member]; ok && w.isRaw(f.typ) {
		return by, w.referAll(by)
	}
	n, err := w.schemaOf(f.typ)
	if err == nil && f.null {
		n[0].value = []string{n[0].value.(string), "null"}
	}
	return n, err
}

// schemaOf returns the schema of a Go type.
func (w *schemaWriter) schemaOf(t ast.Expr) (node, error) {
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	if sel, ok := t.(*ast.SelectorExpr); ok {
		if by, ok := typeSchemas[sel.Sel.Name]; ok {
			return by, nil
		}
	}
	if id, ok := t.(*ast.Ident); ok {
		if by, ok := typeSchemas[w.name+"."+id.Name]; ok {
			return by, nil
		}
		if id.Name == "Actions" {
			return listOf(closed(w.values["Action"]...)).with("minItems", 1).with("maxItems", 2).with("anyOf", w.actionPairs()), nil
		}
		if values := w.values[id.Name]; len(values) > 0 {
			return open(values...), nil
		}
	}
	if elem, ok := w.isObject(t); ok {
		return w.refer(elem)
	}
	if elem, ok := w.isLazy(t); ok {
		return w.refer(elem)
	}
	if w.isRaw(t) {
		return nil, fmt.Errorf("the kinds of raw JSON are not in memberSchemas")
	}
	switch t := w.underlying(t).(type) {
	case *ast.ArrayType:
		items, err := w.schemaOf(t.Elt)
		return listOf(items), err
	case *ast.MapType:
		values, err := w.schemaOf(t.Value)
		return mapOf(values), err
	case *ast.Ident:
		switch t.Name {
		case "string":
			return is("string"), nil
		case "bool":
			return is("boolean"), nil
		case "int", "int64":
			return is("integer"), nil
		case "uint64":
			return is("integer").with("minimum", 0), nil
		}
	}
	return nil, fmt.Errorf("no schema for its type")
}

// A schemaFile is one file of docs/schemas. Generators of code name the type of the
// document after its title.
type schemaFile struct {
	kind, title string
	pkg, root   string // of the Go type; "" for one that is made in another way
	body        func() (node, error)
}

var schemaFiles = []schemaFile{
	{kind: "plan", title: "Plan", pkg: "planjson", root: "Plan"},
	{kind: "state", title: "State", pkg: "planjson", root: "State"},
	{kind: "state-show", title: "Resource instance", pkg: "planjson", root: "StateShow"},
	{kind: "config", title: "Configuration", pkg: "planjson", root: "Config"},
	{kind: "schemas", title: "Provider schemas", pkg: "planjson", root: "Schemas"},
	{kind: "functions", title: "Functions", pkg: "planjson", root: "Functions"},
	{kind: "validate", title: "Validation", pkg: "planjson", root: "Validate"},
	{kind: "version", title: "Version", pkg: "planjson", root: "Version"},
	{kind: "output", title: "Outputs", pkg: "planjson", root: "Outputs"},
	{kind: "modules", title: "Modules", pkg: "planjson", root: "Modules"},
	{kind: "workspaces", title: "Workspaces", pkg: "planjson", root: "Workspaces"},
	{kind: "statefile", title: "State file", pkg: "planjson/statefile", root: "File"},
	{kind: "statefile-encrypted", title: "Encrypted state file", body: encryptedSchema},
	{kind: "lock-info", title: "Lock of a state", pkg: "planjson/statefile", root: "LockInfo"},
	{kind: "backend", title: "Backend file", pkg: "planjson/statefile", root: "Backend"},
	{kind: "installed-modules", title: "Installed modules", pkg: "planjson/statefile", root: "InstalledModules"},
	{kind: "envelope", title: "Encrypted state or plan", pkg: "planjson/statefile", root: "Envelope"},
	{kind: "ui", title: "Message", pkg: "uijson", root: "Message"},
	{kind: "report", title: "Report of plans", body: reportSchema},
	{kind: "tf", title: "Configuration file", body: tfSchema},
	{kind: "tftest", title: "Test file", body: tftestSchema},
}

var releaseHeading = regexp.MustCompile(`(?m)^(?:## \[|This will be )v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]*[0-9A-Za-z])?)`)

const schemaHost = "https://raw.githubusercontent.com/tofuwire/tofuwire/"

var schemaAddress = regexp.MustCompile(`(` + regexp.QuoteMeta(schemaHost) + `)v[^/\s]+/docs/schemas/`)

// makeSchemas returns the files of docs/schemas by name: the schemas, and the page that
// has their addresses. The module is in root.
func makeSchemas(root string) (map[string][]byte, error) {
	changes, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	found := releaseHeading.FindSubmatch(changes)
	if found == nil {
		return nil, fmt.Errorf("CHANGELOG.md names no release")
	}
	version := "v" + string(found[1])
	files := make(map[string][]byte)
	writers := make(map[string]*schemaWriter)
	for _, f := range schemaFiles {
		name := f.kind + ".schema.json"
		body, err := f.make(root, writers)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		n := node{
			{"$schema", "https://json-schema.org/draft/2020-12/schema"},
			{"$id", schemaHost + version + "/docs/schemas/" + name},
			{"$comment", "Code generated by tools/wiregen. DO NOT EDIT. SPDX-License-Identifier: Apache-2.0"},
			{"title", f.title},
		}
		for _, e := range body {
			if e.name != "title" {
				n = append(n, e)
			}
		}
		text, err := plainJSON(n)
		if err != nil {
			return nil, err
		}
		tree, err := readTree(text)
		if err != nil {
			return nil, err
		}
		strict := tree.(node)
		distinguish(strict)
		for name, n := range map[string]node{name: strict, "types/" + name: plainSchema(strict)} {
			if files[name], err = indented(n); err != nil {
				return nil, err
			}
		}
	}
	readme, err := os.ReadFile(filepath.Join(root, "docs", "schemas", "README.md"))
	files["README.md"] = schemaAddress.ReplaceAll(readme, []byte("${1}"+version+"/docs/schemas/"))
	return files, err
}

// indented returns the text of a schema file.
func indented(n node) ([]byte, error) {
	text, err := plainJSON(n)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Indent(&out, text, "", "  ")
	out.WriteByte('\n')
	return out.Bytes(), err
}

func (f schemaFile) make(root string, writers map[string]*schemaWriter) (node, error) {
	if f.body != nil {
		return f.body()
	}
	w := writers[f.pkg]
	if w == nil {
		var err error
		if w, err = newSchemaWriter(filepath.Join(root, filepath.FromSlash(f.pkg))); err != nil {
			return nil, err
		}
		writers[f.pkg] = w
	}
	return w.document(f.root)
}

// writeSchemas writes the files of docs/schemas of the module in root.
func writeSchemas(root string) error {
	files, err := makeSchemas(root)
	if err != nil {
		return err
	}
	dir := filepath.Join(root, "docs", "schemas")
	if err := os.MkdirAll(filepath.Join(dir, "types"), 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}
