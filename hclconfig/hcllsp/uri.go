// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// pathOf returns the path that a URI of a file names, decoded and cleaned, and whether it is one.
func pathOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || u.Path == "" {
		// A client that did not escape its path.
		rest, ok := strings.CutPrefix(uri, "file://")
		if !ok || err == nil || !strings.HasPrefix(rest, "/") {
			return "", false
		}
		if p, err := url.PathUnescape(rest); err == nil {
			rest = p
		}
		return filepath.Clean(filepath.FromSlash(rest)), true
	}
	p := u.Path
	if runtime.GOOS == "windows" {
		if u.Host != "" {
			p = "//" + u.Host + p
		} else if len(p) > 2 && p[0] == '/' && p[2] == ':' {
			p = strings.ToUpper(p[1:2]) + p[2:]
		}
	}
	return filepath.Clean(filepath.FromSlash(p)), true
}

// keyOf returns what a document is known by: the real path that its URI names, or else the URI. It
// reports whether it is a path.
func keyOf(uri string) (key string, isPath bool) {
	if p, ok := pathOf(uri); ok {
		return realPath(p), true
	}
	return uri, false
}

// uriOf returns the URI of a path.
func uriOf(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// real returns a path with its links followed; of what does not exist it follows those of the
// directories that do.
func realPath(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(realPath(dir), filepath.Base(path))
}
