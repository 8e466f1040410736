// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// A layout writes a list, an object or a call with comments whose texts name the
// element that they belong to, or "whole".
type listWriter struct {
	r      *rand.Rand
	b      strings.Builder
	kind   int // 0 a list, 1 an object, 2 a call
	serial int
}

func (w *listWriter) chance(n int) bool { return w.r.IntN(n) == 0 }

func (w *listWriter) note(owner string) string {
	w.serial++
	return fmt.Sprintf("%s:%d", owner, w.serial)
}

func (w *listWriter) element(i int) string {
	name := fmt.Sprintf("e%d", i)
	if w.kind == 1 {
		return fmt.Sprintf("%s = %q", name, name)
	}
	return fmt.Sprintf("%q", name)
}

// write writes the elements in the order of ids.
func (w *listWriter) write(ids []int) string {
	b := &w.b
	b.WriteString([]string{"[", "{", "f("}[w.kind])
	broken := w.chance(2)
	if broken {
		if w.chance(3) {
			b.WriteString(" # " + w.note("whole"))
		}
		b.WriteString("\n")
	}
	for k, id := range ids {
		owner := fmt.Sprintf("e%d", id)
		if broken {
			if w.chance(5) {
				b.WriteString("    # " + w.note("whole") + "\n\n")
			} else if w.chance(4) {
				b.WriteString("\n")
			}
			for w.chance(3) {
				b.WriteString("    # " + w.note(owner) + "\n")
			}
			b.WriteString("    ")
		} else if k > 0 || w.kind == 1 {
			b.WriteString(" ")
		}
		if w.chance(5) {
			b.WriteString("/* " + w.note(owner) + " */ ")
		}
		b.WriteString(w.element(id))
		last := k == len(ids)-1
		comma := !last || w.kind != 1 && w.chance(3)
		next := w.chance(2)
		if comma && w.kind == 1 && next && w.chance(2) && !last {
			comma = false
		}
		if w.kind == 2 && last {
			comma = false
		}
		if w.chance(5) {
			b.WriteString(" /* " + w.note(owner) + " */")
		}
		if comma {
			b.WriteString(",")
		}
		if next && w.chance(2) {
			b.WriteString([]string{" # ", " // "}[w.r.IntN(2)] + w.note(owner))
		}
		broken = next
		if broken {
			b.WriteString("\n")
		}
	}
	if broken && w.chance(4) {
		b.WriteString("    # " + w.note("whole") + "\n")
	}
	if w.kind == 1 && !broken {
		b.WriteString(" ")
	}
	if broken {
		b.WriteString("  ")
	}
	b.WriteString([]string{"]", "}", ")"}[w.kind])
	return b.String()
}

// attach reads a list by the rules of who owns a comment, with a scanner of its own.
// It returns the elements in order, and the comments of each owner.
func attach(t *testing.T, text string) (order []string, owned map[string][]string) {
	t.Helper()
	type tok struct{ kind, text string }
	var toks []tok
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\n':
			toks = append(toks, tok{"nl", ""})
			i++
		case strings.HasPrefix(text[i:], "/*"):
			n := strings.Index(text[i:], "*/") + 2
			toks = append(toks, tok{"in", strings.TrimSpace(text[i+2 : i+n-2])})
			i += n
		case text[i] == '#' || strings.HasPrefix(text[i:], "//"):
			n := strings.IndexByte(text[i:], '\n')
			toks = append(toks, tok{"line", strings.TrimSpace(strings.TrimLeft(text[i:i+n], "#/ "))})
			i += n
		case text[i] == '"':
			n := strings.IndexByte(text[i+1:], '"') + 2
			toks = append(toks, tok{"el", strings.Trim(text[i:i+n], `"`)})
			i += n
		case text[i] == ',':
			toks = append(toks, tok{",", ""})
			i++
		case text[i] == 'e' && strings.Contains(text[i:], "= "):
			i += strings.Index(text[i:], "= ") + 2
		default:
			i++
		}
	}
	owned = map[string][]string{}
	own := func(who, note string) { owned[who] = append(owned[who], note) }
	var els []int
	for i, k := range toks {
		if k.kind == "el" {
			els = append(els, i)
			order = append(order, k.text)
		}
	}
	for g := 0; g <= len(els); g++ {
		from, to := 0, len(toks)
		before, after := "", ""
		if g > 0 {
			from, before = els[g-1]+1, toks[els[g-1]].text
		}
		if g < len(els) {
			to, after = els[g], toks[els[g]].text
		}
		gap := toks[from:to]
		nl := slices.IndexFunc(gap, func(k tok) bool { return k.kind == "nl" })
		if nl < 0 {
			comma := false
			for _, k := range gap {
				switch {
				case k.kind == ",":
					comma = true
				case before == "" && after == "":
					own("whole", k.text)
				case after == "" || before != "" && !comma:
					own(before, k.text)
				default:
					own(after, k.text)
				}
			}
			continue
		}
		for _, k := range gap[:nl] {
			switch {
			case k.kind == ",":
			case before == "":
				own("whole", k.text)
			default:
				own(before, k.text)
			}
		}
		// The lines behind, up to that of the next element.
		var run []string
		var line []tok
		rest := gap[nl+1:]
		for i := 0; i <= len(rest); i++ {
			if i < len(rest) && rest[i].kind != "nl" {
				line = append(line, rest[i])
				continue
			}
			if i == len(rest) {
				break
			}
			if len(line) == 0 {
				for _, s := range run {
					own("whole", s)
				}
				run = nil
			}
			for _, k := range line {
				run = append(run, k.text)
			}
			line = nil
		}
		if after == "" {
			after = "whole"
		}
		for _, s := range run {
			own(after, s)
		}
		for _, k := range line {
			if k.kind != "," {
				own(after, k.text)
			}
		}
	}
	for _, notes := range owned {
		sort.Strings(notes)
	}
	return order, owned
}

// TestCommentsFollowElements makes steps in lists, objects and calls of every layout. An
// independent reader says afterwards whose comment each one is.
func TestCommentsFollowElements(t *testing.T) {
	trials := depth.Of(500, 6000, 60000)
	seed := depth.Seed(t)
	dir := t.TempDir()
	failed := 0
	for trial := range trials {
		r := rand.New(rand.NewPCG(seed, uint64(trial)))
		w := &listWriter{r: r, kind: r.IntN(3)}
		n := 1 + r.IntN(4)
		text := w.write(r.Perm(n))
		src := "locals {\n  x = " + text + "\n  y = 1\n}\n"
		before, owned := attach(t, text)
		for who, notes := range owned {
			for _, note := range notes {
				if !strings.HasPrefix(note, who+":") {
					t.Fatalf("the reader takes %s for %s in\n%s", note, who, src)
				}
			}
		}
		want := slices.Clone(before)
		bracket := func(i int) string {
			switch w.kind {
			case 0:
				return fmt.Sprintf("locals.x[%d]", i)
			case 1:
				return fmt.Sprintf(`locals.x["%s"]`, before[i])
			}
			return fmt.Sprintf("locals.x(%d)", i)
		}
		step, gone := "", ""
		switch op := r.IntN(4); {
		case op == 0 && w.kind < 2:
			step = "sort locals.x"
			sort.Strings(want)
		case op == 1 && w.kind != 1:
			i, j := r.IntN(n), r.IntN(n)
			step = "mv " + bracket(i) + " " + bracket(j)
			e := want[i]
			want = slices.Insert(slices.Delete(want, i, i+1), j, e)
		case op == 2:
			i := r.IntN(n)
			step = "rm " + bracket(i)
			gone = want[i]
			want = slices.Delete(want, i, i+1)
		default:
			i := r.IntN(n + 1)
			switch w.kind {
			case 0:
				step = fmt.Sprintf(`insert locals.x[%d] "new"`, i)
			case 1:
				i = n
				step = `insert locals.x["new"] "new"`
			default:
				step = fmt.Sprintf(`insert locals.x(%d) "new"`, i)
			}
			want = slices.Insert(want, i, "new")
		}
		name := filepath.Join(dir, "x.tf")
		if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		if code := Run([]string{"-e", step, name}, nil, &out, &errs); code != 0 {
			t.Errorf("%d: %s of\n%sexit %d: %s", trial, step, src, code, errs.String())
			failed++
		} else {
			got := strings.TrimSuffix(strings.TrimPrefix(out.String(), "locals {\n  x = "), "\n  y = 1\n}\n")
			order, now := attach(t, got)
			delete(now, "new")
			if !slices.Equal(order, want) {
				t.Errorf("%d: %s of\n%s has elements %v, want %v:\n%s", trial, step, src, order, want, out.String())
				failed++
			}
			for who, notes := range owned {
				if who != gone && !slices.Equal(notes, now[who]) && !moreOf(now[who], notes, gone) {
					t.Errorf("%d: %s of\n%s%s has comments %v, want %v:\n%s", trial, step, src, who, now[who], notes, out.String())
					failed++
				}
			}
		}
		if failed > 5 {
			break
		}
	}
}

// moreOf reports whether got is want and comments of an element that is gone, which may
// stay if they are about its line.
func moreOf(got, want []string, gone string) bool {
	rest := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return gone != "" && strings.HasPrefix(s, gone+":") })
	return slices.Equal(rest, want)
}
