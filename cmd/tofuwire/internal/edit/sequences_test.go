// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// configFiles returns the configuration files in the testdata folders of the module, or
// those of the folders that the environment names.
func configFiles(t *testing.T) []string {
	var out []string
	for _, dir := range depth.Folders() {
		out = append(out, configFilesIn(t, dir)...)
	}
	if len(out) == 0 {
		out = configFilesIn(t, "../../../..")
	}
	return out
}

func configFilesIn(t *testing.T, dir string) []string {
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if (dir != "../../../.." || strings.Contains(path, "testdata")) && d.Type().IsRegular() && (strings.HasSuffix(path, ".tf") || strings.HasSuffix(path, ".tf.json")) {
			if info, err := d.Info(); err == nil && info.Size() < 20000 {
				out = append(out, path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A stepMaker makes random steps about what is in a file.
type stepMaker struct {
	r      *rand.Rand
	addrs  []string
	serial int
}

func escape(s string) string {
	var b strings.Builder
	for _, c := range s {
		if strings.ContainsRune(`.[]()\ "*`, c) || c == '\t' {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// collect lists the addresses of a body.
func (m *stepMaker) collect(prefix string, body *hclconfig.Body) {
	for i := range body.Arguments {
		m.parts(prefix+escape(body.Arguments[i].Name), body.Arguments[i].Expression)
	}
	for i := range body.Blocks {
		b := &body.Blocks[i]
		at := prefix + escape(b.Type)
		for _, l := range b.Labels {
			at += "." + escape(l)
		}
		m.addrs = append(m.addrs, at)
		m.collect(at+".", &b.Body)
	}
}

func (m *stepMaker) parts(at string, x hclconfig.Expression) {
	m.addrs = append(m.addrs, at)
	switch x.Form() {
	case hclconfig.FormList:
		for i, p := range x.Parts() {
			m.parts(fmt.Sprintf("%s[%d]", at, i), p)
		}
	case hclconfig.FormCall:
		for i, p := range x.Parts() {
			m.parts(fmt.Sprintf("%s(%d)", at, i), p)
		}
	case hclconfig.FormObject:
		members, _ := x.Members()
		for _, p := range members {
			if !p.Computed && !strings.ContainsAny(p.Name, "\"\\\n${%") {
				m.parts(fmt.Sprintf("%s[%q]", at, p.Name), p.Value)
			}
		}
	}
}

var values = []string{"1", `"a"`, "var.x", "[1, 2]", `{ a = 1, "b c" = "x" }`, "null", `"a${var.y}b"`, "f(1, [2])", "[\n  1, # one\n  2,\n]", "a ? b : c", "-1.50", `[for s in var.l : upper(s)]`, "<<EOT\ntext ${var.z}\nEOT"}

func (m *stepMaker) step() string {
	m.serial++
	pick := func() string { return m.addrs[m.r.IntN(len(m.addrs))] }
	at, value := pick(), values[m.r.IntN(len(values))]
	switch m.r.IntN(14) {
	case 0, 1:
		return "set " + at + " " + value
	case 2:
		return fmt.Sprintf("append %s.new%d %s", at, m.serial, value)
	case 3:
		return fmt.Sprintf("insert %s%s %s", at, []string{"[]", "[0]", "[1]", "()", "(0)"}[m.r.IntN(5)], value)
	case 4:
		return fmt.Sprintf("insert %s[\"k%d\"] %s", at, m.serial, value)
	case 5, 6:
		return "rm " + at
	case 7:
		i := strings.LastIndexAny(at, ".[(")
		if i < 0 {
			i = len(at)
		}
		return fmt.Sprintf("mv %s %s.moved%d", at, at[:i], m.serial)
	case 8:
		return "mv " + at + " " + pick() + fmt.Sprintf(".moved%d", m.serial)
	case 9:
		return "sort " + at
	case 10, 11:
		return "wrap " + at + " " + []string{"merge(local.tags, _)", "f(_)", "try(_, null)"}[m.r.IntN(3)]
	case 12:
		return "ref var.x var.yy.z"
	}
	return fmt.Sprintf("new %s extra.l%d", at, m.serial)
}

// TestThreeWays makes random steps in real files: in one call, with -each, and one call
// a step. The bytes are the same, and a file that fmt leaves alone stays one.
func TestThreeWays(t *testing.T) {
	files := configFiles(t)
	trials := depth.Of(80, 2000, 20000)
	seed := depth.Seed(t)
	dir := t.TempDir()
	refused, made, failed := map[string]int{}, 0, 0
	for trial := range trials {
		r := rand.New(rand.NewPCG(seed, uint64(trial)))
		path := files[r.IntN(len(files))]
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, filepath.Base(path))
		f, err := hclconfig.Parse(filepath.Base(path), src)
		if err == nil && f.Err() == nil && trial%6 == 5 {
			src = inNoBlock(f)
			f, err = hclconfig.Parse(filepath.Base(path), src)
		}
		if err != nil || f.Err() != nil {
			continue
		}
		m := &stepMaker{r: r}
		m.collect("", f.Body())
		if len(m.addrs) == 0 {
			continue
		}
		clean := false
		if f.Syntax() == hclconfig.NativeSyntax {
			out, err := hcledit.Format(src)
			clean = err == nil && bytes.Equal(out, src)
		}
		// One call a step, and only those that are made.
		cur := src
		var args []string
		for range 1 + r.IntN(6) {
			step := m.step()
			if err := os.WriteFile(name, cur, 0o666); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			if code := Run([]string{"-w", "-e", step, name}, nil, &out, &errs); code != 0 {
				refused[strings.Fields(step)[0]+": "+reason(errs.String())]++
				continue
			}
			made++
			args = append(args, "-e", step)
			if cur, err = os.ReadFile(name); err != nil {
				t.Fatal(err)
			}
			if g, err := hclconfig.Parse(filepath.Base(path), cur); err != nil || g.Err() != nil {
				t.Errorf("%s: %s: the result does not parse: %v", path, step, err)
				failed++
			}
			if clean {
				if out, err := hcledit.Format(cur); err != nil || !bytes.Equal(out, cur) {
					t.Errorf("%s: %q: the layout is not that of fmt any more:\n%s\nwant\n%s", path, args, cur, out)
					clean = false
					failed++
				}
			}
			m.addrs = nil
			g, _ := hclconfig.Parse(filepath.Base(path), cur)
			m.collect("", g.Body())
			if len(m.addrs) == 0 {
				break
			}
		}
		if len(args) == 0 {
			continue
		}
		if err := os.WriteFile(name, src, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, way := range [][]string{nil, {"-each"}} {
			var out, errs bytes.Buffer
			if code := Run(append(append(append([]string{}, way...), args...), name), nil, &out, &errs); code != 0 {
				t.Errorf("%s: %q %q: exit %d: %s", path, way, args, code, errs.String())
				failed++
			} else if !bytes.Equal(out.Bytes(), cur) {
				t.Errorf("%s: %q %q: got\n%s\none call a step gives\n%s", path, way, args, out.String(), cur)
				failed++
			}
		}
		if failed > 6 {
			break
		}
	}
	t.Logf("%d steps made, refused: %v", made, refused)
}

// inNoBlock returns a file with the arguments of the blocks of a file, outside of all blocks
// as in terraform.tfvars, or the file as it is.
func inNoBlock(f *hclconfig.File) []byte {
	var out strings.Builder
	names := map[string]bool{}
	for b := range f.Body().All() {
		for _, a := range b.Body.Arguments {
			if !names[a.Name] {
				names[a.Name] = true
				fmt.Fprintf(&out, "%s = %s\n", a.Name, strings.TrimRight(a.Expression.Raw(), "\n"))
			}
		}
	}
	src, err := hcledit.Format([]byte(out.String()))
	if err != nil || f.Syntax() != hclconfig.NativeSyntax {
		return f.Bytes()
	}
	return src
}

// reason returns the last part of an error.
func reason(s string) string {
	parts := strings.Split(strings.TrimSpace(s), ": ")
	return parts[len(parts)-1]
}

// TestManyStepsInOneValue makes many steps about one list, object, call or block. None of them needs a new
// reading, and the result is that of the steps with one after each.
func TestManyStepsInOneValue(t *testing.T) {
	const src = `locals {
  l = { list = f([
    "a", # one
    "b",
    { k = 1 },
    { k = 2 },
    "c",
  ], g(1, 2)) }
}

resource "x" "y" {
  for_each = toset(["a", "b"])
  provisioner "a" {
    v = 1
  }
  provisioner "b" {
    v = 2
  }
}
`
	for _, steps := range []string{
		`insert L[] "n%d"`, `insert L[0] "n%d"`, `insert L[3] "n%d"`, `set L[1] "n%d"`, `set L[2]["k"] %d`, `insert L[2]["n%d"] %d`, `insert C() %d`, `insert C(0) %d`,
		`mv L[0] L[2]`, `mv L[3] L[1]`, `mv L[0] L[4]`, `mv L[2]["k"] L[2]["k"]`, "mv L[4] L[0]\nset L[0] \"n%d\"\nwrap L[0] f(_)\nset L[0] 1", `insert resource.x.y.for_each(0)[] "n%d"`,
		"new resource.x.y provisioner.n%d", "append resource.x.y.provisioner.a.n%d 1", "append resource.x.y.provisioner.a.n%d 1\nset resource.x.y.provisioner.b.v %d", "set resource.x.y.provisioner.a.v %d",
		"mv resource.x.y.provisioner.a resource.x.y.provisioner.a\nset resource.x.y.provisioner.a.v 2", "append locals.n%d 1\nset locals.l 1",
	} {
		var lines []string
		for i := range 12 {
			text := strings.NewReplacer("L", `locals.l["list"](0)`, "C", `locals.l["list"](1)`, "%d", strconv.Itoa(i)).Replace(steps)
			lines = append(lines, strings.Split(text, "\n")...)
		}
		if steps == `insert L[3] "n%d"` {
			lines = lines[:2] // the third one goes between two that came
		}
		native, err := hclconfig.ParseNative("x.tf", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		asJSON, _ := hclconvert.ToJSON(native, hclconvert.Options{})
		for _, f := range []*hclconfig.File{native, asJSON} {
			var results [2]string
			for i := range results {
				s := &session{e: hcledit.Edit(f), json: f == asJSON, empty: emptyLike(f)}
				for _, line := range lines {
					st := step{text: line}
					if err := st.parse(); err != nil {
						t.Fatal(err)
					}
					if err := s.do(&st); err != nil || s.e.Err() != nil {
						t.Fatalf("%s: %s: %v %v", f.Filename(), line, err, s.e.Err())
					}
					if i == 1 {
						s.body = nil
					} else if s.reads > 1 && !(s.json && strings.Contains(line, "(")) { // code in a string is read again
						t.Fatalf("%s: the file, or a block, is read again for %s", f.Filename(), line)
					}
				}
				out, err := s.e.Apply()
				if err != nil {
					t.Fatal(err)
				}
				results[i] = string(out.Bytes())
			}
			if results[0] != results[1] {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", f.Filename(), steps, results[0], results[1])
			}
		}
	}
}
