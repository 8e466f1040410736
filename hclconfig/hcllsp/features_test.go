// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

const paint = "variable \"colour\" {\n  type        = string\n  description = \"The colour.\"\n}\n\noutput \"shade\" {\n  description = \"The shade.\"\n  value       = \"${var.colour}-dark\"\n}\n"

const root = `terraform {
  required_version = ">= 1.6"
}

module "p" {
  source = "./paint"
  colour = local.favourite
}

locals {
  favourite = upper("red")
}

resource "terraform_data" "wall" {
  for_each = toset(["a", "b"])
  input    = "${module.p.shade} ${each.key}"
}

output "walls" {
  description = "All of them."
  value       = [for w in terraform_data.wall : w.output]
}
`

var house = map[string]string{"main.tf": root, "paint/main.tf": paint}

func TestDefinition(t *testing.T) {
	c := session(t, house)
	c.open("main.tf")
	for around, want := range map[string]string{
		"local.|favourite":   `"targetSelectionRange":{"start":{"line":10,"character":2},"end":{"line":10,"character":11}}`,
		"|colour = local":    `"targetUri":"$DIR/paint/main.tf"`,
		"module.p.sha|de":    `"targetSelectionRange":{"start":{"line":5,"character":8},"end":{"line":5,"character":13}}`,
		"module.p|.shade":    `"targetSelectionRange":{"start":{"line":4,"character":8},"end":{"line":4,"character":9}}`,
		"|each.key":          `"targetSelectionRange":{"start":{"line":14,"character":2},"end":{"line":14,"character":10}}`,
		`"./pai|nt"`:         `"targetUri":"$DIR/paint/main.tf"`,
		"terraform_data.wa|": `"targetSelectionRange":{"start":{"line":13,"character":27},"end":{"line":13,"character":31}}`,
		"up|per(":            "null",
		": |w.output":        "null",
	} {
		if around == "terraform_data.wa|" {
			around = "terraform_data.wa|ll :"
		}
		if got := c.call("textDocument/definition", "{"+c.at("main.tf", root, around)+"}"); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", around, got, want)
		}
	}
}

func TestReferences(t *testing.T) {
	c := session(t, house)
	c.open("paint/main.tf")
	got := c.call("textDocument/references", `{`+c.at("paint/main.tf", paint, "var.|colour")+`,"context":{"includeDeclaration":true}}`)
	if n := strings.Count(got, `"uri"`); n != 3 || !strings.Contains(got, "$DIR/main.tf") {
		t.Errorf("got %s", got)
	}
	got = c.call("textDocument/documentHighlight", `{`+c.at("paint/main.tf", paint, "var.|colour")+`}`)
	if n := strings.Count(got, `"kind"`); n != 2 {
		t.Errorf("got %s", got)
	}
}

func TestHover(t *testing.T) {
	c := session(t, house)
	c.open("main.tf")
	for around, want := range map[string]string{
		"local.|favourite": `value `,
		"|colour = local":  `The colour.`,
		"module.p.sha|de":  `The shade.`,
		"module.p|.shade":  `./paint`,
		"|each.key":        `for_each`,
		"up|per(":          `upper(str string) string`,
	} {
		if got := c.call("textDocument/hover", "{"+c.at("main.tf", root, around)+"}"); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", around, got, want)
		}
	}
}

// TestHoverUnknown has functions that the language does not have.
func TestHoverUnknown(t *testing.T) {
	const text = "locals {\n  a = nothing(1)\n  b = provider::lab::twice(1)\n}\n"
	c := session(t, map[string]string{"main.tf": text})
	c.open("main.tf")
	for _, around := range []string{"noth|ing(1", "lab::tw|ice(1"} {
		if got := c.call("textDocument/hover", "{"+c.at("main.tf", text, around)+"}"); got != "null" {
			t.Errorf("%s: %s", around, got)
		}
	}
}

func TestRename(t *testing.T) {
	c := session(t, house)
	c.open("main.tf")
	got := c.call("textDocument/rename", `{`+c.at("main.tf", root, "|colour = local")+`,"newName":"color"}`)
	if n := strings.Count(got, `"newText"`); n != 3 {
		t.Errorf("%d edits: %s", n, got)
	}
	got = c.call("textDocument/prepareRename", `{`+c.at("main.tf", root, "local.|favourite")+`}`)
	if !strings.Contains(got, `"placeholder":"favourite"`) {
		t.Errorf("got %s", got)
	}
	for _, around := range []string{"up|per(", "|each.key", "|for_each", `resource "terra|form_data"`, "w.out|put"} {
		if code, text := c.fails("textDocument/prepareRename", `{`+c.at("main.tf", root, around)+`}`); code != codeFailed || text == "" {
			t.Errorf("%s: %d %s", around, code, text)
		}
	}
	if code, text := c.fails("textDocument/rename", `{`+c.at("main.tf", root, "local.|favourite")+`,"newName":"1x"}`); code != codeFailed {
		t.Errorf("%d %s", code, text)
	}
	if got := c.call("textDocument/rename", `{`+c.at("main.tf", root, `"terraform_data" "|wall"`)+`,"newName":"side"}`); !strings.Contains(got, "moved {") {
		t.Errorf("no moved block: %s", got)
	}
}

// TestRenameRepository has a caller in the repository that is outside the folder.
func TestRenameRepository(t *testing.T) {
	c := start(t, map[string]string{"live/main.tf": "module \"p\" {\n  source = \"../paint\"\n  colour = 1\n}\n", "paint/main.tf": paint})
	c.call("initialize", fmt.Sprintf(`{"processId":null,"workspaceFolders":[{"uri":"%s/paint","name":"x"}],"capabilities":%s}`, uriOf(c.dir), everything))
	c.open("paint/main.tf")
	got := c.call("textDocument/rename", `{`+c.at("paint/main.tf", paint, `variable "|colour`)+`,"newName":"color"}`)
	if n := strings.Count(got, `"newText"`); n != 3 || !strings.Contains(got, "$DIR/live/main.tf") {
		t.Errorf("%d edits: %s", n, got)
	}
}

// TestDiagnostics changes a module while its caller is closed.
func TestDiagnostics(t *testing.T) {
	c := session(t, house)
	c.open("paint/main.tf")
	c.last("paint/main.tf", 1)
	c.change("paint/main.tf", 2, strings.ReplaceAll(paint, "colour", "color"))
	list := c.eventually("main.tf", 2) // one for the argument, one for what is missing
	if !strings.HasPrefix(list[0].Message, "Unsupported argument; ") && !strings.HasPrefix(list[0].Message, "Missing required argument; ") {
		t.Errorf("got %v", list)
	}
	c.change("paint/main.tf", 3, paint)
	c.eventually("main.tf", 0)
	c.notify("textDocument/didClose", `{"textDocument":{"uri":"$DIR/paint/main.tf"}}`)
	c.eventually("paint/main.tf", 0)
}

// TestSyntaxError breaks a block: the others keep their meaning.
func TestSyntaxError(t *testing.T) {
	c := session(t, house)
	c.open("main.tf")
	c.last("main.tf", 1)
	broken := strings.Replace(root, "favourite = upper(\"red\")", "favourite = upper(", 1)
	c.change("main.tf", 2, broken)
	for _, d := range c.last("main.tf", 2) {
		if d.Code != codeValidate || d.Severity != severityError {
			t.Errorf("got %v", d)
		}
	}
	if got := c.call("textDocument/definition", "{"+c.at("main.tf", broken, "terraform_data.wa|ll :")+"}"); !strings.Contains(got, `"targetUri"`) {
		t.Errorf("got %s", got)
	}
	if got := c.call("textDocument/definition", "{"+c.at("main.tf", broken, "local.|favourite")+"}"); !strings.Contains(got, `"targetUri"`) {
		t.Errorf("no place of what the broken block declared: %s", got)
	}
	if got := c.call("textDocument/formatting", `{"textDocument":{"uri":"$DIR/main.tf"},"options":{}}`); got != "[]" {
		t.Errorf("got %s", got)
	}
}

func TestFormatting(t *testing.T) {
	const text = "locals {\r\na=1\r\n  bb = 2\r\n}\r\n"
	c := session(t, map[string]string{"main.tf": text})
	c.open("main.tf")
	got := c.call("textDocument/formatting", `{"textDocument":{"uri":"$DIR/main.tf"},"options":{"tabSize":8}}`)
	if n := strings.Count(got, `"newText"`); n != 1 || strings.Contains(got, `\n`) {
		t.Errorf("got %s", got)
	}
	got = c.call("textDocument/rangeFormatting", `{"textDocument":{"uri":"$DIR/main.tf"},"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}},"options":{}}`)
	if n := strings.Count(got, `"newText"`); n != 1 {
		t.Errorf("got %s", got)
	}
}

// Each line of a range becomes what it is in the whole, also where equal lines follow each other.
func TestRangeFormatting_braces(t *testing.T) {
	c := session(t, map[string]string{"main.tf": "blk \"a\" {\nlocals{\n}\n}\n"})
	c.open("main.tf")
	got := c.call("textDocument/rangeFormatting", `{"textDocument":{"uri":"$DIR/main.tf"},"range":{"start":{"line":1,"character":0},"end":{"line":2,"character":1}},"options":{}}`)
	if want := `[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":6}},"newText":"  locals "},{"range":{"start":{"line":2,"character":0},"end":{"line":2,"character":0}},"newText":"  "}]`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestActions(t *testing.T) {
	const text = "output \"o\" {\n  description = \"o\"\n  value       = \"${var.nope}\"\n}\n"
	c := session(t, map[string]string{"main.tf": text})
	c.open("main.tf")
	got := c.call("textDocument/codeAction", `{"textDocument":{"uri":"$DIR/main.tf"},"range":{"start":{"line":2,"character":20},"end":{"line":2,"character":20}},"context":{"diagnostics":[]}}`)
	if !strings.Contains(got, `Add variable \"nope\"`) || !strings.Contains(got, `"quickfix"`) {
		t.Errorf("got %s", got)
	}
	got = c.call("textDocument/codeAction", `{"textDocument":{"uri":"$DIR/main.tf"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[],"only":["source.fixAll"]}}`)
	if !strings.Contains(got, "source.fixAll") {
		t.Errorf("got %s", got)
	}
}

// A fix without a message has that of its finding as title.
func TestActions_Title(t *testing.T) {
	quiet := &hcllint.Analyzer{Name: "acme_quiet", Doc: "x", Presets: []string{"recommended"}, Run: func(p *hcllint.Pass) (any, error) {
		for v := range p.Blocks("variable") {
			if !v.Is(v.Expression("sensitive"), true) {
				p.Report(hcllint.Diagnostic{At: v, Message: "this must be sensitive", Fixes: []hcllint.Fix{{Edit: func(e *hcllint.Edits) { e.In(v).Set(v.Block, "sensitive", true) }}}})
			}
		}
		return nil, nil
	}}
	c := start(t, map[string]string{"main.tf": "variable \"a\" {}\n"}, quiet).initialize()
	c.open("main.tf")
	got := c.call("textDocument/codeAction", `{"textDocument":{"uri":"$DIR/main.tf"},"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":3}},"context":{"diagnostics":[]}}`)
	if !strings.Contains(got, `"title":"this must be sensitive"`) || strings.Contains(got, `"title":""`) {
		t.Errorf("got %s", got)
	}
}

// No fix takes away a variable that a caller in the repository sets, saved or not.
func TestActions_Callers(t *testing.T) {
	const unused = "variable \"a\" {\n  type = string\n}\n\nvariable \"b\" {\n  type = string\n}\n"
	c := session(t, map[string]string{".git/HEAD": "", "m/variables.tf": unused, "live/main.tf": ""})
	c.open("m/variables.tf")
	c.open("live/main.tf")
	c.change("live/main.tf", 2, "module \"m\" {\n  source = \"../m\"\n  a      = 1\n}\n")
	ask := func(line int, only string) string {
		return c.call("textDocument/codeAction", fmt.Sprintf(`{"textDocument":{"uri":"$DIR/m/variables.tf"},"range":{"start":{"line":%d,"character":3},"end":{"line":%d,"character":3}},"context":{"diagnostics":[],"only":[%q]}}`, line, line, only))
	}
	if got := ask(0, "quickfix"); strings.Contains(got, "terraform_unused_declarations") {
		t.Errorf("got %s", got)
	}
	if got := ask(4, "quickfix"); !strings.Contains(got, "terraform_unused_declarations") {
		t.Errorf("got %s", got)
	}
	if got := ask(0, "source.fixAll"); strings.Count(got, `"range"`) != 1 || !strings.Contains(got, `"start":{"line":2,`) && !strings.Contains(got, `"start":{"line":3,`) {
		t.Errorf("got %s", got)
	}
}

func TestFoldsAndLinks(t *testing.T) {
	c := session(t, house)
	c.open("main.tf")
	if got := c.call("textDocument/foldingRange", `{"textDocument":{"uri":"$DIR/main.tf"}}`); strings.Count(got, "startLine") != 5 || !strings.Contains(got, `{"startLine":0,"endLine":1}`) {
		t.Errorf("got %s", got)
	}
	if got := c.call("textDocument/documentLink", `{"textDocument":{"uri":"$DIR/main.tf"}}`); !strings.Contains(got, `"target":"$DIR/paint/main.tf"`) {
		t.Errorf("got %s", got)
	}
	if got := c.call("workspace/symbol", `{"query":"COL"}`); !strings.Contains(got, `"var.colour"`) {
		t.Errorf("got %s", got)
	}
}
