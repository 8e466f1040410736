// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package scan

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Workspaces says which workspace a place belongs to. Nil is the directory of the place.
type Workspaces struct {
	key     bool
	pattern *regexp.Regexp // its first group is the workspace
	stars   bool           // all groups are
}

// ParseWorkspaces reads the option -workspace:
//
//   - "" or "folder": the directory;
//   - "key": the key of the backend, which is the place without the extensions of documents, and without the
//     name of a file that is called after what it is, such as terraform.tfstate;
//   - a pattern with "*" in place of parts of names, such as states/*.json, or */*/plan.json: what the
//     stars stand for. A pattern is compared with the end of a place, from the beginning of a name on;
//   - a regular expression with a group, such as runs/([^/]+)/: what its first group matches.
//
// A place that does not match belongs to the workspace of its directory.
func ParseWorkspaces(text string) (*Workspaces, error) {
	switch {
	case text == "" || text == "folder":
		return nil, nil
	case text == "key":
		return &Workspaces{key: true}, nil
	case strings.Contains(text, "("):
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, err
		}
		if re.NumSubexp() == 0 {
			return nil, errors.New("the expression of -workspace has no group")
		}
		return &Workspaces{pattern: re}, nil
	case !strings.Contains(text, "*"):
		return nil, fmt.Errorf("-workspace must be folder, key, a pattern with *, or an expression with a group, not %s", text)
	}
	parts := strings.Split(strings.TrimPrefix(text, "/"), "*")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return &Workspaces{pattern: regexp.MustCompile("(?:^|[/!])" + strings.Join(parts, "([^/!]*)") + "$"), stars: true}, nil
}

// Of returns the workspace of a place.
func (w *Workspaces) Of(place string) string {
	if w == nil {
		return folder(place)
	}
	if w.key {
		return key(place)
	}
	m := w.pattern.FindStringSubmatch(place)
	if m == nil {
		return folder(place)
	}
	if w.stars {
		return strings.Join(m[1:], "/")
	}
	return m[1]
}

// folder returns the directory of a place. For a member of an archive that is the
// archive, "!", and the directory in it.
func folder(place string) string {
	archive := ""
	if i := strings.LastIndexByte(place, '!'); i >= 0 {
		archive, place = place[:i+1], place[i+1:]
	}
	scheme := ""
	if i := strings.Index(place, "://"); i >= 0 {
		scheme, place = place[:i+3], place[i+3:]
	}
	dir := path.Dir(place)
	if dir == "." && archive != "" {
		dir = ""
	}
	return archive + scheme + dir
}

// extensions are what a name ends with because of what the file is.
var extensions = []string{".gz", ".json", ".jsonl", ".tfstate", ".tfplan"}

// plain are names, without extensions, that say what a file is, and not whose.
var plain = []string{"terraform", "state", "plan", "show", "tofu", "default", "tfplan", "tfstate"}

// key returns the key of a place in its backend.
func key(place string) string {
	name := path.Base(place)
	if i := strings.LastIndexByte(name, '!'); i >= 0 {
		name = name[i+1:]
	}
	dir := strings.TrimSuffix(place, name)
	short := name
	for cut := true; cut; {
		cut = false
		for _, e := range extensions {
			if s, ok := strings.CutSuffix(short, e); ok && s != "" {
				short, cut = s, true
			}
		}
	}
	if strings.Contains(name, "env:") {
		return place // KEYenv:WORKSPACE of the backend azurerm, PATH-env:WORKSPACE of consul
	}
	if short == name && strings.Contains(name, ".") {
		return folder(place) // a configuration, a lock file
	}
	for _, p := range plain {
		if short == p {
			return folder(place)
		}
	}
	return dir + short
}
