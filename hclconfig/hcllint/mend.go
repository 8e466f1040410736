// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/findings"
	"github.com/tofuwire/tofuwire/internal/replacefile"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/tofuwire/tofuwire/internal/unifieddiff"
)

// maxRounds is how often fixes of a module are made.
const maxRounds = 100

// mend makes the fixes of all targets, in memory, and looks at them again, and at their
// callers: what a fix takes away can be the last use of something there.
func (s *session) mend(targets []*target) {
	again := targets
	for range maxRounds {
		dirs := map[string]bool{}
		for _, t := range again {
			for range maxRounds {
				s.spare(t)
				changed := (&Report{Diagnostics: t.kept}).Fix()
				if len(changed) == 0 {
					break
				}
				for _, f := range changed {
					name := filepath.Join(t.root, filepath.FromSlash(f.Filename()))
					s.changed[name], dirs[filepath.Dir(name)] = f, true
				}
				s.again(t)
			}
		}
		again = slices.DeleteFunc(slices.Clone(targets), func(t *target) bool {
			return !slices.ContainsFunc(slices.Collect(maps.Keys(dirs)), func(dir string) bool { return t.tree[dir] })
		})
		if len(again) == 0 {
			break
		}
		for _, t := range again {
			s.again(t)
		}
	}
	for _, t := range targets {
		s.spare(t)
	}
}

// note takes note of the modules of a target's tree, and of the variables that each call sets.
func (s *session) note(t *target, tree *hclnames.Tree) {
	s.lock.Lock()
	defer s.lock.Unlock()
	t.tree = map[string]bool{}
	s.matches(t, tree)
	if s.set == nil {
		s.set = map[string]map[string]map[string]bool{}
	}
	for m := range tree.All() {
		dir := filepath.Join(t.root, filepath.FromSlash(m.Module.Dir))
		t.tree[dir] = true
		for _, callers := range s.set { // what they were before a fix
			delete(callers, dir)
		}
	}
	for m := range tree.All() {
		if m.Call == nil {
			continue
		}
		dir := filepath.Join(t.root, filepath.FromSlash(m.Module.Dir))
		caller := filepath.Join(t.root, filepath.FromSlash(m.Parent.Module.Dir))
		if s.set[dir] == nil {
			s.set[dir] = map[string]map[string]bool{}
		}
		if s.set[dir][caller] == nil {
			s.set[dir][caller] = map[string]bool{}
		}
		for _, a := range m.Call.Block.Body.Arguments {
			s.set[dir][caller][a.Name] = true
		}
	}
}

// spare drops the fixes that take a variable away which a caller sets: one in the run or, if fixes
// are made or shown, one elsewhere in the repository.
func (s *session) spare(t *target) {
	_, shown := findings.Needs(s.format)
	search := s.fix || s.diff || shown
	if len(s.set[t.path]) == 0 && !search {
		return
	}
	(&Report{Diagnostics: t.kept}).KeepVariables(func() map[string]bool {
		names := map[string]bool{}
		for _, set := range s.set[t.path] {
			maps.Copy(names, set)
		}
		if search { // only now, because it reads all modules of the repository
			maps.Copy(names, s.setOutside(t))
		}
		return names
	})
	for i := range t.kept {
		if f := &t.findings[i]; len(t.kept[i].Fixes) == 0 {
			f.Fixable, f.Fix = false, nil
		}
	}
}

// setOutside returns the variables of a target that callers set which are in its repository and not
// in the run. Callers with faults count as far as they can be read, and calls that may lead to any
// module count for each.
func (s *session) setOutside(t *target) map[string]bool {
	dir, err := filepath.EvalSymlinks(t.path)
	if err != nil {
		return nil
	}
	root, ok := findings.Repository(dir)
	if !ok {
		return nil
	}
	if s.outside[root] == nil {
		found := map[string]map[string]bool{}
		for c, err := range hclnames.Calls(os.DirFS(root), hclconfig.OpenTofu) {
			if err != nil || s.inRun(filepath.Join(root, filepath.FromSlash(c.Module.Dir))) {
				continue
			}
			called := "" // any module
			if !c.Unknown {
				called = filepath.Join(root, filepath.FromSlash(c.Dir))
			}
			if found[called] == nil {
				found[called] = map[string]bool{}
			}
			for _, a := range c.Call.Block.Body.Arguments {
				found[called][a.Name] = true
			}
		}
		if s.outside == nil {
			s.outside = map[string]map[string]map[string]bool{}
		}
		s.outside[root] = found
	}
	set := maps.Clone(s.outside[root][""])
	if set == nil {
		return s.outside[root][dir]
	}
	maps.Copy(set, s.outside[root][dir])
	return set
}

// inRun reports whether a directory is one of those that the command line names: what it calls is
// noted anew after each fix.
func (s *session) inRun(dir string) bool { return slices.Contains(s.dirs, dir) }

// owns reports whether a fix of a target changes only files in the directories that the
// command line names, or below them: called modules elsewhere, and those that were installed,
// belong to somebody else.
func (s *session) owns(t *target, fix Fix) bool {
	if !t.calls {
		return true
	}
	return !slices.ContainsFunc(planFix(fix).files, func(f *hclconfig.File) bool {
		file := filepath.Join(t.root, filepath.FromSlash(f.Filename()))
		return !slices.ContainsFunc(s.dirs, func(dir string) bool {
			inside, err := filepath.Rel(dir, file)
			return err == nil && filepath.IsLocal(inside) && !slices.Contains(strings.Split(filepath.ToSlash(inside), "/"), ".terraform")
		})
	})
}

// save writes the files that fixes changed.
func (s *session) save() {
	for _, file := range slices.Sorted(maps.Keys(s.changed)) {
		before, err := os.ReadFile(file)
		if err == nil && !bytes.Equal(before, s.changed[file].Bytes()) {
			err = replacefile.Edit(file, s.changed[file].Bytes())
		}
		if err != nil {
			s.faults = append(s.faults, findings.ReadFailure{Message: err.Error(), Filename: s.shown(file)})
		}
	}
}

// printDiff prints what the fixes change.
func (s *session) printDiff() error {
	for _, file := range slices.Sorted(maps.Keys(s.changed)) {
		before, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := unifieddiff.Write(s.stdout, s.shown(file), string(before), string(s.changed[file].Bytes())); err != nil {
			return err
		}
	}
	return nil
}

// maxShownFixes is how many fixes with an editor a report has for one module: each needs a
// look at its whole file.
const maxShownFixes = 200

// fixOf returns the first fix of a diagnostic as replacements of text, or nil.
func (s *session) fixOf(t *target, d Diagnostic) *findings.Fix {
	p := planFix(d.Fixes[0])
	if len(p.files) == 0 || p.raw && p.edits {
		return nil
	}
	out := &findings.Fix{Message: d.Fixes[0].Message}
	if p.edits {
		if t.shownFixes++; t.shownFixes > maxShownFixes {
			return nil
		}
		texts, failed := tryFixes(p.files, []*plannedFix{p})
		if failed >= 0 {
			return nil
		}
		for _, f := range p.files {
			name := s.shown(filepath.Join(t.root, filepath.FromSlash(f.Filename())))
			start, end, text := textspan.Difference(f.Bytes(), texts[f])
			out.Edits = append(out.Edits, findings.Edit{Filename: name, Start: start, End: end, Text: string(text)})
		}
		return out
	}
	for _, r := range p.replaced {
		name := s.shown(filepath.Join(t.root, filepath.FromSlash(p.files[0].Filename())))
		out.Edits = append(out.Edits, findings.Edit{Filename: name, Start: r.start, End: r.end, Text: r.text})
	}
	return out
}
