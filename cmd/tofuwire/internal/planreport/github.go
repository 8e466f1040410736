// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/configdir"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// github writes workflow commands of GitHub Actions, which annotate the blocks of what changes.
func github(w io.Writer, r *report) error {
	at, err := newPlaces(r.config)
	if err != nil {
		return err
	}
	for _, n := range annotations(r.stacks, at) {
		if _, err := io.WriteString(w, n.command()); err != nil {
			return err
		}
	}
	return nil
}

// Annotate writes what "report -format github" does of the plans, for the configuration in a
// directory.
func (s *Summary) Annotate(w io.Writer, config string) error {
	return github(w, &report{options: &options{config: config}, stacks: s.stacks})
}

// An annotation is about one block, or about a resource without one.
type annotation struct {
	at        blockPlace
	counts    map[string]int // of objects, by what happens
	addresses []string
}

// happens are the words for what happens, the most urgent first.
var happens = []string{"destroy", "replace", "forget", "update", "create", "change"}

// annotations returns those of what plans change: first those of what is destroyed or replaced,
// because a step shows only ten of each level.
func annotations(stacks []*stack, at *places) []*annotation {
	var list []*annotation
	found := map[any]*annotation{}
	for _, s := range stacks {
		for _, c := range s.shown.ByUrgency() {
			if c.Mode != addrs.Managed || c.Actions.IsNoOp() || c.Actions.IsRead() {
				continue
			}
			here, key := at.of(c)
			n := found[key]
			if n == nil {
				n = &annotation{at: here, counts: map[string]int{}}
				found[key], list = n, append(list, n)
			}
			n.counts[word(c)]++
			n.addresses = append(n.addresses, c.Address)
		}
	}
	slices.SortStableFunc(list, func(a, b *annotation) int { return cmp.Compare(b.level(), a.level()) })
	return list
}

// word says what happens to an object.
func word(c *plandiff.Resource) string {
	switch class := c.Class(); class {
	case "delete":
		return "destroy"
	case "replace-forget":
		return "replace"
	case "create", "replace", "update", "forget":
		return class
	}
	return "change"
}

// level returns the level of the annotation.
func (n *annotation) level() string {
	if n.counts["destroy"]+n.counts["replace"] > 0 {
		return "warning"
	}
	return "notice"
}

// command returns the annotation as a workflow command. GitHub takes the characters that would end
// a property or the line in the escapes of URLs.
func (n *annotation) command() string {
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	var title []string
	for _, what := range happens {
		if n.counts[what] > 0 {
			title = append(title, fmt.Sprintf("%d to %s", n.counts[what], what))
		}
	}
	where := ""
	if n.at.file != "" {
		where = fmt.Sprintf("file=%s,line=%d,endLine=%d,col=%d,", property.Replace(n.at.file), n.at.line, n.at.end, n.at.column)
	}
	return fmt.Sprintf("::%s %stitle=%s::%s\n", n.level(), where, property.Replace(strings.Join(title, ", ")), text.Replace(printable.Text(strings.Join(n.addresses, ", "))))
}

// A blockPlace is the place of a block. The zero value means that it is not known.
type blockPlace struct {
	file              string
	line, end, column int
}

// Places finds blocks in the configuration in a directory.
type places struct {
	dir, abs string
	trees    []*hclnames.Tree // as both tools read it; none without a directory
}

// newPlaces reads the configuration in a directory. Without one there are no places.
func newPlaces(dir string) (*places, error) {
	p := &places{dir: dir}
	if dir == "" {
		return p, nil
	}
	if err := configdir.Check(dir, false); err != nil {
		return nil, fmt.Errorf("-config: %w", err)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root := filepath.VolumeName(abs) + string(filepath.Separator)
	inside, err := filepath.Rel(root, abs)
	if err != nil {
		return nil, err
	}
	p.abs = filepath.ToSlash(inside)
	for _, d := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
		t, err := hclnames.LoadTree(os.DirFS(root), p.abs, d)
		if err != nil {
			return nil, fmt.Errorf("-config: %w", err)
		}
		p.trees = append(p.trees, t)
	}
	return p, nil
}

// of returns the place of the block of a changed object, and what tells this block from others.
func (p *places) of(c *plandiff.Resource) (blockPlace, any) {
	a, err := addrs.ParseAbsResourceInstance(c.Address)
	if err != nil {
		return blockPlace{}, c.Address
	}
	config := a.Config()
	for _, t := range p.trees {
		r := t.Resource(config)
		if r == nil {
			continue
		}
		at := r.Block.DefRange()
		rel, err := filepath.Rel(filepath.FromSlash(p.abs), filepath.FromSlash(at.Filename))
		if err != nil {
			break
		}
		here := blockPlace{path.Join(filepath.ToSlash(p.dir), filepath.ToSlash(rel)), at.Start.Line, r.Block.Range().End.Line, at.Start.Column}
		return here, here
	}
	return blockPlace{}, config
}
