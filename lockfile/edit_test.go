// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

var ab = addrs.MustParseProvider("ex.com/a/b")

const canonicalBlock = `provider "ex.com/a/b" {
  version     = "1.0.0"
  constraints = "~> 1.0"
  hashes = [
    "h1:b",
    "zh:d",
  ]
}
`

// editTests have a text, an edit, and the text afterwards.
var editTests = []struct {
	name   string
	before string
	edit   func(*lockfile.File) error
	after  string
}{
	{
		"version", canonicalBlock, setVersion("1.1.0"),
		strings.Replace(canonicalBlock, "1.0.0", "1.1.0", 1),
	},
	{
		"version that is an expression", "provider \"ex.com/a/b\" {\n\tversion\t=  \"1.${\"0\"}.0\" # why\n}\n", setVersion("2.0.0"),
		"provider \"ex.com/a/b\" {\n\tversion\t=  \"2.0.0\" # why\n}\n",
	},
	{"same version", canonicalBlock, setVersion("1.0.0"), canonicalBlock},
	{
		"version of an empty block", "provider \"ex.com/a/b\" {}\n", setVersion("1.0.0"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n}\n",
	},
	{
		"version that was missing", "provider \"ex.com/a/b\" { # x\r\n\thashes = [\"h1:a\"]\r\n}\r\n", setVersion("1.0.0"),
		"provider \"ex.com/a/b\" { # x\r\n\tversion = \"1.0.0\"\r\n\thashes = [\"h1:a\"]\r\n}\r\n",
	},
	{
		"constraints", canonicalBlock, setConstraints(">= 1"),
		strings.Replace(canonicalBlock, "~> 1.0", ">= 1.0.0", 1),
	},
	{
		"constraints added", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\" // x\n  hashes = [\"h1:a\"]\n}\n", setConstraints("~> 1.0"),
		"provider \"ex.com/a/b\" {\n  version     = \"1.0.0\" // x\n  constraints = \"~> 1.0\"\n  hashes = [\"h1:a\"]\n}\n",
	},
	{
		"constraints added to odd spacing", "provider \"ex.com/a/b\" {\n version=\"1.0.0\"\n}\n", setConstraints("~> 1.0"),
		"provider \"ex.com/a/b\" {\n version=\"1.0.0\"\n constraints = \"~> 1.0\"\n}\n",
	},
	{
		"constraints added to one line", "provider \"ex.com/a/b\" { version = \"1.0.0\" /* x */ } # y", setConstraints("~> 1.0"),
		"provider \"ex.com/a/b\" {\n  version     = \"1.0.0\" /* x */\n  constraints = \"~> 1.0\"\n} # y",
	},
	{
		"constraints removed", canonicalBlock, setConstraints(""),
		strings.NewReplacer("     =", " =", "  constraints = \"~> 1.0\"\n", "").Replace(canonicalBlock),
	},
	{
		"empty constraints removed", "provider \"ex.com/a/b\" {\n  constraints = \"\"\n  version = \"1.0.0\"\n}\n", setConstraints(""),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n}\n",
	},
	{
		"hash in the middle", canonicalBlock, add("h1:c"),
		strings.Replace(canonicalBlock, "    \"zh:d\"", "    \"h1:c\",\n    \"zh:d\"", 1),
	},
	{
		"hashes before, between and after", canonicalBlock, add("zh:e", "h1:a", "zh:c", "h1:c", "h1:b"),
		strings.NewReplacer("    \"h1:b\",\n", "    \"h1:a\",\n    \"h1:b\",\n    \"h1:c\",\n    \"zh:c\",\n", "    \"zh:d\",\n", "    \"zh:d\",\n    \"zh:e\",\n").Replace(canonicalBlock),
	},
	{"no new hash", canonicalBlock, add("h1:b", "zh:d"), canonicalBlock},
	{
		"hash after a comment",
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    # all\n    \"h1:b\", # linux\n    // rest\n    \"zh:d\" /* one */\n  ]\n}\n", add("h1:c", "zh:e"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    # all\n    \"h1:b\", # linux\n    \"h1:c\",\n    // rest\n    \"zh:d\", /* one */\n    \"zh:e\"\n  ]\n}\n",
	},
	{
		"hashes on one line", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:b\", \"zh:d\"]\n}\n", add("h1:a", "h1:c", "zh:e"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:a\", \"h1:b\", \"h1:c\", \"zh:d\", \"zh:e\"]\n}\n",
	},
	{
		"hashes on one line without spaces", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:b\",\"zh:d\",]\n}\n", add("h1:c", "zh:e"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:b\",\"h1:c\",\"zh:d\",\"zh:e\",]\n}\n",
	},
	{
		"several hashes on some lines", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:b\",\"q:x\",\n    \"zh:d\",\n  ]\n}\n", add("h1:c", "zh:e"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:b\",\"h1:c\",\"q:x\",\n    \"zh:d\",\n    \"zh:e\",\n  ]\n}\n",
	},
	{
		"leading commas", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"h1:b\"\n  , \"zh:d\"\n  ]\n}\n", add("h1:c"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"h1:b\", \"h1:c\"\n  , \"zh:d\"\n  ]\n}\n",
	},
	{
		"unsorted list", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"zh:d\",\n    \"h1:b\",\n    \"zh:a\",\n  ]\n}\n", add("h1:c"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"zh:d\",\n    \"h1:b\",\n    \"h1:c\",\n    \"zh:a\",\n  ]\n}\n",
	},
	{
		"first hash", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n}\n", add("h1:b", "h1:a"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"h1:a\",\n    \"h1:b\",\n  ]\n}\n",
	},
	{
		"first hash of one line with CRLF", "provider \"ex.com/a/b\" { version = \"1.0.0\" }\r\n", add("h1:a"),
		"provider \"ex.com/a/b\" {\r\n  version = \"1.0.0\"\r\n  hashes = [\r\n    \"h1:a\",\r\n  ]\r\n}\r\n",
	},
	{
		"hashes of a bad list", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [] # none\n}\n", add("h1:a"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"h1:a\",\n  ] # none\n}\n",
	},
	{
		"hash after a heredoc, for which the list is written anew", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    <<E\nh1:a\nE\n  ]\n}\n", add("h1:b"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"h1:a\\n\",\n    \"h1:b\",\n  ]\n}\n",
	},
	{
		"hash removed", canonicalBlock, remove("h1:b", "h1:none"),
		strings.Replace(canonicalBlock, "    \"h1:b\",\n", "", 1),
	},
	{
		"all hashes removed", canonicalBlock, remove("h1:b", "zh:d"),
		strings.Replace(canonicalBlock, "  hashes = [\n    \"h1:b\",\n    \"zh:d\",\n  ]\n", "", 1),
	},
	{
		"hashes of one line removed", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:a\", \"h1:b\", \"h1:c\", \"h1:d\"]\n}\n", remove("h1:a", "h1:c", "h1:d"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:b\"]\n}\n",
	},
	{
		"comment of a removed hash", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:a\" /* a */, /* b */ \"h1:b\",\n  # free\n  \"h1:c\", # c\n]\n}\n", remove("h1:a", "h1:c"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [ /* a *//* b */ \"h1:b\",\n  # free\n]\n}\n",
	},
	{
		"hashes replaced", canonicalBlock, set("zh:a", "h1:b", "h1:x"),
		strings.Replace(canonicalBlock, "    \"zh:d\",\n", "    \"h1:x\",\n    \"zh:a\",\n", 1),
	},
	{
		"all hashes replaced", canonicalBlock, set("h1:y", "h1:x"),
		strings.Replace(canonicalBlock, "    \"h1:b\",\n    \"zh:d\",\n", "    \"h1:x\",\n    \"h1:y\",\n", 1),
	},
	{
		"all hashes of one line replaced", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:a\",\"h1:b\"]\n}\n", set("h1:y", "h1:x"),
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"h1:x\",\"h1:y\"]\n}\n",
	},
	{
		"everything at once", canonicalBlock,
		func(f *lockfile.File) error {
			return f.Set(lockfile.Lock{Provider: ab, Version: version("2.0.0"), Hashes: []lockfile.Hash{"zh:2", "h1:1"}})
		},
		"provider \"ex.com/a/b\" {\n  version = \"2.0.0\"\n  hashes = [\n    \"h1:1\",\n    \"zh:2\",\n  ]\n}\n",
	},
	{
		"everything of one line", "provider \"ex.com/a/b\" { version = \"1.0.0\" }",
		func(f *lockfile.File) error {
			return f.Set(lockfile.Lock{Provider: ab, Version: version("2.0.0"), Constraints: constraints("~> 2.0"), Hashes: []lockfile.Hash{"h1:1"}})
		},
		"provider \"ex.com/a/b\" {\n  version     = \"2.0.0\"\n  constraints = \"~> 2.0\"\n  hashes = [\n    \"h1:1\",\n  ]\n}",
	},
	{
		"bad values are replaced", "provider \"ex.com/a/b\" {\n  version = v1\n  constraints = null\n  hashes = \"x\"\n}\n",
		func(f *lockfile.File) error {
			return f.Set(lockfile.Lock{Provider: ab, Version: version("1.0.0"), Hashes: []lockfile.Hash{"h1:1"}})
		},
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"h1:1\",\n  ]\n}\n",
	},
	{"block in an empty file", "", addBlock("ex.com/a/b"), "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n}\n"},
	{"block after a byte order mark", "\ufeff", addBlock("ex.com/a/b"), "\ufeffprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n}\n"},
	{"block after a heading", "# x\n", addBlock("ex.com/a/b"), "# x\n\nprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n}\n"},
	{"block after a heading without end", "# x", addBlock("ex.com/a/b"), "# x\n\nprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n}\n"},
	{
		"blocks before, between and after", "# head\n\n# of b\nprovider \"ex.com/b/b\" { version = \"1.0.0\" }\n\n\nprovider \"ex.com/d/d\" { version = \"1.0.0\" }",
		addBlock("ex.com/e/e", "ex.com/a/a", "ex.com/a/b", "ex.com/c/c", "ex.com/f/f"),
		"# head\n\n" + simple("ex.com/a/a") + "\n" + simple("ex.com/a/b") + "\n# of b\nprovider \"ex.com/b/b\" { version = \"1.0.0\" }\n\n" + simple("ex.com/c/c") +
			"\n\nprovider \"ex.com/d/d\" { version = \"1.0.0\" }\n\n" + simple("ex.com/e/e") + "\n" + strings.TrimSuffix(simple("ex.com/f/f"), "\n"),
	},
	{
		"block before one below the heading", "# head\nprovider \"ex.com/b/b\" { version = \"1.0.0\" }\n", addBlock("ex.com/a/a"),
		"# head\n\n" + simple("ex.com/a/a") + "\nprovider \"ex.com/b/b\" { version = \"1.0.0\" }\n",
	},
	{
		"block in CRLF, in punycode order", "provider \"registry.opentofu.org/a/a\" { version = \"1.0.0\" }\r\n", addBlock("bücher.example/a/a"),
		"provider \"registry.opentofu.org/a/a\" { version = \"1.0.0\" }\r\n\r\nprovider \"bücher.example/a/a\" {\r\n  version = \"1.0.0\"\r\n}\r\n",
	},
	{
		"block in an unsorted file", simple("ex.com/d/d") + "\n" + simple("ex.com/b/b") + "\n" + simple("ex.com/a/a"), addBlock("ex.com/c/c"),
		simple("ex.com/d/d") + "\n" + simple("ex.com/b/b") + "\n" + simple("ex.com/c/c") + "\n" + simple("ex.com/a/a"),
	},
	{"the only block removed", "# head\n\n" + canonicalBlock, removeBlock("ex.com/a/b"), "# head\n"},
	{"the only text removed", canonicalBlock, removeBlock("ex.com/a/b"), ""},
	{
		"first, middle and last block removed",
		"# head\n\n# a\n# a\n" + simple("ex.com/a/a") + "\n" + simple("ex.com/b/b") + "\n# free\n\n//c\n" + simple("ex.com/c/c") + "\n" + simple("ex.com/d/d") + "\n" + strings.TrimSuffix(simple("ex.com/e/e"), "\n"),
		removeBlock("ex.com/e/e", "ex.com/a/a", "ex.com/c/c"),
		"# head\n\n" + simple("ex.com/b/b") + "\n# free\n\n" + strings.TrimSuffix(simple("ex.com/d/d"), "\n"),
	},
	{
		"duplicates removed", simple("ex.com/a/a") + simple("ex.com/b/b") + simple("ex.com/a/a"), removeBlock("ex.com/a/a"), simple("ex.com/b/b"),
	},
	{
		"first block without heading removed", simple("ex.com/a/a") + "\n" + simple("ex.com/b/b"), removeBlock("ex.com/a/a"), simple("ex.com/b/b"),
	},
	{
		"last block of CRLF without end removed", "provider \"ex.com/a/a\" { version = \"1.0.0\" }\r\n\r\nprovider \"ex.com/a/b\" { version = \"1.0.0\" }", removeBlock("ex.com/a/b"),
		"provider \"ex.com/a/a\" { version = \"1.0.0\" }",
	},
}

// setLock changes one lock of a file by Set.
func setLock(f *lockfile.File, p addrs.Provider, change func(*lockfile.Lock)) error {
	l := lockfile.Lock{Provider: p}
	if b := f.Block(p); b != nil {
		l = b.Lock()
	}
	change(&l)
	return f.Set(l)
}

func setConstraintsOf(f *lockfile.File, p addrs.Provider, c addrs.Constraints) error {
	return setLock(f, p, func(l *lockfile.Lock) { l.Constraints = c })
}

func setHashes(f *lockfile.File, p addrs.Provider, hashes ...lockfile.Hash) error {
	return setLock(f, p, func(l *lockfile.Lock) { l.Hashes = hashes })
}

func removeHashes(f *lockfile.File, p addrs.Provider, hashes ...lockfile.Hash) error {
	return setLock(f, p, func(l *lockfile.Lock) {
		l.Hashes = slices.DeleteFunc(l.Hashes, func(h lockfile.Hash) bool { return slices.Contains(hashes, h) })
	})
}

func setVersion(s string) func(*lockfile.File) error {
	return func(f *lockfile.File) error { return f.SetVersion(ab, version(s)) }
}

func setConstraints(s string) func(*lockfile.File) error {
	return func(f *lockfile.File) error { return setConstraintsOf(f, ab, constraints(s)) }
}

func add(hashes ...lockfile.Hash) func(*lockfile.File) error {
	return func(f *lockfile.File) error { return f.AddHashes(ab, hashes...) }
}

func remove(hashes ...lockfile.Hash) func(*lockfile.File) error {
	return func(f *lockfile.File) error { return removeHashes(f, ab, hashes...) }
}

func set(hashes ...lockfile.Hash) func(*lockfile.File) error {
	return func(f *lockfile.File) error { return setHashes(f, ab, hashes...) }
}

func addBlock(providers ...string) func(*lockfile.File) error {
	return func(f *lockfile.File) error {
		var locks lockfile.Locks
		for _, p := range providers {
			locks = append(locks, lockfile.Lock{Provider: addrs.MustParseProvider(p), Version: version("1.0.0")})
		}
		return f.Set(locks...)
	}
}

func removeBlock(providers ...string) func(*lockfile.File) error {
	return func(f *lockfile.File) error {
		var list []addrs.Provider
		for _, p := range providers {
			list = append(list, addrs.MustParseProvider(p))
		}
		return f.Remove(list...)
	}
}

// simple returns a canonical block.
func simple(provider string) string {
	return fmt.Sprintf("provider %q {\n  version = \"1.0.0\"\n}\n", provider)
}

func TestEdit(t *testing.T) {
	for _, test := range editTests {
		t.Run(test.name, func(t *testing.T) {
			f, _ := lockfile.Parse(lockfile.Name, []byte(test.before))
			before := f.Clone()
			if err := test.edit(f); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(test.after, string(f.Bytes())); d != "" {
				t.Errorf("got\n%s\n%s", f.Bytes(), d)
			}
			if err := f.Err(); err != nil {
				t.Error(err)
			}
			if string(before.Bytes()) != test.before {
				t.Error("the clone changed too")
			}
			// An edit that is done already changes nothing, but removals
			// find nothing to remove.
			if err := test.edit(f); err != nil && !errors.Is(err, lockfile.ErrNotFound) {
				t.Error(err)
			} else if string(f.Bytes()) != test.after {
				t.Errorf("the second time:\n%s", f.Bytes())
			}
		})
	}
}

func TestEditErrors(t *testing.T) {
	other := addrs.MustParseProvider("ex.com/x/y")
	tests := []struct {
		name string
		edit func(*lockfile.File) error
		want error
	}{
		{"version of no lock", func(f *lockfile.File) error { return f.SetVersion(other, version("1.0.0")) }, lockfile.ErrNotFound},
		{"no version", func(f *lockfile.File) error { return f.SetVersion(ab, addrs.Version{}) }, lockfile.ErrInvalid},
		{"version beyond 64 bits", setVersion("18446744073709551616.0.0"), lockfile.ErrInvalid},
		{"constraints beyond 64 bits", setConstraints("> 18446744073709551616.0.0"), lockfile.ErrInvalid},
		{"hash without scheme", add("x"), lockfile.ErrInvalid},
		{"set hash without scheme", set(""), lockfile.ErrInvalid},
		{"hash that is not UTF-8", add("h1:\xff"), lockfile.ErrInvalid},
		{"hash that is decomposed", add("h1:e\u0301"), lockfile.ErrInvalid},
		{"remove what is not there", func(f *lockfile.File) error { return f.Remove(other) }, lockfile.ErrNotFound},
		{"remove the zero provider", func(f *lockfile.File) error { return f.Remove(addrs.Provider{}) }, lockfile.ErrNotFound},
		{"set without provider", func(f *lockfile.File) error { return f.Set(lockfile.Lock{Version: version("1.0.0")}) }, lockfile.ErrInvalid},
		{"set without version", func(f *lockfile.File) error { return f.Set(lockfile.Lock{Provider: other}) }, lockfile.ErrInvalid},
		{"set with bad hash", func(f *lockfile.File) error {
			return f.Set(lockfile.Lock{Provider: other, Version: version("1.0.0"), Hashes: []lockfile.Hash{"x"}})
		}, lockfile.ErrInvalid},
		{"set twice", addBlock("ex.com/x/y", "ex.com/x/y"), lockfile.ErrInvalid},
		{"set built-in", addBlock("terraform.io/builtin/terraform"), lockfile.ErrInvalid},
		{"set legacy", addBlock("registry.opentofu.org/-/aws"), lockfile.ErrInvalid},
		{"set beyond 64 bits", func(f *lockfile.File) error {
			return f.Set(lockfile.Lock{Provider: other, Version: version("18446744073709551616.0.0")})
		}, lockfile.ErrInvalid},
		{"too large", func(f *lockfile.File) error {
			return f.AddHashes(ab, lockfile.Hash("h1:"+strings.Repeat("x", lockfile.MaxSize)))
		}, lockfile.ErrLimit},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := parse(t, canonicalBlock)
			err := test.edit(f)
			var e *lockfile.Error
			if !errors.Is(err, test.want) || !errors.As(err, &e) || e.Filename != lockfile.Name {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if string(f.Bytes()) != canonicalBlock {
				t.Errorf("the file changed:\n%s", f.Bytes())
			}
		})
	}
	f, _ := lockfile.Parse("x", []byte(canonicalBlock+"}"))
	if err := f.AddHashes(ab, "h1:x"); !errors.Is(err, lockfile.ErrSyntax) {
		t.Errorf("edit of a broken file: %v", err)
	}
}

// TestFile_ReplaceProvider keeps the version, the constraints and the comments of a lock.
func TestFile_ReplaceProvider(t *testing.T) {
	const hashes = "  hashes = [\n    \"h1:L5V05xwp/Gto1leRryuesxjMfgZwjb7oool4WS1UEFQ=\", # a\n  ]\n"
	block := func(source, rest string) string {
		return "# above\nprovider \"registry.opentofu.org/" + source + "\" { # beside\n  version     = \"3.2.3\" # pinned\n  constraints = \"~> 3.2\"\n" + rest + "}\n"
	}
	other := "\nprovider \"registry.opentofu.org/acme/null\" {\n  version = \"1.0.0\"\n}\n"
	for name, c := range map[string]struct {
		text, want string
		replaced   bool
	}{
		"a lock":                      {"# heading\n\n" + block("hashicorp/null", hashes), "# heading\n\n" + block("acme/null", ""), true},
		"a comment behind the hashes": {block("hashicorp/null", strings.Replace(hashes, "]", "]  # of us", 1)), block("acme/null", "  # of us\n"), true},
		"comments of two kinds":       {block("hashicorp/null", strings.Replace(hashes, "]", "] /* of us */ // too", 1)), block("acme/null", "  /* of us */ // too\n"), true},
		"no hashes":                   {"# heading\n\n" + block("hashicorp/null", ""), "# heading\n\n" + block("acme/null", ""), true},
		"no lock":                     {block("hashicorp/aws", hashes), block("hashicorp/aws", hashes), false},
		"a lock of both":              {"# heading\n\n" + block("hashicorp/null", hashes) + other, "# heading\n\n" + strings.TrimPrefix(other, "\n"), true},
	} {
		f, err := lockfile.Parse("lock", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		replaced, err := f.ReplaceProvider(addrs.MustParseProvider("hashicorp/null"), addrs.MustParseProvider("acme/null"))
		if err != nil || replaced != c.replaced || string(f.Bytes()) != c.want {
			t.Errorf("%s: %t, %v\n%s", name, replaced, err, f.Bytes())
		}
	}
	f, err := lockfile.Parse("lock", []byte(block("hashicorp/null", hashes)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.ReplaceProvider(addrs.MustParseProvider("hashicorp/null"), addrs.Provider{}); err == nil || string(f.Bytes()) != block("hashicorp/null", hashes) {
		t.Errorf("%v\n%s", err, f.Bytes())
	}
	f, _ = lockfile.Parse("lock", []byte(block("hashicorp/null", hashes)+"}"))
	if _, err := f.ReplaceProvider(addrs.MustParseProvider("hashicorp/null"), addrs.MustParseProvider("acme/null")); !errors.Is(err, lockfile.ErrSyntax) {
		t.Error(err)
	}
}
