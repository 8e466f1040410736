// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package bounds

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclbridge"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/hclrename"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/planjson/statefile"
	"github.com/tofuwire/tofuwire/registry/cliconfig"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
	"github.com/zclconf/go-cty/cty"
)

// A Row runs functions on documents of some formats.
type Row struct {
	Name    string
	Formats []Format
	// Run returns how many bytes the functions made.
	Run func(src []byte) (out int)
	// Functions are those that the row is about, as in "hclconfig.Parse".
	Functions []string
}

// Rows returns all rows.
func Rows() []Row {
	config, both := []Format{Native, JSON, Override}, []Format{Native, JSON}
	return []Row{
		{"parse", both, parse, []string{"hclconfig.Parse", "hclconfig.ParseNative", "hclconfig.ParseJSON", "hclconfig.File.Reparse"}},
		{"values", both, values, []string{"hclconfig.ParseExpression"}},
		{"type", []Format{Types}, typeOf, []string{"hclconfig.ParseExpression"}},
		{"module", config, module, []string{"hclconfig.LoadModule"}},
		{"names", config, names, []string{"hclnames.LoadTree", "hclnames.NeedOf", "hclnames.ParseValues"}},
		{"rename", config, rename, []string{"hclrename.Rename"}},
		{"another type", config, retype, []string{"hclrename.RenameType"}},
		{"instances", config, instances, nil},
		{"evaluate", config, evaluate, []string{"hclnames.LoadTree"}},
		{"validate file", both, validateFile, nil},
		{"validate", config, func(src []byte) int { return validate(src, false) }, []string{"hclnames.LoadTree"}},
		{"validate with schemas", config, validateWithSchemas, []string{"hclnames.LoadTree"}},
		{"validate for a plan", config, func(src []byte) int { return validate(src, true) }, []string{"hclnames.LoadTree"}},
		{"lint", config, lint, []string{"hclnames.LoadTree"}},
		{"format", []Format{Native}, format, []string{"hcledit.Format"}},
		{"edit", both, edit, []string{"hcledit.Source", "hcledit.Template", "hcledit.String", "hcledit.Number"}},
		{"to JSON", []Format{Native}, convert, nil},
		{"to native", []Format{JSON}, convert, nil},
		{"bridge", []Format{Native}, bridge, nil},
		{"lock file", []Format{Lock}, lock, []string{"lockfile.Parse", "lockfile.Resolve"}},
		{"versions", []Format{Version}, versions, []string{"addrs.ParseVersion", "addrs.ParseConstraints", "addrs.ParseConfigConstraints", "addrs.ParseModuleConstraints", "addrs.MustParseVersion", "addrs.MustParseConstraints"}},
		{"addresses", []Format{Address}, addresses, []string{
			"addrs.ParseAbsProviderConfig", "addrs.ParseAbsResource", "addrs.ParseAbsResourceInstance", "addrs.ParseRecordedResourceInstance", "addrs.MustParseAbsResourceInstance", "addrs.ParseCheckable", "addrs.ParseConfigResource",
			"addrs.ParseInstanceKey", "addrs.ParseModule", "addrs.ParseModuleInstance", "addrs.ParseModuleSource", "addrs.MustParseModuleSource", "addrs.ParseModuleRegistrySource", "addrs.ParseProvider", "addrs.MustParseProvider", "addrs.ParseRecordedProvider",
			"addrs.ParseReference", "addrs.MustParseReference", "addrs.ParsePlanReference", "addrs.ParseResource", "addrs.ParseTarget", "addrs.MustParseTarget", "addrs.ParseHash", "addrs.ParsePlatform", "addrs.MustParsePlatform",
		}},
		{"registry", []Format{Registry, Sums}, registryDocuments, []string{"registry.ParseNetrc"}},
		{"answers of a registry", []Format{Registry, Sums}, answers, nil},
		{"CLI configuration", []Format{CLI}, cli, []string{"cliconfig.Parse", "cliconfig.ParsePattern", "cliconfig.ParseHost"}},
		{"decode a plan", []Format{Plan}, decodePlan, []string{"planjson.DecodePlan", "planjson.ReadPlan", "planjson.ResourceChanges"}},
		{"decode any document", []Format{Plan, State, Registry}, decodeAny, []string{
			"planjson.Decode", "planjson.DecodeConfig", "planjson.DecodeFunctions", "planjson.DecodeModules", "planjson.DecodeOutputs", "planjson.DecodeRendererPlan", "planjson.DecodeRendererState", "planjson.DecodeSchemas",
			"planjson.DecodeState", "planjson.DecodeStateShow", "planjson.DecodeValidate", "planjson.DecodeVersion", "planjson.DecodeWorkspaces", "planjson.Find", "planjson.KindOf", "planjson.ParsePath", "hclconfig.DecodeSchemas", "checksum.ParseSums", "checksum.ParseSumsLax",
		}},
		{"differences", []Format{Plan}, differences, []string{"planjson.DecodePlan"}},
		{"graph", []Format{Plan}, graph, []string{"planjson.DecodePlan"}},
		{"redact", []Format{Plan}, redactPlan, []string{"redact.Redactor.WritePlan", "redact.Redactor.WriteState"}},
		{"cty", []Format{Plan}, ctyValues, nil},
		{"raw state", []Format{State}, rawState, []string{"statefile.Decode", "statefile.Instances", "statefile.DecodeBackend", "statefile.DecodeEnvelope", "statefile.DecodeEnvironment", "statefile.DecodeInstalledModules", "statefile.DecodeLockInfo", "statefile.FindLockInfo"}},
		{"messages", []Format{Stream}, messages, []string{"uijson.NewReader", "uijson.Decode", "uijson.Sanitize", "uijson.UnwrapMember", "uijson.TextRemover.Bytes", "uijson.TextRemover.Copy"}},
		{"track", []Format{Stream}, track, []string{"uijson.NewReader", "uitrack.WriteJUnit", "uitrack.WriteGitLab"}},
	}
}

func name(src []byte) string {
	if first := bytes.TrimSpace(src); len(first) > 0 && first[0] == '{' {
		return "main.tf.json"
	}
	return "main.tf"
}

func file(src []byte) *hclconfig.File {
	f, err := hclconfig.Parse(name(src), src)
	if f == nil {
		panic(err)
	}
	return f
}

// files are those of a folder: of text with two parts, the second overrides.
func files(src []byte) fstest.MapFS {
	if first, second, ok := bytes.Cut(src, []byte(cut)); ok {
		return fstest.MapFS{"main.tf": {Data: first}, "override.tf": {Data: second}}
	}
	return fstest.MapFS{name(src): {Data: src}}
}

func tree(src []byte) *hclnames.Tree {
	t, err := hclnames.LoadTree(files(src), ".", hclconfig.OpenTofu)
	if t == nil {
		panic(err)
	}
	return t
}

func parse(src []byte) int {
	f := file(src)
	n := len(f.Bytes())
	if g, err := f.Reparse(src); err == nil {
		n += len(g.Bytes())
	}
	for b := range f.Body().All() {
		n += len(b.Type) + int(b.Range().End.Offset&1)
	}
	return n
}

func values(src []byte) int {
	n := 0
	for a := range file(src).Body().AllArguments() {
		if _, err := a.Expression.Constant(); err == nil {
			text, _ := a.Expression.Text()
			n += len(text)
		}
		n += len(a.Expression.References())
	}
	c := file(src).Config()
	for _, v := range c.Variables {
		if _, err := v.TypedDefault(); err == nil {
			n++
		}
	}
	return n
}

func typeOf(src []byte) int {
	e, err := hclconfig.ParseExpression("x.tf", src, hclconfig.NativeSyntax, hclconfig.KindType)
	if err != nil {
		return 0
	}
	_, _, _ = e.TypeConstraint()
	return 0
}

func module(src []byte) int {
	m, err := hclconfig.LoadModule(files(src), ".", hclconfig.OpenTofu)
	if m == nil {
		panic(err)
	}
	return len(m.Diagnostics())
}

// rename renames what the module declares first.
func rename(src []byte) int {
	t := tree(src)
	if t == nil {
		return 0
	}
	for d := range t.Module.Declarations() {
		out, _ := hclrename.Rename(files(src), ".", d.Address, d.Address+"_new", hclrename.Options{})
		return len(out)
	}
	return 0
}

// retype gives the resources of the first type another one.
func retype(src []byte) int {
	t := tree(src)
	if t == nil || len(t.Module.Resources) == 0 {
		return 0
	}
	typ := t.Module.Resources[0].Type
	out, _ := hclrename.RenameType(files(src), ".", typ, typ+"_new", hclrename.Options{})
	return len(out)
}

// instances expands the resources of a tree, with their values.
func instances(src []byte) (n int) {
	for i := range hclnames.NewEvaluator(nil).Expand(tree(src)) {
		i.Value()
		n++
	}
	return n
}

func names(src []byte) int {
	t := tree(src)
	_, _ = hclnames.ParseValues(name(src), src)
	n := hclnames.NamesOf(t.Module)
	out := len(n.Unused()) + len(hclnames.FeaturesOf(t.Module.Files...))
	for range t.Graph().All() {
		out++
	}
	return out
}

func evaluate(src []byte) int {
	t := tree(src)
	e := hclnames.NewEvaluator(nil)
	for _, l := range t.Module.Locals {
		e.Evaluate(t, l.Argument.Expression)
	}
	for _, v := range t.Module.Outputs {
		e.Evaluate(t, v.Value)
	}
	return 0
}

func validateFile(src []byte) int { return size(hclcheck.ValidateFile(file(src))) }

func validate(src []byte, plan bool) int {
	return size(hclcheck.Validate(tree(src), hclcheck.Validation{Plan: plan}))
}

// validateWithSchemas knows one resource.
func validateWithSchemas(src []byte) int {
	return size(hclcheck.Validate(tree(src), hclcheck.Validation{Schemas: awsSchemas(), Kits: true}))
}

var awsSchemas = sync.OnceValue(func() *hclconfig.Schemas {
	s, err := hclconfig.DecodeSchemas([]byte(`{"format_version": "1.0", "provider_schemas": {"registry.opentofu.org/hashicorp/aws": {"provider": {"version": 0, "block": {}}, "resource_schemas": {"aws_instance": {"version": 0, "block": {"attributes": {
		"name": {"type": "string", "optional": true}, "tags": {"type": ["map", "string"], "optional": true}
	}}}}}}}`))
	if err != nil {
		panic(err)
	}
	return s
})

// questions asks what analyzers may ask.
var questions = &hcllint.Analyzer{
	Name: "questions", Doc: "Questions asks what analyzers may ask.",
	Run: func(p *hcllint.Pass) (any, error) {
		for _, typ := range []string{"resource", "data", "variable", "output", "module", "provider", "locals"} {
			for b := range p.Blocks(typ) {
				hcllint.Documentation(b)
				b.HasTag("x")
				b.Nested("x")
				b.Instances()
				for i := range b.Body.Arguments {
					b.Strings(b.Body.Arguments[i].Expression)
					b.HasKey(b.Body.Arguments[i].Expression, "x")
				}
			}
		}
		for _, f := range p.Module.Files {
			for range hcllint.Comments(f) {
			}
		}
		for _, c := range p.Module.Calls {
			hcllint.Exact(p.SourceOf(c).Version)
		}
		p.Deprecated()
		return nil, nil
	},
}

func lint(src []byte) int {
	report, err := hcllint.Run(tree(src), append(rules.All(), questions), hcllint.RunOptions{})
	if err != nil {
		return 0
	}
	n := 0
	for _, d := range report.Diagnostics {
		n += len(d.Message)
	}
	for _, f := range report.Fix() {
		n += len(f.Bytes())
	}
	return n
}

func size(diags hclconfig.Diagnostics) int {
	n := 0
	for _, d := range diags {
		n += len(d.Summary) + len(d.Detail)
	}
	return n
}

func format(src []byte) int {
	out, _ := hcledit.Format(src)
	return len(out)
}

func edit(src []byte) int {
	f := file(src)
	n := 0
	for _, change := range []func(e *hcledit.Editor){
		func(e *hcledit.Editor) { e.ReplaceReferences("local.b", "local.c") },
		func(e *hcledit.Editor) {
			for i := range f.Body().Blocks {
				e.Set(&f.Body().Blocks[i], "added", hcledit.String("x"))
			}
		},
		func(e *hcledit.Editor) {
			for b := range f.Body().All() {
				for i := range b.Body.Arguments {
					e.Replace(b.Body.Arguments[i].Expression, hcledit.Source("1"))
				}
			}
		},
	} {
		e := hcledit.Edit(f)
		change(e)
		if out, err := e.Apply(); err == nil {
			n += len(out.Bytes())
		}
	}
	return n
}

func convert(src []byte) int {
	f := file(src)
	to := hclconvert.ToJSON
	if f.Syntax() == hclconfig.JSONSyntax {
		to = hclconvert.ToNative
	}
	out, _ := to(f, hclconvert.Options{})
	if out == nil {
		return 0
	}
	return len(out.Bytes())
}

func bridge(src []byte) int {
	n := 0
	f := file(src)
	attrs, _ := hclbridge.File(f).Body.JustAttributes()
	n += len(attrs)
	for i := range f.Body().Blocks {
		own, _ := hclbridge.Body(f.Body().Blocks[i].Body.Own()).JustAttributes()
		n += len(own)
	}
	for a := range f.Body().AllArguments() {
		x := hclbridge.Expression(a.Expression)
		n += len(x.Variables())
		_, _ = x.Value(&hcl.EvalContext{})
	}
	return n
}

func lock(src []byte) int {
	f, _ := lockfile.Parse("x.hcl", src)
	_, _, _ = lockfile.Resolve("x.hcl", src)
	if f == nil {
		return 0
	}
	return len(f.Bytes()) + len(f.Canonical(addrs.OpenTofu))
}

func versions(src []byte) int {
	s := string(src)
	n := 0
	if v, err := addrs.ParseVersion(s); err == nil {
		n += len(v.String())
	}
	for _, parse := range []func(string) (addrs.Constraints, error){addrs.ParseConstraints, addrs.ParseConfigConstraints, addrs.ParseModuleConstraints} {
		if c, err := parse(s); err == nil {
			n += len(c.String())
			c.Allows(addrs.MustParseVersion("1.0.0"))
		}
	}
	return n
}

func addresses(src []byte) int {
	s := string(src)
	_, _ = addrs.ParseAbsProviderConfig(s)
	_, _ = addrs.ParseRecordedProvider(s)
	_, _ = addrs.ParseAbsResource(s)
	a, _ := addrs.ParseAbsResourceInstance(s)
	_, _ = addrs.ParseCheckable("resource", s)
	_, _ = addrs.ParseConfigResource(s)
	_, _ = addrs.ParseInstanceKey(s)
	_, _ = addrs.ParseModule(s)
	_, _ = addrs.ParseModuleInstance(s)
	m, _ := addrs.ParseModuleSource(s)
	_, _ = addrs.ParseModuleRegistrySource(s)
	_, _ = addrs.ParseProvider(s)
	r, _ := addrs.ParseReference(s)
	_, _ = addrs.ParsePlanReference(s)
	_, _ = addrs.ParseResource(s)
	_, _ = addrs.ParseTarget(s)
	_, _ = addrs.ParseHash(s)
	_, _ = addrs.ParsePlatform(s)
	return len(a.String()) + len(m.String()) + len(r.String())
}

func cli(src []byte) int {
	_, _ = cliconfig.Parse("x.tfrc", src)
	_, _ = cliconfig.ParsePattern(string(src))
	_, _ = cliconfig.ParseHost(string(src))
	return 0
}

func plan(src []byte) *planjson.Plan {
	p, err := planjson.DecodePlan(src)
	if errors.Is(err, planjson.ErrLimit) {
		return &planjson.Plan{} // it nests too deeply
	}
	if err != nil {
		panic(err)
	}
	return p
}

func decodePlan(src []byte) int {
	p := plan(src)
	out, _ := planjson.Encode(p)
	canonical, _ := planjson.Canonical(p)
	n := len(out) + len(canonical)
	for _, err := range planjson.ResourceChanges(bytes.NewReader(src)) {
		if err != nil && !errors.Is(err, planjson.ErrLimit) {
			panic(err)
		}
		n++
	}
	return n
}

// A counter counts what is written.
type counter int

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

func differences(src []byte) int {
	p := plan(src)
	var n counter
	d := plandiff.Plan(p, plandiff.Options{})
	for _, err := range []error{d.WriteText(&n, plandiff.TextOptions{}), d.WriteMarkdown(&n, plandiff.MarkdownOptions{}), d.WriteHTML(&n, plandiff.TextOptions{})} {
		if err != nil {
			panic(err)
		}
	}
	n += counter(len(plandiff.ComparePlans(p, p, plandiff.Options{}).Differences))
	return int(n)
}

func graph(src []byte) int {
	p := plan(src)
	var n counter
	if err := plangraph.New(p.Config()).WriteDOT(&n, plangraph.GraphOptions{}); err != nil {
		panic(err)
	}
	x := plangraph.NewInstances(p, plangraph.InstancesOptions{})
	if err := x.WriteDOT(&n, plangraph.DrawingOptions{}); err != nil {
		panic(err)
	}
	x.Operations()
	for i := range x.All() {
		for l := range x.Needs(i, "") {
			for at := range l.Places() {
				n += counter(len(at))
			}
		}
	}
	return int(n)
}

func redactPlan(src []byte) int {
	var r redact.Redactor
	p := plan(src)
	if _, err := r.Plan(p); err != nil {
		panic(err)
	}
	out, _ := planjson.Encode(p)
	var n counter
	_, _ = r.WritePlan(&n, bytes.NewReader(src))
	_, _ = r.WriteState(&n, bytes.NewReader(src))
	return len(out) + int(n)
}

func ctyValues(src []byte) int {
	for _, rc := range plan(src).ResourceChanges {
		_, _ = rc.Change.AfterCty(cty.DynamicPseudoType)
	}
	return 0
}

func rawState(src []byte) int {
	f, err := statefile.Decode(src)
	if errors.Is(err, statefile.ErrLimit) {
		return 0 // it nests too deeply
	}
	if err != nil {
		panic(err)
	}
	out, _ := statefile.Encode(f)
	canonical, _ := statefile.Canonical(f)
	_, _ = statefile.Show(f, nil)
	n := len(out) + len(canonical)
	for range statefile.Instances(bytes.NewReader(src)) {
		n++
	}
	_, _ = statefile.DecodeBackend(src)
	_, _ = statefile.DecodeEnvelope(src)
	_, _ = statefile.DecodeEnvironment(src)
	_, _ = statefile.DecodeInstalledModules(src)
	_, _ = statefile.DecodeLockInfo(src)
	return n + len(statefile.FindLockInfo(src))
}

func messages(src []byte) int {
	n := len(uijson.Sanitize(string(src))) + len(uijson.UnwrapMember("log")(src))
	remover := uijson.RemoveSecretsFromText([]string{"a secret of two\nlines", "another"})
	n += len(remover.Bytes(src))
	_ = remover.Copy(io.Discard, bytes.NewReader(src))
	remove := uijson.RemoveSecrets([]string{"a secret of two\nlines", "another", "12345678"})
	for ev := range uijson.NewReader(bytes.NewReader(src)).Events() {
		if ev != nil && ev.Message != nil {
			out, _ := uijson.Encode(ev.Message)
			remove(ev.Message)
			n += len(out)
		}
	}
	_, _ = uijson.Decode(src)
	return n
}

func track(src []byte) int {
	var t uitrack.Tracker
	for ev := range uijson.NewReader(bytes.NewReader(src)).Events() {
		if ev != nil {
			t.Add(ev)
		}
	}
	t.End(io.EOF)
	var b strings.Builder
	snapshot := t.Snapshot()
	_ = uitrack.WriteJUnit(&b, snapshot, "x")
	_ = uitrack.WriteGitLab(&b, snapshot.Diagnostics, "x")
	return b.Len()
}

// decodeAny gives a document to the decoders of all kinds: most refuse it, none takes long.
func decodeAny(src []byte) int {
	planjson.KindOf(src)
	_, _ = planjson.Decode(src)
	_, _ = planjson.DecodeConfig(src)
	_, _ = planjson.DecodeFunctions(src)
	_, _ = planjson.DecodeModules(src)
	_, _ = planjson.DecodeOutputs(src)
	_, _ = planjson.DecodeRendererPlan(src)
	_, _ = planjson.DecodeRendererState(src)
	_, _ = planjson.DecodeSchemas(src)
	_, _ = planjson.DecodeState(src)
	_, _ = planjson.DecodeStateShow(src)
	_, _ = planjson.DecodeValidate(src)
	_, _ = planjson.DecodeVersion(src)
	_, _ = planjson.DecodeWorkspaces(src)
	_, _ = planjson.ParsePath(string(src))
	_, _ = hclconfig.DecodeSchemas(src)
	_, _ = checksum.ParseSums("sums", src)
	checksum.ParseSumsLax("sums", src)
	_, _ = planjson.Find(src)
	return 0
}
