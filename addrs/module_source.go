// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
)

// A ModuleSourceKind says where a module source leads.
// Its values are [InvalidSource], [LocalSource], [RegistrySource] and [RemoteSource].
type ModuleSourceKind uint8

// The kinds of module sources.
const (
	InvalidSource  ModuleSourceKind = iota // of the zero ModuleSource
	LocalSource                            // a directory of the same package: ./x, ../x
	RegistrySource                         // a module in a registry: [HOST/]NAMESPACE/NAME/SYSTEM
	RemoteSource                           // a package at a URL of any kind; String begins with "git::" if it is a Git repository, "hg::", "s3::" and so on
)

// String returns the name of k for messages.
func (k ModuleSourceKind) String() string {
	switch k {
	case LocalSource:
		return "local"
	case RegistrySource:
		return "registry"
	case RemoteSource:
		return "remote"
	case InvalidSource:
		return "invalid"
	}
	return fmt.Sprintf("ModuleSourceKind(%d)", uint8(k))
}

// A ModuleSource is the argument "source" of a module call, in normal form.
// The zero ModuleSource is not valid.
type ModuleSource struct {
	s    string
	kind ModuleSourceKind
}

const kindModuleSource = "module source"

// ParseModuleSource parses a module source as OpenTofu does. A source that
// begins with ./ or ../ (or the same with backslashes) is local. A source in
// the form of a registry address is a registry source. Every other source is
// remote, and its type must be recognizable. The normal form is the one that
// OpenTofu prints: a registry address has its host, a shorthand such as
// github.com/a/b is expanded, and local paths have no backslashes, needless
// dots or double slashes.
//
// ParseModuleSource sends no request. It assumes that a shorthand for
// bitbucket.org names a Git repository, the only kind that the site still
// hosts. On all systems, absolute paths are those that begin with a slash.
func ParseModuleSource(s string) (ModuleSource, error) {
	if len(s) > maxLen {
		return ModuleSource{}, (&fault{0, errTooLong}).as(kindModuleSource, s)
	}
	m, err := parseModuleSource(s)
	if err == nil && m.s != s {
		// Some odd sources have a printed form that means something else.
		again, againErr := parseModuleSource(m.s)
		if againErr != nil || again != m {
			err = errors.New("the source has no normal form")
		}
	}
	if err != nil {
		return ModuleSource{}, (&fault{0, err}).as(kindModuleSource, s)
	}
	return m, nil
}

// MustParseModuleSource is like [ParseModuleSource] but panics on errors.
func MustParseModuleSource(s string) ModuleSource { return must(ParseModuleSource(s)) }

func parseModuleSource(s string) (ModuleSource, error) {
	if s == "" {
		return ModuleSource{}, errEmpty
	}
	if isLocalSource(s) {
		return ModuleSource{localPath(s), LocalSource}, nil
	}
	if text, err := registryModule(s); err == nil {
		return ModuleSource{text, RegistrySource}, nil
	}
	text, err := remoteSource(s)
	if err != nil {
		return ModuleSource{}, err
	}
	return ModuleSource{text, RemoteSource}, nil
}

// ParseModuleRegistrySource parses a source that must be a registry address.
// Unlike that of [ParseModuleSource], its error says why s is not one.
func ParseModuleRegistrySource(s string) (ModuleSource, error) {
	if isLocalSource(s) {
		return ModuleSource{}, faultf(0, "a local path is not a registry address").as(kindModuleSource, s)
	}
	text, err := registryModule(s)
	if err != nil {
		return ModuleSource{}, (&fault{0, err}).as(kindModuleSource, s)
	}
	return ModuleSource{text, RegistrySource}, nil
}

// isLocalSource reports whether s begins like a local source.
func isLocalSource(s string) bool {
	for _, prefix := range [...]string{"./", "../", `.\`, `..\`} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// localPath returns the normal form of a local source.
func localPath(s string) string {
	clean := path.Clean(strings.ReplaceAll(s, `\`, "/"))
	if strings.HasPrefix(clean, "../") {
		return clean
	}
	return "./" + clean
}

// registryModule returns the normal form of a registry address.
func registryModule(s string) (string, error) {
	pkg, subdir := splitSubdir(s)
	if err := checkSubdir(subdir); err != nil {
		return "", err
	}
	parts := strings.SplitN(pkg, "/", 6)
	host := DefaultHost
	if len(parts) == 4 {
		var err error
		if host, err = normalHost(parts[0]); err != nil {
			return "", err
		}
		switch {
		case !strings.Contains(host, "."):
			return "", errors.New("the host of a module registry has a dot")
		case host == "github.com" || host == "bitbucket.org":
			return "", errors.New(host + " is not a module registry")
		}
		parts = parts[1:]
	}
	switch {
	case len(parts) != 3:
		return "", errors.New("a registry address is [HOST/]NAMESPACE/NAME/SYSTEM")
	case !isModuleName(parts[0]):
		return "", errors.New("the namespace is not valid")
	case !isModuleName(parts[1]):
		return "", errors.New("the module name is not valid")
	case !isTargetSystem(parts[2]):
		return "", errors.New("the target system is not valid")
	}
	return withSubdir(host+"/"+strings.Join(parts, "/"), subdir), nil
}

// isModuleName reports whether s can be a namespace or name in a registry
// address: 1 to 64 ASCII letters, digits, hyphens and underscores, the last
// two not at the ends. Case matters.
func isModuleName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		inner := i > 0 && i < len(s)-1
		if c := s[i]; !isIdentByte(c) || (c == '-' || c == '_') && !inner {
			return false
		}
	}
	return true
}

// isTargetSystem reports whether s has 1 to 64 lower-case ASCII letters and
// digits.
func isTargetSystem(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isDigit(c) && (c < 'a' || 'z' < c) {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// splitSubdir splits a source at the first double slash, leaving a scheme and
// a query string alone, and cleans the second part.
func splitSubdir(s string) (pkg, subdir string) {
	stop := strings.IndexByte(s, '?')
	if stop < 0 {
		stop = len(s)
	}
	from := 0
	if i := strings.Index(s[:stop], "://"); i >= 0 {
		from = i + len("://")
	}
	i := strings.Index(s[from:stop], "//")
	if i < 0 {
		return s, ""
	}
	i += from
	pkg, subdir = s[:i]+s[stop:], s[i+2:stop]
	if subdir != "" {
		subdir = path.Clean(subdir)
	}
	return pkg, subdir
}

// checkSubdir refuses a directory outside of its package.
func checkSubdir(subdir string) error {
	if subdir == ".." || strings.HasPrefix(subdir, "../") {
		return errors.New("the subdirectory leads out of the package")
	}
	return nil
}

// withSubdir inserts a subdirectory after a package and before a query string.
func withSubdir(pkg, subdir string) string {
	if subdir == "" {
		return pkg
	}
	if i := strings.IndexByte(pkg, '?'); i >= 0 {
		return pkg[:i] + "//" + subdir + pkg[i:]
	}
	return pkg + "//" + subdir
}

// IsValid reports whether m is not the zero ModuleSource.
func (m ModuleSource) IsValid() bool { return m.kind != InvalidSource }

// Kind returns the kind of m.
func (m ModuleSource) Kind() ModuleSourceKind { return m.kind }

// Package returns m without its subdirectory: the part to fetch, such as
// git::https://example.com/net.git?ref=v1. It keeps the query. For a local
// source it is the whole path.
func (m ModuleSource) Package() string {
	if m.kind == LocalSource {
		return m.s
	}
	pkg, _ := splitSubdir(m.s)
	return pkg
}

// Subdir returns the directory inside the package, with slashes, or "" for the
// package itself and for local sources.
func (m ModuleSource) Subdir() string {
	if m.kind == LocalSource {
		return ""
	}
	_, subdir := splitSubdir(m.s)
	return subdir
}

// Revision returns which revision the source selects: the argument ref of a Git
// repository, rev of a Mercurial one, or the tag or digest of an OCI artifact. It
// returns "" if there is none, and for all other sources.
func (m ModuleSource) Revision() string {
	pkg := m.Package()
	_, query, _ := strings.Cut(pkg, "?")
	scheme, _, _ := strings.Cut(pkg, ":")
	arguments, _ := url.ParseQuery(query) // with all that can be read
	switch {
	case m.kind != RemoteSource:
	case scheme == "git":
		return arguments.Get("ref")
	case scheme == "hg":
		return arguments.Get("rev")
	case scheme == "oci":
		return cmp.Or(arguments.Get("tag"), arguments.Get("digest"))
	}
	return ""
}

// Registry returns the parts of a registry source, and reports whether m is
// one. The host has the form of [Provider.Host].
func (m ModuleSource) Registry() (host, namespace, name, system string, ok bool) {
	if m.kind != RegistrySource {
		return "", "", "", "", false
	}
	host, rest, _ := strings.Cut(m.Package(), "/")
	namespace, rest, _ = strings.Cut(rest, "/")
	name, system, _ = strings.Cut(rest, "/")
	return host, namespace, name, system, true
}

// Resolve returns the meaning of the source rel in a module that was itself
// fetched from m. Local sources are relative to m, all others are not. If rel
// climbs out of the package of m, the error is an [*Error].
func (m ModuleSource) Resolve(rel ModuleSource) (ModuleSource, error) {
	if rel.kind != LocalSource {
		return rel, nil
	}
	switch m.kind {
	case LocalSource:
		joined := path.Join(m.s, rel.s)
		if !isLocalSource(joined) {
			joined = "./" + joined
		}
		return ModuleSource{joined, LocalSource}, nil
	case RegistrySource, RemoteSource:
		pkg, subdir := splitSubdir(m.s)
		joined := path.Join(subdir, rel.s)
		if err := checkSubdir(joined); err != nil {
			return ModuleSource{}, (&fault{0, err}).as(kindModuleSource, rel.s)
		}
		if joined == "." {
			joined = ""
		}
		return ModuleSource{withSubdir(pkg, joined), m.kind}, nil
	default:
		return ModuleSource{}, faultf(0, "the source it is relative to is not valid").as(kindModuleSource, rel.s)
	}
}

// FromRegistry returns the remote source of a module. The argument given is the
// registry source that was requested, and m is the registry's answer. The
// subdirectory of given lies inside that of m.
func (m ModuleSource) FromRegistry(given ModuleSource) ModuleSource {
	sub := given.Subdir()
	if m.kind != RemoteSource || sub == "" {
		return m
	}
	pkg, subdir := splitSubdir(m.s)
	return ModuleSource{withSubdir(pkg, path.Join(subdir, sub)), RemoteSource}
}

// String returns the normal text of m, which is empty if m is not valid.
func (m ModuleSource) String() string { return m.s }

// ForDisplay returns the text of m as people write it: without the host of a
// registry source if that is [DefaultHost].
func (m ModuleSource) ForDisplay() string {
	if m.kind == RegistrySource {
		return strings.TrimPrefix(m.s, DefaultHost+"/")
	}
	return m.s
}

// Compare returns -1, 0 or +1: by kind (local, registry, remote), then by text.
func (m ModuleSource) Compare(other ModuleSource) int {
	return cmp.Or(cmp.Compare(m.kind, other.kind), strings.Compare(m.s, other.s))
}

// MarshalText returns the text of [ModuleSource.String].
// The error is always nil.
func (m ModuleSource) MarshalText() ([]byte, error) { return []byte(m.s), nil }

// UnmarshalText sets m to the source that [ParseModuleSource] returns for text.
// An empty text gives the zero ModuleSource.
func (m *ModuleSource) UnmarshalText(text []byte) error { return unmarshal(m, text, ParseModuleSource) }
