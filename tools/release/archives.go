// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
)

// program is the one that people install. It makes the page which is beside it, too.
const program = "cmd/tofuwire"

// platforms are those that have archives.
var platforms = []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"}

// An archiver makes the archives of a release.
type archiver struct {
	repository
	version, commit string
	library         string // the path of the library's module
	time            time.Time
	scratch, out    string
}

// archives writes the archives of a release, with a list of what is in each binary and the hashes of
// all files, into a folder, for some platforms. The same commit and version of Go give the same bytes.
func (r repository) archives(version, commit, out string, platforms []string) error {
	scratch, remove, err := temporary()
	if err != nil {
		return err
	}
	defer remove()
	a := archiver{repository: r, version: version, commit: commit, scratch: scratch, out: out}
	if err := a.prepare(); err != nil {
		return err
	}
	beside, err := a.made()
	if err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", path.Join(program, "README.md")} {
		text, err := a.git(nil, nil, "show", commit+":"+name)
		if err != nil {
			return err
		}
		beside[path.Base(name)] = []byte(text + "\n")
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "viewer.html"), beside["viewer.html"], 0o644); err != nil {
		return err
	}
	for _, platform := range platforms {
		if err := a.archive(platform, beside); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
	}
	return a.sums()
}

// prepare reads the commit and serves it to the go command.
func (a *archiver) prepare() error {
	text, err := a.git(nil, nil, "show", a.commit+":go.mod")
	if err != nil {
		return err
	}
	a.library = modfile.ModulePath([]byte(text))
	at, err := a.git(nil, nil, "show", "-s", "--format=%cI", a.commit)
	if err != nil {
		return err
	}
	if a.time, err = time.Parse(time.RFC3339, at); err != nil {
		return err
	}
	return a.proxy(a.version, a.commit, filepath.Join(a.scratch, "proxy"))
}

// goCommand runs the go command. It takes this release from the proxy of prepare, and other modules
// from the cache of this machine, or from where it would have them.
func (a *archiver) goCommand(dir string, env []string, args ...string) error {
	settings, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	cache, proxy, _ := strings.Cut(strings.TrimSpace(string(settings)), "\n")
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-modcacherw", "CGO_ENABLED=0", "GOWORK=off", "GONOSUMDB="+a.library, "GOBIN=",
		"GOPATH="+filepath.Join(a.scratch, "go"), "GOMODCACHE="+filepath.Join(a.scratch, "mod"),
		"GOPROXY=file://"+filepath.ToSlash(filepath.Join(a.scratch, "proxy"))+",file://"+filepath.ToSlash(filepath.Join(cache, "cache", "download"))+","+proxy)
	cmd.Env = append(cmd.Env, env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// shells are those for which the program writes a completion, with the name of its file.
var shells = map[string]string{"bash": "tofuwire.bash", "zsh": "_tofuwire", "fish": "tofuwire.fish", "powershell": "tofuwire.ps1"}

// made returns what the program of the commit makes for its archives: the page of the viewer, which it
// serves when it is beside it, the manual pages and the completions of shells.
func (a *archiver) made() (map[string][]byte, error) {
	tree := filepath.Join(a.scratch, "tree")
	if err := os.MkdirAll(tree, 0o755); err != nil {
		return nil, err
	}
	name := filepath.Join(a.scratch, "tree.tar")
	if _, err := a.git(nil, nil, "archive", "-o", name, a.commit); err != nil {
		return nil, err
	}
	if out, err := exec.Command("tar", "-xf", name, "-C", tree).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("tar: %w\n%s", err, out)
	}
	binary, made := filepath.Join(a.scratch, "own.exe"), filepath.Join(a.scratch, "made")
	if err := a.goCommand(filepath.Join(tree, program), nil, "build", "-trimpath", "-o", binary, "."); err != nil {
		return nil, err
	}
	for _, dir := range []string{"man", "completions"} {
		if err := os.MkdirAll(filepath.Join(made, dir), 0o755); err != nil {
			return nil, err
		}
	}
	for _, args := range [][]string{{"view", "-out", filepath.Join(made, "viewer.html")}, {"__manual", filepath.Join(made, "man")}} {
		if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s %s: %w\n%s", path.Base(program), args[0], err, out)
		}
	}
	for shell, file := range shells {
		text, err := exec.Command(binary, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("%s completion %s: %w", path.Base(program), shell, err)
		}
		if err := os.WriteFile(filepath.Join(made, "completions", file), text, 0o644); err != nil {
			return nil, err
		}
	}
	return below(made)
}

// below reads all files of a folder, by their paths in it.
func below(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files[name], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		}
		return err
	})
	return files, err
}

// archive builds the program for a platform and packs it.
func (a *archiver) archive(platform string, beside map[string][]byte) error {
	goos, goarch, _ := strings.Cut(platform, "_")
	env := []string{"GOOS=" + goos, "GOARCH=" + goarch}
	if err := a.goCommand(a.scratch, env, "install", "-trimpath", "-ldflags=-s -w", a.library+"/"+program+"@"+a.version); err != nil {
		return err
	}
	base := path.Base(program)
	if goos == "windows" {
		base += ".exe"
	}
	binary := filepath.Join(a.scratch, "go", "bin", platform, base)
	if goos == runtime.GOOS && goarch == runtime.GOARCH {
		binary = filepath.Join(a.scratch, "go", "bin", base)
	}
	text, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	files := map[string][]byte{base: text}
	for name, text := range beside {
		files[name] = text
	}
	stem := fmt.Sprintf("%s_%s_%s", path.Base(program), strings.TrimPrefix(a.version, "v"), platform)
	pack, name := tarball, stem+".tar.gz"
	if goos == "windows" {
		pack, name = zipped, stem+".zip"
	}
	var packed bytes.Buffer
	if err := pack(&packed, files, base, a.time); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(a.out, name), packed.Bytes(), 0o644); err != nil {
		return err
	}
	bom, err := materials(binary, a.time)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(a.out, stem+".cdx.json"), bom, 0o644)
}

// tarball packs files; program can be executed. Nothing but names, texts and the time is in it.
func tarball(w io.Writer, files map[string][]byte, program string, at time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, name := range sortedNames(files) {
		mode := int64(0o644)
		if name == program {
			mode = 0o755
		}
		if err := t.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(files[name])), ModTime: at, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		if _, err := t.Write(files[name]); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

// zipped is tarball for zip files.
func zipped(w io.Writer, files map[string][]byte, program string, at time.Time) error {
	z := zip.NewWriter(w)
	for _, name := range sortedNames(files) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at.UTC()}
		h.SetMode(0o644)
		if name == program {
			h.SetMode(0o755)
		}
		f, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := f.Write(files[name]); err != nil {
			return err
		}
	}
	return z.Close()
}

func sortedNames(files map[string][]byte) []string {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// sums writes the hashes of all files, as sha256sum does.
func (a *archiver) sums() error {
	entries, err := os.ReadDir(a.out)
	if err != nil {
		return err
	}
	const list = "SHA256SUMS"
	var b strings.Builder
	for _, e := range entries {
		if e.Name() == list {
			continue
		}
		text, err := os.ReadFile(filepath.Join(a.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(text), e.Name())
	}
	return os.WriteFile(filepath.Join(a.out, list), []byte(b.String()), 0o644)
}
