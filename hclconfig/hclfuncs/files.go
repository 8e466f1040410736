// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// files are what functions read.
type files struct {
	fs        fs.FS
	dir, home string
}

// expand returns a path with the home directory in place of "~".
func (f *files) expand(name string) (string, error) {
	switch {
	case name != "~" && !strings.HasPrefix(name, "~/"):
		if strings.HasPrefix(name, "~") {
			return "", errors.New("cannot expand user-specific home dir")
		}
		return name, nil
	case f.home == "":
		return "", errors.New("there is no home directory")
	}
	return path.Join(f.home, name[1:]), nil
}

// absolute returns a path from the root of the file system, cleaned.
func (f *files) absolute(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	if !path.IsAbs(name) {
		name = path.Join("/", f.dir, name)
	}
	return path.Clean(name)
}

// find returns the name of an existing file in the file system.
func (f *files) find(name string) (string, fs.FileInfo, error) {
	expanded, err := f.expand(name)
	if err != nil {
		return "", nil, err
	}
	if f.fs == nil {
		return "", nil, errors.New("files cannot be read here")
	}
	at := strings.TrimPrefix(f.absolute(expanded), "/")
	if at == "" {
		at = "."
	}
	info, err := fs.Stat(f.fs, at)
	return at, info, err
}

// read returns the bytes of a file.
func (f *files) read(name string) ([]byte, error) {
	at, info, err := f.find(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid):
		return nil, fmt.Errorf("no file exists at %q; this function works only with files that are distributed as part of the configuration source code", name)
	case err != nil:
		return nil, fmt.Errorf("failed to read file: %w", err)
	case info.IsDir():
		return nil, fmt.Errorf("failed to read file: %s is a directory", name)
	case info.Size() > maxText:
		return nil, fmt.Errorf("failed to read file: %s has more than %d bytes", name, maxText)
	}
	src, err := fs.ReadFile(f.fs, at)
	if err != nil {
		return nil, fmt.Errorf("failed to read file: %w", err)
	}
	return src, nil
}

// text returns the text of a file.
func (f *files) text(name string) (string, error) {
	src, err := f.read(name)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(src) {
		return "", fmt.Errorf("contents of %q are not valid UTF-8; filebase64 returns the bytes of such a file, and filesha256 a hash", name)
	}
	return string(src), nil
}

// add adds the functions that read files.
func (f *files) add(made map[string]func(function.Function) function.Function) {
	of := func(name string, write func(src []byte) string) {
		blames := name == "filebase64" // the others fail without blaming the argument, in both programs
		made[name] = replaced(f.textOf(blames, func(path string) (string, error) {
			src, err := f.read(path)
			if err != nil {
				return "", err
			}
			return write(src), nil
		}))
	}
	made["file"] = replaced(f.textOf(true, f.text))
	of("filebase64", base64.StdEncoding.EncodeToString)
	of("filebase64sha256", func(src []byte) string { s := sha256.Sum256(src); return base64.StdEncoding.EncodeToString(s[:]) })
	of("filebase64sha512", func(src []byte) string { s := sha512.Sum512(src); return base64.StdEncoding.EncodeToString(s[:]) })
	of("filemd5", func(src []byte) string { s := md5.Sum(src); return hex.EncodeToString(s[:]) })
	of("filesha1", func(src []byte) string { s := sha1.Sum(src); return hex.EncodeToString(s[:]) })
	of("filesha256", func(src []byte) string { s := sha256.Sum256(src); return hex.EncodeToString(s[:]) })
	of("filesha512", func(src []byte) string { s := sha512.Sum512(src); return hex.EncodeToString(s[:]) })
	made["abspath"] = replaced(f.textOf(true, func(path string) (string, error) { return f.absolute(path), nil }))
	made["pathexpand"] = replaced(f.textOf(false, f.expand))
	made["fileexists"] = replaced(f.exists())
	made["fileset"] = replaced(f.set())
}

// textOf returns a function from a path to a text. Its errors are about the argument if it blames.
func (f *files) textOf(blames bool, compute func(path string) (string, error)) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}}, Type: function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			text, err := compute(args[0].AsString())
			if err != nil && blames {
				err = function.NewArgError(0, err)
			}
			if err != nil {
				return cty.UnknownVal(t), err
			}
			return cty.StringVal(text), nil
		},
	})
}

func (f *files) exists() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}}, Type: function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			name := args[0].AsString()
			_, info, err := f.find(name)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return cty.False, nil
			case err != nil:
				return cty.UnknownVal(t), err
			case info.Mode().IsRegular():
				return cty.True, nil
			case info.IsDir():
				return cty.UnknownVal(t), fmt.Errorf("%q is a directory, not a file", name)
			}
			return cty.UnknownVal(t), fmt.Errorf("%q exists but is not a regular file", name)
		},
	})
}

// maxVisited bounds the entries of directories that fileset looks at.
const maxVisited = 1 << 20

// set returns fileset: the regular files below a directory whose paths match a pattern.
func (f *files) set() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}, {Name: "pattern", Type: cty.String}}, Type: function.StaticReturnType(cty.Set(cty.String)),
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			base, info, err := f.find(args[0].AsString())
			if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
				return cty.SetValEmpty(cty.String), nil
			}
			if err != nil {
				return cty.UnknownVal(t), function.NewArgError(0, err)
			}
			patterns, err := alternatives(args[1].AsString())
			if err != nil {
				return cty.UnknownVal(t), function.NewArgError(1, err)
			}
			g := globber{fs: f.fs, found: map[string]bool{}}
			for _, p := range patterns {
				if err := g.walk(base, "", strings.Split(path.Clean(p), "/")); err != nil {
					return cty.UnknownVal(t), function.NewArgError(1, err)
				}
			}
			if len(g.found) == 0 {
				return cty.SetValEmpty(cty.String), nil
			}
			var out []cty.Value
			for name := range g.found {
				out = append(out, cty.StringVal(name))
			}
			return cty.SetVal(out), nil
		},
	})
}

// alternatives returns the patterns that one with braces means: a.{tf,json} is a.tf and a.json.
func alternatives(pattern string) ([]string, error) {
	start := strings.IndexByte(pattern, '{')
	if start < 0 {
		return []string{pattern}, nil
	}
	depth, from := 0, start+1
	var parts []string
	for i := start; i < len(pattern); i++ {
		switch pattern[i] {
		case '{':
			depth++
		case ',':
			if depth == 1 {
				parts = append(parts, pattern[from:i])
				from = i + 1
			}
		case '}':
			if depth--; depth > 0 {
				continue
			}
			var out []string
			for _, p := range append(parts, pattern[from:i]) {
				more, err := alternatives(pattern[:start] + p + pattern[i+1:])
				if err != nil {
					return nil, err
				}
				if out = append(out, more...); len(out) > 1000 {
					return nil, errors.New("the pattern has too many alternatives")
				}
			}
			return out, nil
		}
	}
	return nil, fmt.Errorf("failed to glob pattern (%s): %w", pattern, path.ErrBadPattern)
}

// A globber finds the files that match patterns, in which "**" stands for any directories.
type globber struct {
	fs      fs.FS
	found   map[string]bool
	visited int
}

func (g *globber) walk(dir, prefix string, pattern []string) error {
	entries, err := fs.ReadDir(g.fs, dir)
	if err != nil {
		return nil // what cannot be listed has no files
	}
	if g.visited += len(entries); g.visited > maxVisited {
		return errors.New("there are too many files")
	}
	first, rest := pattern[0], pattern[1:]
	if first == "**" {
		if len(rest) == 0 {
			rest = []string{"*"}
		}
		if err := g.walk(dir, prefix, rest); err != nil {
			return err
		}
		for _, e := range entries {
			if g.isDir(dir, e) {
				if err := g.walk(path.Join(dir, e.Name()), path.Join(prefix, e.Name()), append([]string{"**"}, rest...)); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for _, e := range entries {
		ok, err := path.Match(first, e.Name())
		if err != nil {
			return err
		}
		full := path.Join(prefix, e.Name())
		switch {
		case !ok:
		case len(rest) > 0 && g.isDir(dir, e):
			if err := g.walk(path.Join(dir, e.Name()), full, rest); err != nil {
				return err
			}
		case len(rest) == 0:
			if info, err := fs.Stat(g.fs, path.Join(dir, e.Name())); err == nil && info.Mode().IsRegular() {
				g.found[full] = true
			}
		}
	}
	return nil
}

func (g *globber) isDir(dir string, e fs.DirEntry) bool {
	if e.IsDir() {
		return true
	}
	if e.Type()&fs.ModeSymlink == 0 {
		return false
	}
	info, err := fs.Stat(g.fs, path.Join(dir, e.Name()))
	return err == nil && info.IsDir() && !slices.Contains(strings.Split(dir, "/"), e.Name())
}
