// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-config-inspect/tfconfig"
	"github.com/hashicorp/terraform-exec/tfexec"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
	"github.com/zclconf/go-cty/cty"
)

// The migration guides in docs. What a guide says in its left column, or
// first block of code, is in a function ...Before here; what it says in the
// right column, or second block, in the function ...After. So both compile, and
// the tests below run them and compare what they find.

func fromTerraformJSONBefore(text []byte) (found []string, err error) {
	var p tfjson.Plan
	p.UseJSONNumber(true)
	if err := p.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	for _, rc := range p.ResourceChanges {
		found = append(found, rc.Address, rc.DeposedKey, fmt.Sprint(rc.Change.Actions.Replace()))
		found = append(found, strings.Split(rc.Address, ".")[0])
		if key, ok := rc.Index.(json.Number); ok {
			found = append(found, key.String())
		}
		if rc.Change.After == nil {
			found = append(found, "nothing after")
			continue
		}
		if name, ok := rc.Change.After.(map[string]interface{})["name"]; ok {
			found = append(found, fmt.Sprint(name))
		}
	}
	for _, r := range p.PlannedValues.RootModule.Resources {
		found = append(found, fmt.Sprint(r.AttributeValues["name"]))
	}
	for _, o := range p.PriorState.Values.Outputs {
		var value string
		if _, ok := o.Value.(string); ok && o.Type == cty.String {
			value = o.Value.(string)
		}
		found = append(found, value)
	}
	for _, r := range p.Config.RootModule.Resources {
		for _, e := range r.Expressions {
			found = append(found, e.ExpressionData.References...)
			found = append(found, fmt.Sprint(len(e.NestedBlocks)))
		}
	}
	if _, err := json.Marshal(&p); err != nil {
		return nil, err
	}
	return found, nil
}

func fromTerraformJSONAfter(text []byte) (found []string, err error) {
	p, err := planjson.DecodePlan(text)
	if err != nil {
		return nil, err
	}
	if err := planjson.Judgeable(p); err != nil {
		return nil, err
	}
	for _, rc := range p.ResourceChanges {
		found = append(found, rc.Address, rc.Deposed, fmt.Sprint(rc.Change.Actions.IsReplace()))
		addr, err := rc.Addr()
		if err != nil {
			return nil, err
		}
		found = append(found, firstStep(addr))
		key, err := rc.IndexKey()
		if err != nil {
			return nil, err
		}
		if n, ok := key.Int(); ok {
			found = append(found, fmt.Sprint(n))
		}
		if rc.Change.After.IsNull() || rc.Change.After == nil {
			found = append(found, "nothing after")
			continue
		}
		if name := rc.Change.After.Get("name"); name != nil {
			found = append(found, goValue(name))
		}
	}
	for _, r := range p.PlannedValues.RootModule.Resources {
		found = append(found, goValue(r.Values.Get("name")))
	}
	for _, o := range p.PriorState.Values.Outputs {
		value, _ := o.Value.Text()
		if typ, err := planjson.ParseType(o.Type); err != nil || typ != cty.String {
			value = ""
		}
		if _, err := o.Cty(); err != nil {
			return nil, err
		}
		found = append(found, value)
	}
	for _, r := range p.Config().RootModule.Resources {
		for _, e := range r.Expressions {
			found = append(found, e.References...)
			found = append(found, fmt.Sprint(len(e.Blocks)))
			_ = e.Block // a single block, which the other library loses
		}
	}
	if _, err := planjson.Encode(p); err != nil {
		return nil, err
	}
	w := io.Discard
	return found, planjson.Write(w, p)
}

// goValue returns what fmt prints for the Go value of a JSON value.
func goValue(v planjson.Value) string {
	if v == nil {
		return fmt.Sprint(nil)
	}
	var x any
	if err := v.Decode(&x); err != nil {
		return err.Error()
	}
	return fmt.Sprint(x)
}

// firstStep returns the part of an address before its first dot.
func firstStep(addr addrs.AbsResourceInstance) string {
	first, _, _ := strings.Cut(addr.String(), ".")
	return first
}

// The types and functions of the guide that have no value above.

func terraformJSONTypesBefore(text []byte) []any {
	var s tfjson.SchemaAttribute
	_ = s.AttributeType
	_, _ = tfjson.UnmarshalLogMessage(text)
	return []any{
		tfjson.State{}, tfjson.ProviderSchemas{}, tfjson.ValidateOutput{}, tfjson.VersionOutput{}, tfjson.MetadataFunctions{}, tfjson.Config{},
		tfjson.ConfigModule{}, tfjson.ConfigResource{}, tfjson.ConfigVariable{}, tfjson.ConfigOutput{},
		tfjson.SchemaBlock{}, tfjson.SchemaAttribute{}, tfjson.SchemaBlockType{}, tfjson.CheckResultStatic{}, tfjson.CheckResultDynamic{},
	}
}

func terraformJSONTypesAfter(text []byte) []any {
	var s planjson.Attribute
	_, _ = planjson.ParseType(s.Type)
	var v planjson.Value
	var x any
	_ = v.Decode(&x)
	var block *planjson.Block
	var r planjson.ResourceConfig
	_, _ = block.Typed(r.Expressions)
	_, _ = uijson.Decode(text)
	_ = uijson.NewReader(bytes.NewReader(text))
	return []any{
		planjson.DecodeState, planjson.DecodeSchemas, planjson.DecodeValidate, planjson.DecodeVersion, planjson.DecodeFunctions, planjson.DecodeConfig,
		planjson.ModuleConfig{}, planjson.ResourceConfig{}, planjson.VariableConfig{}, planjson.OutputConfig{},
		planjson.Block{}, planjson.Attribute{}, planjson.BlockType{}, planjson.Check{}, planjson.CheckInstance{},
	}
}

func fromConfigInspectBefore(dir string) (found []string, err error) {
	module, diags := tfconfig.LoadModule(dir)
	if diags.HasErrors() {
		return nil, diags
	}
	v := module.Variables["v"]
	found = append(found, v.Type, v.Description, fmt.Sprint(v.Required), fmt.Sprint(v.Sensitive), fmt.Sprint(v.Default))
	r := module.ManagedResources["lab_thing.r"]
	found = append(found, r.Type, r.Provider.Name, fmt.Sprint(r.Pos.Line))
	found = append(found, module.ModuleCalls["m"].Source)
	found = append(found, module.RequiredProviders["lab"].Source)
	found = append(found, module.RequiredCore...)
	return found, nil
}

func fromConfigInspectAfter(dir string) (found []string, err error) {
	module, err := hclconfig.LoadModule(os.DirFS(dir), ".")
	if err != nil {
		return nil, err
	}
	if diags := module.Diagnostics(); diags.HasErrors() {
		return nil, errors.New(diags[0].String())
	}
	for _, v := range module.Variables {
		value, err := v.DefaultValue()
		if err != nil {
			return nil, err
		}
		found = append(found, v.Type.Source(), v.Description.Value, fmt.Sprint(v.Required()), fmt.Sprint(v.Sensitive.Value), value.AsString())
	}
	for _, r := range module.Resources {
		found = append(found, r.Type, r.ProviderName(), fmt.Sprint(r.Block.DefRange().Start.Line))
	}
	if _, ok := hclnames.NamesOf(module).Lookup("lab_thing.r"); !ok {
		return nil, errors.New("no such resource")
	}
	for _, call := range module.Calls {
		found = append(found, call.Source.Value)
	}
	for _, p := range module.RequiredProviders() {
		if p.Requirement == nil { // nothing but a block uses it
			found = append(found, p.Provider.String())
			continue
		}
		found = append(found, p.Requirement.Source.Value)
	}
	for _, settings := range module.Settings {
		found = append(found, settings.RequiredVersion.Value)
	}
	return found, nil
}

func fromTerraformExecBefore(ctx context.Context, tf *tfexec.Terraform) (found []string, err error) {
	messages, err := tf.QueryJSON(ctx)
	if err != nil {
		return nil, err
	}
	for next := range messages {
		if next.Err != nil {
			return nil, next.Err
		}
		if d, ok := next.Msg.(tfjson.DiagnosticLogMessage); ok {
			found = append(found, d.Summary)
		}
	}
	return found, nil
}

func fromTerraformExecAfter(ctx context.Context, tf *tfexec.Terraform) (found []string, err error) {
	r, w := io.Pipe()
	go func() { w.CloseWithError(tf.ApplyJSON(ctx, w)) }()
	for event, err := range uijson.NewReader(r).Events() {
		if err != nil {
			return nil, err
		}
		if m := event.Message; m != nil && m.Diagnostic != nil {
			found = append(found, m.Diagnostic.Summary)
		}
	}
	return found, nil
}

func terraformExecRunAfter(ctx context.Context, tf *tfexec.Terraform, planFile string) error {
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- tf.ApplyJSON(ctx, w, tfexec.DirOrPlan(planFile))
		w.Close()
	}()
	_, err := uitrack.Attach(ctx, r, func() error { return <-ended }, uitrack.AttachOptions{Progress: uitrack.PrintLines(os.Stderr)})
	return err
}

func terraformExecRawBefore(ctx context.Context, tf *tfexec.Terraform, planFile string) []any {
	return []any{
		two(tf.ShowPlanFile(ctx, planFile)), two(tf.Show(ctx)), two(tf.ProvidersSchema(ctx)), two(tf.Output(ctx)),
		two(tf.Validate(ctx)), three(tf.Version(ctx, true)), two(tf.QueryJSON(ctx)),
	}
}

func terraformExecRawAfter(ctx context.Context, tf *tfexec.Terraform, planFile string) []any {
	raw := func(args ...string) []byte {
		cmd := exec.CommandContext(ctx, tf.ExecPath(), args...)
		cmd.Dir = tf.WorkingDir()
		text, err := cmd.Output()
		if err != nil && len(text) == 0 {
			return nil
		}
		return text
	}
	return []any{
		two(planjson.DecodePlan(raw("show", "-json", planFile))), two(planjson.DecodeState(raw("show", "-json"))),
		two(planjson.DecodeSchemas(raw("providers", "schema", "-json"))), two(planjson.DecodeOutputs(raw("output", "-json"))),
		two(planjson.DecodeValidate(raw("validate", "-json"))), two(planjson.DecodeVersion(raw("version", "-json"))),
		uijson.NewReader(bytes.NewReader(raw("query", "-json"))).Events(),
	}
}

// two and three keep results together with their error.
func two[T any](v T, err error) any { return result{v, err} }

func three[T, U any](v T, _ U, err error) any { return result{v, err} }

type result struct {
	value any
	err   error
}

// The guide's code against a real tool, if there is one: what terraform-exec
// decodes, and what we make of the raw text, say the same.
func TestTerraformExecRaw(t *testing.T) {
	name := depth.Tool(t, "terraform")
	t.Setenv("CHECKPOINT_DISABLE", "1")
	t.Setenv("TF_CLI_CONFIG_FILE", os.DevNull)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte("resource \"terraform_data\" \"a\" { input = 1 }\noutput \"o\" { value = terraform_data.a.output }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tf, err := tfexec.NewTerraform(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	if err := tf.Init(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := tf.Plan(ctx, tfexec.Out("p")); err != nil {
		t.Fatal(err)
	}
	if err := tf.Apply(ctx, tfexec.DirOrPlan("p")); err != nil {
		t.Fatal(err)
	}
	if _, err := tf.Plan(ctx, tfexec.Out("q"), tfexec.Destroy(true)); err != nil {
		t.Fatal(err)
	}
	before, after := terraformExecRawBefore(ctx, tf, "q"), terraformExecRawAfter(ctx, tf, "q")
	for i, b := range before[:6] { // query needs Terraform 1.14
		b, a := b.(result), after[i].(result)
		if b.err != nil || a.err != nil {
			t.Errorf("%d: %v, %v", i, b.err, a.err)
		}
	}
	if t.Failed() {
		return
	}
	plan := after[0].(result).value.(*planjson.Plan)
	if want := before[0].(result).value.(*tfjson.Plan); len(plan.ResourceChanges) != 1 || want.ResourceChanges[0].Address != plan.ResourceChanges[0].Address {
		t.Errorf("the plans differ")
	}
	outputs := after[3].(result).value.(*planjson.Outputs)
	if n, ok := outputs.Outputs["o"].Value.Int64(); !ok || n != 1 {
		t.Errorf("the output is %v", outputs.Outputs["o"].Value)
	}
}

// What people look for in lock files.
var (
	versions = regexp.MustCompile(`provider "([^"]+)" \{\s+version\s+= "([^"]+)"`)
	version  = regexp.MustCompile(`(version\s+= )"1.2.3"`)
	list     = regexp.MustCompile(`(hashes = \[\n)`)
)

func fromRegexpsBefore(text string) (found []string, _ string, err error) {
	for _, m := range versions.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1]+" "+m[2])
	}
	text = version.ReplaceAllString(text, `$1"1.3.0"`)
	text = list.ReplaceAllString(text, `$1    "`+newHash+"\",\n")
	return found, text, nil
}

func fromRegexpsAfter(text string) (found []string, _ string, err error) {
	f, err := lockfile.Parse(lockfile.Name, []byte(text))
	if err != nil {
		return nil, "", err
	}
	for _, lock := range f.Locks() {
		found = append(found, lock.Provider.String()+" "+lock.Version.String())
	}
	provider := addrs.MustParseProvider(lockName)
	if err := f.SetVersion(provider, addrs.MustParseVersion("1.3.0")); err != nil {
		return nil, "", err
	}
	if err := f.AddHashes(provider, newHash); err != nil {
		return nil, "", err
	}
	return found, string(f.Bytes()), nil
}

func TestMigrateFromTerraformJSON(t *testing.T) {
	for _, name := range []string{"tofu-1.12.6/actions/plan.change.json", "tofu-1.12.6/actions/plan.destroy.json", "terraform-1.11.4/drift/plan.drift.json"} {
		text := planRecording(t, name)
		want, err := fromTerraformJSONBefore(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := fromTerraformJSONAfter(text)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(want) // both libraries have maps
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || len(got) < 20 {
			t.Errorf("%s: %d values; -before +after:\n%s", name, len(got), diff)
		}
	}
	line := []byte(unknownMessage)
	if before, after := terraformJSONTypesBefore(line), terraformJSONTypesAfter(line); len(before) != len(after) {
		t.Errorf("%d names before, %d after", len(before), len(after))
	}
}

func TestMigrateFromConfigInspect(t *testing.T) {
	dir := files{"main.tf": `terraform {
  required_version = ">= 1.8"
  required_providers {
    lab = {
      source = "example/lab"
    }
  }
}

variable "v" {
  type        = string
  default     = "d"
  description = "why"
  sensitive   = true
}

resource "lab_thing" "r" {
}

module "m" {
  source = "./child"
}
`}.write(t)
	want, err := fromConfigInspectBefore(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fromConfigInspectAfter(dir)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v, -before +after:\n%s", err, diff)
	}
}

func TestMigrateFromTerraformExec(t *testing.T) {
	name := filepath.Join(t.TempDir(), "stream.jsonl")
	const last = `{"@level":"error","@message":"m","@module":"terraform.ui","@timestamp":"2026-08-26T16:20:04.692816Z","type":"diagnostic","diagnostic":{"severity":"error","summary":"the last","detail":""}}`
	if err := os.WriteFile(name, []byte(goodLine+"\n"+last+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tf := fakeTerraform(t, name)
	want, err := fromTerraformExecBefore(t.Context(), tf)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fromTerraformExecAfter(t.Context(), tf)
	if err != nil || len(got) != 1 || !slices.Equal(want, got) {
		t.Errorf("%v, before %q, after %q", err, want, got)
	}
	// A tool that fails is an error of the loop.
	if _, err := fromTerraformExecAfter(t.Context(), fakeTerraform(t, name+".missing")); err == nil {
		t.Error("no error")
	}
	// It is no success of the run either.
	if err := terraformExecRunAfter(t.Context(), fakeTerraform(t, name+".missing"), "plan"); err == nil {
		t.Error("no error of the run")
	}
}

func TestMigrateFromRegexps(t *testing.T) {
	text := lockText("", "", "")
	want, wantText, err := fromRegexpsBefore(text)
	if err != nil {
		t.Fatal(err)
	}
	got, gotText, err := fromRegexpsAfter(text)
	if err != nil || len(got) != 1 || !slices.Equal(want, got) {
		t.Errorf("%v, before %q, after %q", err, want, got)
	}
	// The regular expression does not know where the hash belongs.
	lines := func(s string) []string { return slices.Sorted(strings.Lines(s)) }
	if diff := cmp.Diff(lines(wantText), lines(gotText)); diff != "" {
		t.Error(diff)
	}
}

// migrationGuides are the guides in docs, and the beginning of the names of the
// functions that have their code.
var migrationGuides = map[string][]string{
	"migrate-terraform-json.md":           {"fromTerraformJSON", "terraformJSONTypes"},
	"migrate-terraform-config-inspect.md": {"fromConfigInspect"},
	"migrate-terraform-exec.md":           {"fromTerraformExec", "terraformExecRun", "terraformExecRaw"},
	"migrate-lock-files.md":               {"fromRegexps"},
	"migrate-hclwrite.md":                 {"fromHCLWrite"},
}

// TestMigrationGuides checks that all the code in the guides is that of the
// functions above, token by token.
func TestMigrationGuides(t *testing.T) {
	files, err := filepath.Glob("../docs/migrate-*.md")
	if err != nil || len(files) < len(migrationGuides) {
		t.Errorf("there are %d guides: %v", len(files), err)
	}
	functions := functionTokens(t, "migration_test.go")
	maps.Copy(functions, functionTokens(t, "migration_hclwrite_test.go"))
	for name, names := range migrationGuides {
		before, after := guideCode(page(t, "../docs/"+name))
		if len(before) == 0 || len(after) == 0 {
			t.Errorf("%s: no code", name)
		}
		for suffix, snippets := range map[string][]string{"Before": before, "After": after} {
			for _, snippet := range snippets {
				want := tokens(t, snippet)
				if !slices.ContainsFunc(names, func(name string) bool { return contains(functions[name+suffix], want) }) {
					t.Errorf("%s: %q is not in %s%s", name, snippet, names[0], suffix)
				}
			}
		}
	}
}

// page returns a document with line feeds.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// guideCode returns the code of a guide: that between backquotes in the left
// and the right column of its tables, and its first and second block.
func guideCode(guide string) (before, after []string) {
	code := regexp.MustCompile("`([^`]+)`")
	blocks := strings.Split(guide, "```")
	for i := 1; i < len(blocks); i += 2 {
		block := strings.TrimPrefix(blocks[i], "go\n")
		if i == 1 {
			before = append(before, block)
		} else {
			after = append(after, block)
		}
	}
	for line := range strings.Lines(guide) {
		columns := strings.Split(line, "|")
		if len(columns) != 4 {
			continue
		}
		for _, m := range code.FindAllStringSubmatch(columns[1], -1) {
			before = append(before, m[1])
		}
		for _, m := range code.FindAllStringSubmatch(columns[2], -1) {
			after = append(after, m[1])
		}
	}
	return before, after
}

// functionTokens returns the tokens of each function in a file.
func functionTokens(t *testing.T, name string) map[string][]string {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	functions := make(map[string][]string)
	for _, decl := range f.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			functions[fn.Name.Name] = tokens(t, string(src[set.Position(fn.Body.Pos()).Offset:set.Position(fn.Body.End()).Offset]))
		}
	}
	return functions
}

// tokens returns the tokens of some code, without comments and semicolons.
func tokens(t *testing.T, code string) (list []string) {
	t.Helper()
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", -1, len(code)), []byte(code), func(pos token.Position, msg string) { t.Errorf("%q: %s", code, msg) }, 0)
	for {
		switch _, tok, lit := s.Scan(); {
		case tok == token.EOF:
			return list
		case tok == token.SEMICOLON:
		case lit != "":
			list = append(list, lit)
		default:
			list = append(list, tok.String())
		}
	}
}

// contains reports whether the tokens of a snippet stand side by side in those
// of a function.
func contains(function, snippet []string) bool {
	for i := range function {
		if len(function)-i >= len(snippet) && slices.Equal(function[i:i+len(snippet)], snippet) {
			return true
		}
	}
	return false
}
