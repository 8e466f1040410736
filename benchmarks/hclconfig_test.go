// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/hashicorp/terraform-config-inspect/tfconfig"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/zclconf/go-cty/cty"
)

// A configModule is one module, written in both syntaxes. It has variables,
// local values, resources with templates, references and nested objects, and
// outputs, in the proportions of a large real one.
type configModule struct{ native, json string }

// newConfigModule makes a module with that many resources. In JSON syntax a
// resource takes about 500 bytes.
func newConfigModule(resources int, indent bool) configModule {
	var n, j strings.Builder
	n.WriteString("terraform {\n  required_providers {\n    lab = {\n      source  = \"example/lab\"\n      version = \"~> 1.0\"\n    }\n  }\n}\n\n")
	j.WriteString(`{"terraform":{"required_providers":{"lab":{"source":"example/lab","version":"~> 1.0"}}},`)
	j.WriteString("\n\"variable\":{")
	for i := range resources / 10 {
		fmt.Fprintf(&n, "variable \"v%d\" {\n  type        = string\n  default     = \"text %d ü\"\n  description = \"Variable %d, of no use: violet & nectar\"\n}\n\n", i, i, i)
		fmt.Fprintf(&j, "%s\n\"v%d\":{\"type\":\"string\",\"default\":\"text %d ü\",\"description\":\"Variable %d, of no use: violet & nectar\"}", comma(i), i, i, i)
	}
	j.WriteString("},\n\"resource\":{\"lab_thing\":{")
	for i := range resources {
		fmt.Fprintf(&n, `# thing %[1]d
resource "lab_thing" "r%[1]d" {
  for_each = toset(["a", "b", "c%[1]d"])
  name     = "thing-%[1]d-${each.key}"
  size     = %[1]d
  ratio    = %[1]d.50
  enabled  = true
  tags = {
    Name  = "r%[1]d"
    Owner = "team ${local.l%[2]d}"
    note  = "a longer text without any template in it, number %[1]d"
  }
  labels = [var.v%[2]d, "x", "y"]
  settings = {
    mode   = "standard"
    limits = { cpu = %[1]d, memory = [1, 2, 4] }
    script = "#!/bin/sh\necho \"%[1]d\"\n"
  }
  lifecycle {
    ignore_changes = [tags["Owner"]]
  }
  depends_on = [lab_thing.r%[3]d]
}

`, i, i/10, max(i-1, 0))
		fmt.Fprintf(&j, "%s\n"+`"r%[2]d":{"//":"thing %[2]d","for_each":"${toset([\"a\", \"b\", \"c%[2]d\"])}","name":"thing-%[2]d-${each.key}","size":%[2]d,"ratio":%[2]d.50,"enabled":true,`+
			`"tags":{"Name":"r%[2]d","Owner":"team ${local.l%[3]d}","note":"a longer text without any template in it, number %[2]d"},`+
			`"labels":["${var.v%[3]d}","x","y"],"settings":{"mode":"standard","limits":{"cpu":%[2]d,"memory":[1,2,4]},"script":"#!/bin/sh\necho \"%[2]d\"\n"},`+
			`"lifecycle":{"ignore_changes":["tags[\"Owner\"]"]},"depends_on":["lab_thing.r%[4]d"]}`, comma(i), i, i/10, max(i-1, 0))
	}
	n.WriteString("locals {\n")
	j.WriteString("}},\n\"locals\":{")
	for i := range resources/10 + 1 {
		fmt.Fprintf(&n, "  l%d = upper(\"l%d\")\n", i, i)
		fmt.Fprintf(&j, "%s\"l%d\":\"${upper(\\\"l%d\\\")}\"", comma(i), i, i)
	}
	n.WriteString("}\n\n")
	j.WriteString("},\n\"output\":{")
	for i := range resources/10 + 1 {
		fmt.Fprintf(&n, "output \"o%d\" {\n  value       = lab_thing.r%d\n  description = \"Output %d\"\n}\n\n", i, i, i)
		fmt.Fprintf(&j, "%s\"o%d\":{\"value\":\"${lab_thing.r%d}\",\"description\":\"Output %d\"}", comma(i), i, i, i)
	}
	j.WriteString("}}\n")
	m := configModule{native: n.String(), json: j.String()}
	if !indent {
		m.json = strings.ReplaceAll(m.json, "\n", "")
	}
	return m
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// places visits every block and argument of a file and asks for its place.
func places(b *hclconfig.Body) (n int) {
	for i := range b.Arguments {
		n += b.Arguments[i].Range().Start.Column
	}
	for i := range b.Blocks {
		n += b.Blocks[i].Range().Start.Column + places(&b.Blocks[i].Body)
	}
	return n
}

// BenchmarkReadTFJSON measures the structure and all positions of a file in
// JSON syntax, with the expressions left alone. HCL's reader finds them while
// it parses.
func BenchmarkReadTFJSON(b *testing.B) {
	for size, resources := range map[string]int{"1MB": 2000, "5MB": 10000} {
		src := []byte(newConfigModule(resources, true).json)
		compare(b, size, int64(len(src)),
			impl{"tofuwire", func() error {
				f, err := hclconfig.ParseJSON("main.tf.json", src)
				if err != nil {
					return err
				}
				if places(f.Body()) == 0 || len(f.Diagnostics()) > 0 {
					return fmt.Errorf("not read")
				}
				return nil
			}},
			impl{"hcl-json", func() error {
				_, diags := hcljson.Parse(src, "main.tf.json")
				return diagsError(diags)
			}},
		)
	}
}

func diagsError(diags hcl.Diagnostics) error {
	if diags.HasErrors() {
		return diags
	}
	return nil
}

// BenchmarkOneLineTFJSON measures the same on files of a single line, whose
// columns are far from the beginning of the line. The cost for each byte must
// not grow with the length.
func BenchmarkOneLineTFJSON(b *testing.B) {
	for _, c := range []struct {
		size      string
		resources int
	}{{"0.1MB", 200}, {"1MB", 2000}, {"5MB", 10000}} {
		src := []byte(newConfigModule(c.resources, false).json)
		compare(b, c.size, int64(len(src)), impl{"tofuwire", func() error {
			f, err := hclconfig.ParseJSON("main.tf.json", src)
			if err != nil {
				return err
			}
			if places(f.Body()) == 0 {
				return fmt.Errorf("not read")
			}
			return nil
		}})
	}
}

// BenchmarkReferences measures reading a file in JSON syntax and finding all
// references of all its expressions.
func BenchmarkReferences(b *testing.B) {
	src := []byte(newConfigModule(10000, true).json)
	compare(b, "5MB", int64(len(src)),
		impl{"tofuwire", func() error {
			f, err := hclconfig.ParseJSON("main.tf.json", src)
			if err != nil {
				return err
			}
			if n := len(f.Body().References()); n != 10000*4+1001 {
				return fmt.Errorf("%d references", n)
			}
			return nil
		}},
		impl{"hcl-json", func() error {
			file, diags := hcljson.Parse(src, "main.tf.json")
			if diags.HasErrors() {
				return diags
			}
			attrs, diags := file.Body.JustAttributes()
			if diags.HasErrors() {
				return diags
			}
			n := 0
			for _, a := range attrs {
				n += len(a.Expr.Variables())
			}
			if n != 10000*3+1001 { // those in templates; HCL does not know depends_on
				return fmt.Errorf("%d references", n)
			}
			return nil
		}},
	)
}

// BenchmarkLoadModule measures loading a folder: ours with all blocks, typed,
// and their expressions; terraform-config-inspect with a part of the blocks.
func BenchmarkLoadModule(b *testing.B) {
	m := newConfigModule(2500, true)
	for _, c := range []struct{ size, file, text string }{
		{"native", "main.tf", m.native}, {"json", "main.tf.json", m.json},
	} {
		dir := b.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o666); err != nil {
			b.Fatal(err)
		}
		fsys := os.DirFS(dir)
		compare(b, c.size, int64(len(c.text)),
			impl{"tofuwire", func() error {
				m, err := hclconfig.LoadModule(fsys, ".", hclconfig.Terraform)
				if err != nil {
					return err
				}
				if len(m.Resources) != 2500 || m.Diagnostics().HasErrors() {
					return fmt.Errorf("%d resources, %v", len(m.Resources), m.Diagnostics())
				}
				return nil
			}},
			impl{"terraform-config-inspect", func() error {
				m, diags := tfconfig.LoadModule(dir)
				if diags.HasErrors() {
					return diags
				}
				if len(m.ManagedResources) != 2500 {
					return fmt.Errorf("%d resources", len(m.ManagedResources))
				}
				return nil
			}},
		)
	}
}

// BenchmarkLoadModules measures loading every directory of a tree of modules, and one
// module of 5 MB in the shape of life, into typed blocks. MODULES names the tree; without
// it only the large module is measured. heap/text is the heap that our result keeps,
// its text included, divided by the length of the text.
func BenchmarkLoadModules(b *testing.B) {
	large := b.TempDir()
	if err := os.WriteFile(filepath.Join(large, "main.tf"), []byte(lifelikeConfig(2000)), 0o666); err != nil {
		b.Fatal(err)
	}
	trees := []struct{ size, root string }{{"5MB", large}}
	if root := os.Getenv("MODULES"); root != "" {
		trees = append(trees, struct{ size, root string }{"tree", root})
	}
	for _, tree := range trees {
		dirs, size := moduleDirs(b, tree.root)
		load := func() ([]*hclconfig.Module, error) {
			var loaded []*hclconfig.Module
			for _, dir := range dirs {
				m, err := hclconfig.LoadModule(os.DirFS(dir), ".", hclconfig.Terraform)
				if err != nil {
					return nil, err
				}
				if m.Diagnostics().HasErrors() {
					return nil, fmt.Errorf("%s: %v", dir, m.Diagnostics())
				}
				loaded = append(loaded, m)
			}
			return loaded, nil
		}
		compare(b, tree.size, size,
			impl{"tofuwire", func() error {
				_, err := load()
				return err
			}},
			impl{"terraform-config-inspect", func() error {
				for _, dir := range dirs {
					if _, diags := tfconfig.LoadModule(dir); diags.HasErrors() {
						return diags
					}
				}
				return nil
			}},
		)
		b.Run("size="+tree.size+"/heap", func(b *testing.B) {
			for b.Loop() {
				before := bounds.Heap()
				loaded, err := load()
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(bounds.Heap()-before)/float64(size), "heap/text")
				runtime.KeepAlive(loaded)
			}
		})
	}
}

// moduleDirs returns the directories below root that have files in native syntax, in
// order, and the length of those files.
func moduleDirs(b *testing.B, root string) ([]string, int64) {
	b.Helper()
	dirs := map[string]bool{}
	var size int64
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && filepath.Ext(path) == ".tf" {
			info, err := e.Info()
			if err != nil {
				return err
			}
			dirs[filepath.Dir(path)] = true
			size += info.Size()
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return slices.Sorted(maps.Keys(dirs)), size
}

// BenchmarkCheckModule measures loading and checking a module and those that it
// calls against loading the same directories only, each once. MODULES names a directory
// with modules of one's own; without it they are made.
func BenchmarkCheckModule(b *testing.B) {
	root := os.Getenv("MODULES")
	if root == "" {
		root = b.TempDir()
		text := newConfigModule(800, true).native
		for _, name := range []string{".", "one", "two"} {
			dir := filepath.Join(root, name)
			if err := os.MkdirAll(dir, 0o777); err != nil {
				b.Fatal(err)
			}
			calls := ""
			if name == "." {
				calls = "module \"one\" {\n  source = \"./one\"\n}\nmodule \"two\" {\n  source = \"./two\"\n}\n"
			}
			if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(text+calls), 0o666); err != nil {
				b.Fatal(err)
			}
		}
	}
	dirs, size := moduleDirs(b, root)
	fsys := os.DirFS(root)
	compare(b, "native", size,
		impl{"tofuwire", func() error {
			checked := map[string]bool{}
			for _, dir := range dirs {
				rel, err := filepath.Rel(root, dir)
				if err != nil {
					return err
				}
				if checked[filepath.ToSlash(rel)] {
					continue // in the tree of one before
				}
				t, err := hclnames.LoadTree(fsys, filepath.ToSlash(rel), hclconfig.Terraform)
				if err != nil {
					return err
				}
				if d := hclcheck.Validate(t, hclcheck.Validation{}); d.HasErrors() {
					return fmt.Errorf("%s: %v", dir, d)
				}
				for called := range t.All() {
					checked[called.Module.Dir] = true
				}
			}
			return nil
		}},
		impl{"terraform-config-inspect", func() error {
			for _, dir := range dirs {
				if _, diags := tfconfig.LoadModule(dir); diags.HasErrors() {
					return diags
				}
			}
			return nil
		}},
	)
}

var editedFiles = flag.String("edit.files", "", "`files` in native syntax with a resource each, separated by commas, for BenchmarkEditConfig")

// BenchmarkEditConfig measures parsing a file in native syntax, setting one argument
// of one resource, and printing the file: files of plain values, and one in the
// shape of life. -edit.files names others.
func BenchmarkEditConfig(b *testing.B) {
	type input struct {
		size, name string
		src        []byte
	}
	inputs := []input{
		{"20KB", "r15", []byte(newConfigModule(30, true).native)},
		{"1MB", "r750", []byte(newConfigModule(1500, true).native)},
		{"life", "this_6", []byte(lifelikeConfig(12))},
	}
	for path := range strings.SplitSeq(*editedFiles, ",") {
		if path == "" {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		inputs = append(inputs, input{filepath.Base(filepath.Dir(path)), "", src})
	}
	for _, c := range inputs {
		compare(b, c.size, int64(len(c.src)),
			impl{"tofuwire", func() error {
				f, err := hclconfig.ParseNative("main.tf", c.src)
				if err != nil {
					return err
				}
				for r := range f.Body().BlocksOfType("resource") {
					if r.Labels[1] == c.name || c.name == "" {
						out, err := hcledit.Edit(f).Set(r, "size", 12345).Apply()
						if err != nil {
							return err
						}
						return wantEdit(c.src, out.Bytes())
					}
				}
				return fmt.Errorf("not found")
			}},
			impl{"hclwrite", func() error {
				f, diags := hclwrite.ParseConfig(c.src, "main.tf", hcl.InitialPos)
				if diags.HasErrors() {
					return diags
				}
				for _, r := range f.Body().Blocks() {
					if r.Type() == "resource" && (r.Labels()[1] == c.name || c.name == "") {
						r.Body().SetAttributeValue("size", cty.NumberIntVal(12345))
						return wantEdit(c.src, f.Bytes())
					}
				}
				return fmt.Errorf("not found")
			}},
		)
	}
}

func wantEdit(src, out []byte) error {
	if len(out) < len(src) || bytes.Count(out, []byte(" = 12345\n")) != 1 {
		return fmt.Errorf("not edited")
	}
	return nil
}
