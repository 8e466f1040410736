// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updateNames = flag.Bool("update-names", false, "write docs/terraform-json-names.md")

// exported returns the exported names of a package folder: X, and Type.X for
// fields and methods.
func exported(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	add := func(parts ...string) {
		for _, p := range parts {
			if !ast.IsExported(p) {
				return
			}
		}
		names = append(names, strings.Join(parts, "."))
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name.Name)
					continue
				}
				typ := d.Recv.List[0].Type
				if star, ok := typ.(*ast.StarExpr); ok {
					typ = star.X
				}
				if id, ok := typ.(*ast.Ident); ok {
					add(id.Name, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						for _, n := range s.Names {
							add(n.Name)
						}
					case *ast.TypeSpec:
						add(s.Name.Name)
						if st, ok := s.Type.(*ast.StructType); ok {
							for _, field := range st.Fields.List {
								for _, n := range field.Names {
									add(s.Name.Name, n.Name)
								}
							}
						}
					}
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// typesHere are the counterparts of types. Fields with the same name are the same.
var typesHere = map[string]string{
	"Action": "planjson.Action", "ActionInvocation": "planjson.ActionInvocation", "ActionReason": "planjson.ActionReason", "ActionSchema": "planjson.ActionSchema",
	"Actions": "planjson.Actions", "Change": "planjson.Change", "CheckDynamicAddress": "planjson.CheckInstanceAddress", "CheckKind": "addrs.CheckableKind",
	"CheckResultDynamic": "planjson.CheckInstance", "CheckResultProblem": "planjson.CheckProblem", "CheckResultStatic": "planjson.Check",
	"CheckStaticAddress": "planjson.CheckAddress", "CheckStatus": "planjson.CheckStatus", "Config": "planjson.Config", "ConfigModule": "planjson.ModuleConfig",
	"ConfigOutput": "planjson.OutputConfig", "ConfigProvisioner": "planjson.Provisioner", "ConfigResource": "planjson.ResourceConfig", "ConfigVariable": "planjson.VariableConfig",
	"DeferredResourceChange": "planjson.DeferredChange", "Diagnostic": "planjson.Diagnostic", "DiagnosticExpressionValue": "planjson.ExpressionValue",
	"DiagnosticSeverity": "planjson.Severity", "DiagnosticSnippet": "planjson.Snippet", "Expression": "planjson.Expression", "ExpressionData": "planjson.Expression",
	"FunctionParameter": "planjson.FunctionParameter", "FunctionSignature": "planjson.FunctionSignature", "IdentityAttribute": "planjson.IdentityAttribute",
	"IdentitySchema": "planjson.IdentitySchema", "Importing": "planjson.Importing", "InvokeActionTrigger": "planjson.InvokeActionTrigger",
	"LifecycleActionTrigger": "planjson.LifecycleActionTrigger", "MetadataFunctions": "planjson.Functions", "ModuleCall": "planjson.ModuleCall", "Plan": "planjson.Plan",
	"PlanVariable": "planjson.Variable", "Pos": "planjson.Pos", "ProviderConfig": "planjson.ProviderConfig", "ProviderSchema": "planjson.ProviderSchema",
	"ProviderSchemas": "planjson.Schemas", "Range": "planjson.Range", "ResourceAttribute": "planjson.RelevantAttribute", "ResourceChange": "planjson.ResourceChange",
	"ResourceMode": "addrs.Mode", "Schema": "planjson.Schema", "SchemaAttribute": "planjson.Attribute", "SchemaBlock": "planjson.Block", "SchemaBlockType": "planjson.BlockType",
	"SchemaDescriptionKind": "planjson.DescriptionKind", "SchemaNestedAttributeType": "planjson.NestedType", "SchemaNestingMode": "planjson.NestingMode",
	"State": "planjson.State", "StateModule": "planjson.Module", "StateOutput": "planjson.Output", "StateResource": "planjson.Resource", "StateValues": "planjson.Values",
	"ValidateOutput": "planjson.Validate", "VersionOutput": "planjson.Version", "WorkspaceListEntry": "planjson.Workspace", "WorkspaceListOutput": "planjson.Workspaces",
	"ListStartData": "uijson.ListStart", "ListResourceFoundData": "uijson.ListResourceFound", "ListCompleteData": "uijson.ListComplete",
	"LogMessageLevel": "uijson.Level", "LogMessageType": "uijson.Type", "LogMsg": "uijson.Message", "LogMessage": "uijson.Message", "UnknownLogMessage": "uijson.Message",
	"VersionLogMessage": "uijson.Message", "DiagnosticLogMessage": "uijson.Message", "InitOutputMessage": "uijson.Message", "ListStartMessage": "uijson.Message",
	"ListResourceFoundMessage": "uijson.Message", "ListCompleteMessage": "uijson.Message",
}

const decoded = "not needed: the Decode function does it"

// namesHere are the counterparts of other names, and of fields with another name.
// What has no counterpart says why.
var namesHere = map[string]string{
	"ActionNoop":     "`planjson.ActionNoOp`",
	"Actions.Create": "`planjson.Actions.IsCreate`", "Actions.Read": "`planjson.Actions.IsRead`", "Actions.Update": "`planjson.Actions.IsUpdate`", "Actions.Delete": "`planjson.Actions.IsDelete`",
	"Actions.Forget": "`planjson.Actions.IsForget`", "Actions.NoOp": "`planjson.Actions.IsNoOp`", "Actions.Replace": "`planjson.Actions.IsReplace`; it knows replacements that forget",
	"Actions.CreateBeforeDestroy": "`planjson.Actions.IsCreateBeforeDestroy`", "Actions.DestroyBeforeCreate": "`planjson.Actions.IsDestroyBeforeCreate`",
	"ActionReasonNone":        "the empty `planjson.ActionReason`",
	"CheckKindCheckBlock":     "`addrs.CheckableCheck`",
	"CheckKindOutputValue":    "`addrs.CheckableOutput`",
	"CheckKindResource":       "`addrs.CheckableResource`",
	"CheckStatusError":        "`planjson.CheckError`",
	"CheckStatusFail":         "`planjson.CheckFail`",
	"CheckStatusPass":         "`planjson.CheckPass`",
	"CheckStatusUnknown":      "`planjson.CheckUnknown`",
	"Config.ProviderConfigs":  "`planjson.Config.ProviderConfig`",
	"DataResourceMode":        "`addrs.Data`",
	"ManagedResourceMode":     "`addrs.Managed`",
	"DiagnosticSeverityError": "`planjson.SeverityError`", "DiagnosticSeverityWarning": "`planjson.SeverityWarning`", "DiagnosticSeverityUnknown": "`planjson.SeverityUnknown`",
	"ExpressionData.NestedBlocks":         "`planjson.Expression.Blocks`, and `planjson.Expression.Block` for a single one",
	"UnknownConstantValue":                "not needed: `planjson.Expression.ConstantValue` is nil",
	"IdentityAttribute.IdentityType":      "`planjson.IdentityAttribute.Type`, which `planjson.ParseType` reads",
	"MetadataFunctions.Signatures":        "`planjson.Functions.FunctionSignatures`",
	"Plan.Config":                         "`planjson.Plan.Config`",
	"Plan.UseJSONNumber":                  "not needed: numbers are text",
	"State.UseJSONNumber":                 "not needed: numbers are text",
	"ProviderSchema.ConfigSchema":         "`planjson.ProviderSchema.Provider`",
	"ProviderSchemas.Schemas":             "`planjson.Schemas.ProviderSchemas`",
	"ResourceChange.DeposedKey":           "`planjson.ResourceChange.Deposed`",
	"SchemaAttribute.AttributeType":       "`planjson.Attribute.Type`, which `planjson.ParseType` reads",
	"SchemaAttribute.AttributeNestedType": "`planjson.Attribute.NestedType`",
	"SchemaBlock.NestedBlocks":            "`planjson.Block.BlockTypes`",
	"SchemaDescriptionKindMarkdown":       "`planjson.DescriptionMarkdown`",
	"SchemaDescriptionKindPlain":          "`planjson.DescriptionPlain`",
	"SchemaNestingModeGroup":              "`planjson.NestingGroup`", "SchemaNestingModeList": "`planjson.NestingList`", "SchemaNestingModeMap": "`planjson.NestingMap`",
	"SchemaNestingModeSet": "`planjson.NestingSet`", "SchemaNestingModeSingle": "`planjson.NestingSingle`",
	"StateResource.AttributeValues":        "`planjson.Resource.Values`; it is raw JSON, so count with `planjson.Value.Len`",
	"StateResource.IdentityValues":         "`planjson.Resource.Identity`",
	"VersionOutput.Outdated":               "`planjson.Version.TerraformOutdated`",
	"VersionOutput.Revision":               "`planjson.Version.TerraformRevision`",
	"VersionOutput.Version":                "`planjson.Version.TerraformVersion`",
	"WorkspaceListOutput.CurrentWorkspace": "none: look for `planjson.Workspace.IsCurrent`",
	"Trace":                                "`uijson.LevelTrace`", "Debug": "`uijson.LevelDebug`", "Info": "`uijson.LevelInfo`", "Warn": "`uijson.LevelWarn`", "Error": "`uijson.LevelError`",
	"MessageTypeDiagnostic": "`uijson.TypeDiagnostic`", "MessageTypeLog": "`uijson.TypeLog`", "MessageTypeVersion": "`uijson.TypeVersion`",
	"MessageListStart": "`uijson.TypeListStart`", "MessageListResourceFound": "`uijson.TypeListResourceFound`", "MessageListComplete": "`uijson.TypeListComplete`",
	"InitOutput":                    "`uijson.TypeInitOutput`",
	"InitOutputMessage.MessageCode": "`uijson.Message.MessageCode`",
	"MessageMigrationErrored":       "`uijson.TypeMigrationErrored`",
	"UnmarshalLogMessage":           "`uijson.Decode`, or `uijson.NewReader` for a stream",
	"FunctionParameter.Type":        "`planjson.FunctionParameter.Type`, which `planjson.ParseType` reads",
	"Expression.MarshalJSON":        "`planjson.Expression.MarshalJSON`; whole documents: `planjson.Encode`",
	"SchemaAttribute.MarshalJSON":   "`planjson.Attribute.MarshalJSON`; whole documents: `planjson.Encode`",
	"StateOutput.MarshalJSON":       "`planjson.Output.MarshalJSON`; whole documents: `planjson.Encode`",
	"ResourceAttribute.Attribute":   "`planjson.RelevantAttribute.Attribute`; steps are of type `planjson.Value`",
	"Change.ReplacePaths":           "`planjson.Change.ReplacePaths`; `planjson.Value.Follow` goes along one",
	"StateOutput.Type":              "`planjson.Output.Type`, which `planjson.ParseType` reads; both in one: `planjson.Output.Cty`",
	"ResourceChange.Index":          "`planjson.ResourceChange.Index`; `planjson.ResourceChange.IndexKey` as a key",
	"StateResource.Index":           "`planjson.Resource.Index`; `planjson.Resource.IndexKey` as a key",
}

// counterpart returns what a name of terraform-json is here, or "".
func counterpart(name string, here map[string]bool) string {
	if text, ok := namesHere[name]; ok {
		return text
	}
	typ, field, isField := strings.Cut(name, ".")
	switch {
	case !isField && typesHere[name] != "":
		return "`" + typesHere[name] + "`"
	case isField && (field == "UnmarshalJSON" || field == "Validate"):
		if of := strings.TrimPrefix(typesHere[typ], "planjson."); here["planjson.Decode"+of] {
			if field == "Validate" {
				return "`planjson.CheckVersion`"
			}
			return "`planjson.Decode" + of + "`"
		}
		if field == "UnmarshalJSON" && here[typesHere[typ]+".UnmarshalJSON"] {
			return "`" + typesHere[typ] + ".UnmarshalJSON`"
		}
		return decoded
	case isField && here[typesHere[typ]+"."+field]:
		return "`" + typesHere[typ] + "." + field + "`"
	case strings.HasSuffix(name, "FormatVersionConstraints"):
		return "none: `planjson.CheckVersion` decides"
	case strings.HasPrefix(name, "ActionReason") && here["planjson."+strings.TrimPrefix(name, "ActionReason")]:
		return "`planjson." + strings.TrimPrefix(name, "ActionReason") + "`"
	case here["planjson."+name]:
		return "`planjson." + name + "`"
	case strings.HasSuffix(name, "Message") && !isField:
		return "`uijson.Message` with its `uijson.MessageCode`: messages of init have one type"
	case isField && strings.HasSuffix(typ, "Message") && here["uijson.Message."+field]:
		return "`uijson.Message." + field + "`"
	case strings.HasPrefix(name, "Message") && !isField:
		return "a `uijson.MessageCode` with the text of the message code"
	}
	return ""
}

// TestTerraformJSONNames checks that the table has a row for every exported name of
// the release of terraform-json in go.mod, and that everything in the right column
// exists.
func TestTerraformJSONNames(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}} {{.Version}}", "github.com/hashicorp/terraform-json").Output()
	if err != nil {
		t.Fatal(err)
	}
	where, version, _ := strings.Cut(strings.TrimSpace(string(dir)), " ")
	here := map[string]bool{}
	for _, pkg := range []string{"planjson", "uijson", "addrs"} {
		for _, name := range exported(t, filepath.Join("..", pkg)) {
			here[pkg+"."+name] = true
		}
	}
	names := exported(t, where)
	used := map[string]bool{}
	var b strings.Builder
	fmt.Fprintf(&b, "# Every name of terraform-json\n\nReference, for users of terraform-json.\n\nThe exported names of terraform-json %s, and their equivalents in tofuwire. A test keeps this table complete.\nStart with [the guide](migrate-terraform-json.md).\n\n| terraform-json | here |\n|---|---|\n", version)
	code := regexp.MustCompile("`([a-z]+\\.[A-Za-z.]+)`")
	for _, name := range names {
		text := counterpart(name, here)
		if text == "" {
			t.Errorf("%s has no row", name)
			continue
		}
		used[name] = true
		for _, m := range code.FindAllStringSubmatch(text, -1) {
			if !here[m[1]] {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, text)
	}
	for name := range namesHere {
		if !used[name] {
			t.Errorf("terraform-json has no %s", name)
		}
	}
	for name := range typesHere {
		if !used[name] {
			t.Errorf("terraform-json has no %s", name)
		}
	}
	file := filepath.Join("..", "docs", "terraform-json-names.md")
	if *updateNames {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != b.String() {
		t.Errorf("%s is not as it should be: go test -run TestTerraformJSONNames -update-names writes it (%v)", file, err)
	}
}
