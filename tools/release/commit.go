// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

// release makes the commit of a release of HEAD. It returns the commit and the
// tags that belong on it.
func (r repository) release(version string) (commit string, tags []string, err error) {
	parent, err := r.git(nil, nil, "rev-parse", "HEAD^{commit}")
	if err != nil {
		return "", nil, err
	}
	all, err := r.modules(parent)
	if err != nil {
		return "", nil, err
	}
	if err := checkVersion(all[0].file.Module.Mod.Path, version); err != nil {
		return "", nil, err
	}
	dir, remove, err := temporary()
	if err != nil {
		return "", nil, err
	}
	defer remove()
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(dir, "index")}
	if _, err := r.git(nil, index, "read-tree", parent); err != nil {
		return "", nil, err
	}
	if err := r.address(index, parent, all[0].file.Module.Mod.Path, version); err != nil {
		return "", nil, err
	}
	if err := r.pin(index, parent, all[0].file.Module.Mod.Path, version); err != nil {
		return "", nil, err
	}
	// The hash of a module is that of its files with their new go.mod: each is
	// written before the next one, which may require it, is looked at.
	hashes := map[string]string{} // lines of go.sum, by module
	for _, n := range all {
		if err := n.require(version, hashes); err != nil {
			return "", nil, err
		}
		goMod, err := n.file.Format()
		if err != nil {
			return "", nil, err
		}
		if err := r.stage(index, path.Join(n.dir, "go.mod"), goMod); err != nil {
			return "", nil, err
		}
		if n.sum != nil {
			if err := r.stage(index, path.Join(n.dir, "go.sum"), n.sum); err != nil {
				return "", nil, err
			}
		}
		if commit, err = r.commit(index, parent, version); err != nil {
			return "", nil, err
		}
		name := filepath.Join(dir, "module.zip")
		if err := r.zip(n, version, commit, name); err != nil {
			return "", nil, err
		}
		if hashes[n.file.Module.Mod.Path], err = sumLines(n.file.Module.Mod.Path, version, name, goMod); err != nil {
			return "", nil, err
		}
		if n.isForUsers() {
			tags = append(tags, n.tag(version))
		}
	}
	return commit, tags, nil
}

// address puts the tag into the addresses of the JSON Schemas, which say where the files
// of the release are: what is below docs/schemas and has an address of this repository.
func (r repository) address(index []string, parent, library, version string) error {
	names, err := r.git(nil, nil, "ls-tree", "-r", "-z", "--name-only", parent, "docs/schemas")
	if err != nil {
		return err
	}
	own := regexp.MustCompile(`(https://raw\.githubusercontent\.com/` + regexp.QuoteMeta(strings.TrimPrefix(library, "github.com/")) + `/)v[^/\s"]+(/docs/schemas/)`)
	for _, name := range strings.FieldsFunc(names, func(r rune) bool { return r == 0 }) {
		text, err := r.git(nil, nil, "show", parent+":"+name)
		if err != nil {
			return err
		}
		if changed := own.ReplaceAllString(text, "${1}"+version+"${2}"); changed != text {
			if err := r.stage(index, name, []byte(changed+"\n")); err != nil {
				return err
			}
		}
	}
	return nil
}

// pin puts the version into what others run from the tag: the program that the hooks of
// pre-commit build, and the one that the actions install.
func (r repository) pin(index []string, parent, library, version string) error {
	for name, change := range map[string][2]string{
		".pre-commit-hooks.yaml": {library + "/cmd/tofuwire@latest", library + "/cmd/tofuwire@" + version},
		"action.yml":             {"        RELEASE: \"\" #", "        RELEASE: " + version + " #"},
		"setup/action.yml":       {"        RELEASE: \"\" #", "        RELEASE: " + version + " #"},
	} {
		found, err := r.git(nil, nil, "ls-tree", "--name-only", parent, name)
		if err != nil {
			return err
		}
		if found == "" {
			continue
		}
		text, err := r.git(nil, nil, "show", parent+":"+name)
		if err != nil {
			return err
		}
		if !strings.Contains(text, change[0]) {
			return fmt.Errorf("%s has no %q, where the version belongs", name, change[0])
		}
		if err := r.stage(index, name, []byte(strings.ReplaceAll(text, change[0], change[1])+"\n")); err != nil {
			return err
		}
	}
	return nil
}

// require has a module require the release of the others in place of a folder.
func (n *nested) require(version string, hashes map[string]string) error {
	for _, p := range slices.Clone(n.file.Replace) {
		if hashes[p.Old.Path] == "" || p.New.Version != "" {
			return fmt.Errorf("%s replaces %s, which is no module of this repository", n.file.Syntax.Name, p.Old.Path)
		}
		if err := n.file.DropReplace(p.Old.Path, p.Old.Version); err != nil {
			return err
		}
	}
	var lines []string
	for line := range strings.Lines(string(n.sum)) {
		if own, _, _ := strings.Cut(line, " "); hashes[own] == "" {
			lines = append(lines, line)
		}
	}
	var required []*modfile.Require
	for _, q := range n.file.Require {
		if hashes[q.Mod.Path] != "" {
			q.Mod.Version = version
			lines = append(lines, strings.SplitAfter(hashes[q.Mod.Path], "\n")...)
		}
		required = append(required, q)
	}
	n.file.SetRequireSeparateIndirect(required)
	n.file.Cleanup()
	slices.SortFunc(lines, compareSums)
	n.sum = []byte(strings.Join(slices.Compact(lines), ""))
	if len(n.sum) == 0 {
		n.sum = nil
	}
	return nil
}

// compareSums orders the lines of a go.sum as the go command does: by module, then by
// version, and the one of the go.mod last.
func compareSums(a, b string) int {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) < 2 || len(y) < 2 {
		return len(x) - len(y)
	}
	if c := strings.Compare(x[0], y[0]); c != 0 {
		return c
	}
	v, w := strings.TrimSuffix(x[1], "/go.mod"), strings.TrimSuffix(y[1], "/go.mod")
	if c := semver.Compare(v, w); c != 0 {
		return c
	}
	return strings.Compare(x[1], y[1])
}

// stage puts a file into an index.
func (r repository) stage(index []string, name string, text []byte) error {
	blob, err := r.git(text, nil, "hash-object", "-w", "--stdin")
	if err != nil {
		return err
	}
	_, err = r.git(nil, index, "update-index", "--add", "--cacheinfo", "100644,"+blob+","+name)
	return err
}

// commit makes a commit of an index.
func (r repository) commit(index []string, parent, version string) (string, error) {
	tree, err := r.git(nil, index, "write-tree")
	if err != nil {
		return "", err
	}
	return r.git([]byte("Release "+version+"\n\nAll modules require "+version+" of each other, in place of the folder.\n"), nil, "commit-tree", "-p", parent, "-F", "-", tree)
}

// zip writes the zip that the go command makes of a module at a commit. A
// module without a licence of its own has that of the repository.
func (r repository) zip(n *nested, version, commit, name string) error {
	mod := module.Version{Path: n.file.Module.Mod.Path, Version: version}
	// Package zip takes only folders with a .git folder, which a work tree beside
	// another one does not have.
	dir, remove, err := temporary()
	if err != nil {
		return err
	}
	defer remove()
	if _, err := r.git(nil, nil, "clone", "-q", "--shared", "--no-checkout", ".", dir); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	err = zip.CreateFromVCS(f, mod, dir, commit, n.dir)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil || n.dir == "" {
		return err
	}
	return r.addLicense(n, mod, commit, name)
}

// addLicense does what the go command does for modules in subdirectories.
func (r repository) addLicense(n *nested, mod module.Version, commit, name string) error {
	names, err := r.git(nil, nil, "ls-tree", "--name-only", commit+":"+n.dir)
	if err != nil || slices.Contains(strings.Split(names, "\n"), "LICENSE") {
		return err
	}
	license, err := r.git(nil, nil, "show", commit+":LICENSE")
	if err != nil {
		return err
	}
	dir, remove, err := temporary()
	if err != nil {
		return err
	}
	defer remove()
	if err := zip.Unzip(filepath.Join(dir, "m"), mod, name); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "m", "LICENSE"), []byte(license+"\n")); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	err = zip.CreateFromDir(f, mod, filepath.Join(dir, "m"))
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// sumLines returns what go.sum files say of a module.
func sumLines(name, version, zipFile string, goMod []byte) (string, error) {
	h1, err := dirhash.HashZip(zipFile, dirhash.Hash1)
	if err != nil {
		return "", err
	}
	modH1, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(goMod)), nil })
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s %s\n%[1]s %[2]s/go.mod %[4]s\n", name, version, h1, modH1), nil
}
