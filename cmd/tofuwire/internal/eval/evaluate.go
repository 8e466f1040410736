// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclfuncs"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// An evaluator finds the values of expressions in a directory.
type evaluator struct {
	options
	cwd       string
	tree      *hclnames.Tree
	names     *hclnames.Names
	values    *hclnames.Evaluator
	functions map[string]function.Function
}

func newEvaluator(o options) (*evaluator, error) {
	abs, err := filepath.Abs(o.dir)
	if err != nil {
		return nil, err
	}
	root := filepath.VolumeName(abs) + string(filepath.Separator)
	inside, err := filepath.Rel(root, abs)
	if err != nil {
		return nil, err
	}
	fsys, dir := os.DirFS(root), filepath.ToSlash(inside)
	tree, err := hclnames.LoadTree(fsys, dir, o.dialect, configdir.Workspace(abs))
	if err != nil && tree == nil {
		return nil, err
	}
	variables, faults := tree.Variables(nil)
	if len(faults) > 0 {
		return nil, faults[0]
	}
	home, _ := os.UserHomeDir()
	functions := hclfuncs.Functions(o.dialect, hclfuncs.Options{FS: fsys, Dir: dir, Home: filepath.ToSlash(home), Time: o.time})
	values := hclnames.NewEvaluator(variables)
	values.Instances, values.Functions = true, functions
	return &evaluator{options: o, cwd: abs, tree: tree, names: hclnames.NamesOf(tree.Module), values: values, functions: functions}, nil
}

// A result is the value of an expression, or why it has none.
type result struct {
	value   cty.Value
	unknown string
	refused *hclconfig.Diagnostic
}

func refusal(summary, format string, args ...any) result {
	return result{refused: &hclconfig.Diagnostic{Severity: hclconfig.SeverityError, Summary: summary, Detail: fmt.Sprintf(format, args...)}}
}

// evaluate returns the value of an expression.
func (e *evaluator) evaluate(text string) result {
	x, err := hclconfig.ParseExpression("expression", []byte(text), hclconfig.NativeSyntax, hclconfig.KindExpression)
	if err != nil {
		if e := new(hclconfig.Error); errors.As(err, &e) {
			err = e.Err
		}
		return refusal("Invalid expression", "%v", err)
	}
	if r := e.unknownFunction(x); r != nil {
		return *r
	}
	context := &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: e.functions}
	why := ""
	objects := map[string]map[string]cty.Value{}
	for _, ref := range x.References() {
		v, reason, refused := e.reference(ref)
		if refused != nil {
			return *refused
		}
		if reason != "" && why == "" {
			why = reason
		}
		root, name := parts(ref.Text)
		if objects[root] == nil {
			objects[root] = map[string]cty.Value{}
		}
		if name == "" {
			context.Variables[root] = v
			continue
		}
		objects[root][name] = v
	}
	for root, members := range objects {
		if _, whole := context.Variables[root]; !whole {
			context.Variables[root] = cty.ObjectVal(members)
		}
	}
	value, diags := x.Value(context)
	// The programs print what is first in the text, not what was found first.
	slices.SortStableFunc(diags, func(a, b hclconfig.Diagnostic) int {
		return cmp.Compare(a.Subject.Start.Offset, b.Subject.Start.Offset)
	})
	for d := range diags.Errors() {
		return result{refused: &d}
	}
	if !value.IsWhollyKnown() {
		if why == "" {
			why = "the result is not computed"
		}
		return result{value: value, unknown: why}
	}
	return result{value: value}
}

// parts returns the root of a reference and the name of its member.
func parts(text string) (root, name string) {
	root, rest, _ := strings.Cut(text, ".")
	if i := strings.IndexAny(rest, ".["); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.IndexByte(root, '['); i >= 0 {
		return root[:i], ""
	}
	return root, rest
}

// unknownFunction refuses calls of functions that providers have, and of a core:: name that the
// release does not have.
func (e *evaluator) unknownFunction(x hclconfig.Expression) *result {
	for part := range x.All() {
		name := part.Name()
		if part.Form() != hclconfig.FormCall || !strings.Contains(name, "::") || e.has(name) {
			continue
		}
		detail := fmt.Sprintf("There is no function named %q.", name)
		if strings.HasPrefix(name, "provider::") {
			detail = "Functions of providers are not called here."
		}
		r := refusal("Unknown provider function", "%s", detail)
		return &r
	}
	return nil
}

func (e *evaluator) has(name string) bool { _, ok := e.functions[name]; return ok }

// reference returns the value of what an expression refers to, or why it is not known.
func (e *evaluator) reference(ref hclconfig.Reference) (v cty.Value, why string, refused *result) {
	root, name := parts(ref.Text)
	switch root {
	case "path":
		switch name {
		case "module", "root":
			return cty.StringVal("."), "", nil
		case "cwd":
			return cty.StringVal(filepath.ToSlash(e.cwd)), "", nil
		}
	case "terraform", "tofu":
		if name == "workspace" {
			return cty.StringVal(e.tree.Workspace), "", nil
		}
	}
	text := root
	if name != "" {
		text += "." + name
	}
	x, err := hclconfig.ParseExpression("expression", []byte(text), hclconfig.NativeSyntax, hclconfig.KindExpression)
	if err != nil {
		r := refusal("Invalid expression", "%v", err)
		return cty.NilVal, "", &r
	}
	if name == "" && !slices.Contains([]string{"var", "local", "module", "path", "terraform", "data"}, root) {
		r := refusal("Invalid reference", "A reference to a resource type must be followed by at least one attribute access, specifying the resource name.")
		return cty.NilVal, "", &r
	}
	if r := e.undeclared(root, name); r != nil {
		return cty.NilVal, "", r
	}
	out := e.values.Evaluate(e.tree, x)
	for d := range out.Diagnostics.Errors() {
		return cty.NilVal, "", &result{refused: &d}
	}
	if len(out.Unknown) > 0 {
		why = out.Unknown[0].String()
	}
	return out.Value, why, nil
}

// undeclared refuses a reference to what the module does not declare.
func (e *evaluator) undeclared(root, name string) *result {
	words := map[string][3]string{
		"var":    {"Reference to undeclared input variable", "An input variable with the name %q has not been declared."},
		"local":  {"Reference to undeclared local value", "A local value with the name %q has not been declared."},
		"module": {"Reference to undeclared module", "No module call named %q is declared in the root module."},
	}
	w, ok := words[root]
	if !ok {
		return nil
	}
	if _, declared := e.names.Lookup(root + "." + name); declared {
		return nil
	}
	r := refusal(w[0], w[1], name)
	return &r
}

// print prints the value of an expression, and reports whether it has one.
func (e *evaluator) print(stdout, stderr io.Writer, text string) bool {
	r := e.evaluate(text)
	if e.json {
		return e.printJSON(stdout, text, r)
	}
	switch {
	case r.refused != nil:
		fmt.Fprintf(stderr, "%s: %s\n", oneLine(text), oneLine(strings.TrimSuffix(r.refused.Summary+"; "+r.refused.Detail, "; ")))
		return false
	case r.unknown != "":
		fmt.Fprintf(stderr, "%s: the value is not known: %s\n", oneLine(text), oneLine(r.unknown))
		return false
	}
	out, err := ctyjson.Marshal(e.shown(r.value), cty.DynamicPseudoType)
	if err == nil {
		out, err = unwrapped(out)
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", oneLine(text), err)
		return false
	}
	fmt.Fprintf(stdout, "%s\n", out)
	return true
}

// unwrapped returns the value of JSON with its type.
func unwrapped(src []byte) ([]byte, error) {
	var doc struct {
		Value json.RawMessage `json:"value"`
	}
	err := json.Unmarshal(src, &doc)
	if err == nil && doc.Value == nil {
		return []byte("null"), nil
	}
	return doc.Value, err
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// shown returns a value with a text in place of each part that is marked, unless all is revealed.
func (e *evaluator) shown(v cty.Value) cty.Value {
	if !v.ContainsMarked() {
		return v
	}
	if e.reveal {
		v, _ = v.UnmarkDeep()
		return v
	}
	return hide(v)
}

// hide returns a value with the text "(sensitive value)" in place of marked parts. Collections
// become objects and tuples, since their elements are of several types then.
func hide(v cty.Value) cty.Value {
	t := v.Type()
	switch {
	case v.IsMarked():
		return cty.StringVal("(sensitive value)")
	case !v.ContainsMarked() || v.IsNull() || !v.IsKnown():
		return v
	case t.IsObjectType() || t.IsMapType():
		members := map[string]cty.Value{}
		for it := v.ElementIterator(); it.Next(); {
			key, e := it.Element()
			members[key.AsString()] = hide(e)
		}
		return cty.ObjectVal(members)
	}
	var elements []cty.Value
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		elements = append(elements, hide(e))
	}
	return cty.TupleVal(elements)
}

// A line is what -json prints of an expression.
type line struct {
	Expression string          `json:"expression"`
	Type       json.RawMessage `json:"type,omitempty"`
	Value      json.RawMessage `json:"value,omitempty"`
	Sensitive  bool            `json:"sensitive,omitempty"`
	Unknown    string          `json:"unknown,omitempty"`
	Error      *fault          `json:"error,omitempty"`
}

type fault struct {
	Summary string `json:"summary"`
	Detail  string `json:"detail"`
}

func (e *evaluator) printJSON(w io.Writer, text string, r result) bool {
	out := line{Expression: text}
	if r.refused == nil {
		typ, err := ctyjson.MarshalType(r.value.Type())
		if err != nil {
			r = refusal("No value", "%v", err)
		}
		out.Type = typ
	}
	switch {
	case r.refused != nil:
		out.Type = nil
		out.Error = &fault{r.refused.Summary, r.refused.Detail}
	case r.unknown != "":
		out.Unknown = r.unknown
	default:
		v := r.value
		if out.Sensitive = v.ContainsMarked(); out.Sensitive && !e.reveal {
			out.Value = json.RawMessage("null")
			break
		}
		v, _ = v.UnmarkDeep()
		src, err := ctyjson.Marshal(v, cty.DynamicPseudoType)
		if err == nil {
			out.Value, err = unwrapped(src)
		}
		if err != nil {
			out.Error, out.Type = &fault{"No value", err.Error()}, nil
		}
	}
	src, err := json.Marshal(out)
	if err != nil {
		return false
	}
	fmt.Fprintf(w, "%s\n", src)
	return out.Error == nil && out.Unknown == ""
}
