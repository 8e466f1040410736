// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/zclconf/go-cty/cty"
)

// knownText returns the value of an argument, and reports whether it is a known string. The
// value null has the text "".
func knownText(p *hcllint.Pass, t hclconfig.Text) (text string, known bool) {
	if !t.IsSet() || t.Value != "" {
		return t.Value, true
	}
	v := p.Evaluate(t.Argument.Expression).Value
	switch {
	case v.IsMarked() || !v.IsKnown():
		return "", false
	case v.IsNull():
		return "", true
	case v.Type() != cty.String:
		return "", false
	}
	return v.AsString(), true
}

// A gitSource is a module source that leads to a Git or Mercurial repository.
type gitSource struct {
	scheme string   // git or hg
	url    *url.URL // of the repository; without a host if the source is not a valid URL
}

// repositoryOf returns the repository that a source leads to, and reports whether it is one
// of Git or Mercurial. The forms are those of go-getter, which both programs use; for
// bitbucket.org that asks the site, which has only Git.
func repositoryOf(source string) (gitSource, bool) {
	source, ok := detected(source)
	if !ok {
		return gitSource{}, false
	}
	u, err := url.Parse(source)
	if err != nil || u.Scheme != "git" && u.Scheme != "hg" {
		return gitSource{}, false
	}
	scheme := u.Scheme
	if u.Opaque != "" { // git::https://...
		query := u.RawQuery
		if u, err = url.Parse(strings.TrimPrefix(u.Opaque, ":")); err != nil {
			return gitSource{}, false
		}
		u.RawQuery = query
	}
	return gitSource{scheme, u}, true
}

var forcedGetter = regexp.MustCompile(`^([A-Za-z0-9]+)::(.+)$`)

// detected returns a source with its shorthands written in full.
func detected(source string) (string, bool) {
	force, rest := "", source
	if m := forcedGetter.FindStringSubmatch(source); m != nil {
		force, rest = m[1]+"::", m[2]
	}
	rest, subdir := splitSubdir(rest)
	if u, err := url.Parse(rest); err == nil && u.Scheme != "" {
		return source, true
	}
	result, ok := shorthand(rest)
	if !ok {
		return "", false
	}
	if m := forcedGetter.FindStringSubmatch(result); m != nil {
		result = m[2]
		if force == "" {
			force = m[1] + "::"
		}
	}
	result, more := splitSubdir(result)
	if more != "" {
		subdir = path.Join(more, subdir)
	}
	if subdir != "" {
		u, err := url.Parse(result)
		if err != nil {
			return "", false
		}
		u.Path += "//" + subdir
		u.RawPath = u.Path
		result = u.String()
	}
	return force + result, true
}

// shorthand returns the URL that a source without a scheme stands for.
func shorthand(source string) (string, bool) {
	parts := strings.Split(source, "/")
	switch {
	case source == "":
		return "", false
	case parts[0] == "github.com", parts[0] == "bitbucket.org":
		if len(parts) < 3 {
			return "", false
		}
		u, err := url.Parse("https://" + strings.Join(parts[:3], "/"))
		if err != nil {
			return "", false
		}
		if !strings.HasSuffix(u.Path, ".git") {
			u.Path += ".git"
		}
		if len(parts) > 3 {
			u.Path += "/" + strings.Join(parts[3:], "/")
		}
		return "git::" + u.String(), true
	}
	if s, ok := scpURL(source); ok {
		return s, true
	}
	// A path, or the address of a bucket: neither is a repository.
	return "file:///" + strings.TrimPrefix(source, "/"), true
}

var scpForm = regexp.MustCompile(`^(?:([^@]+)@)?([^:]+):/?(.+)$`)

// scpURL returns the URL of a repository in the form of scp: git@host:path.
func scpURL(source string) (string, bool) {
	m := scpForm.FindStringSubmatch(source)
	if m == nil || m[1] != "git" {
		return "", false
	}
	at, query, _ := strings.Cut(m[3], "?")
	u := url.URL{Scheme: "ssh", User: url.User(m[1]), Host: m[2], Path: at}
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", false
	}
	u.RawQuery = values.Encode()
	return "git::" + u.String(), true
}

// splitSubdir takes the directory after "//" out of a source, from before the query.
func splitSubdir(source string) (rest, subdir string) {
	before, query, hasQuery := strings.Cut(source, "?")
	offset := 0
	if i := strings.Index(before, "://"); i >= 0 {
		offset = i + 3
	}
	i := strings.Index(before[offset:], "//")
	if i < 0 {
		return source, ""
	}
	rest, subdir = before[:offset+i], before[offset+i+2:]
	if hasQuery {
		rest += "?" + query
	}
	return rest, subdir
}
