// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/mod/sumdb/dirhash"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/lockfile"
)

// readPeers is what the README says about lock file code that this test cannot
// run: terragrunt's is internal to its module, and tfupdate's belongs to a
// command. It is by reading of tfupdate 4073d40 (lock/, tfupdate/lock.go) and
// of terragrunt 0aced39 (internal/tf/getproviders/lock.go):
//
//   - both edit with hclwrite, set the whole list "hashes" as raw tokens, one a
//     line, as setHashes below does, and append the block of a new provider
//     with AppendNewBlock;
//   - tfupdate sets "constraints" to the version, and returns early if the
//     version is the same;
//   - terragrunt makes JSON of the tokens of the list to read it, so that a
//     comment in it is an error.
const readPeers = "The lock file code of tfupdate (4073d40) and terragrunt (0aced39) could only be read, not run: both edit with hclwrite, write the " +
	"list of hashes anew, and put a new provider at the end of the file.\n"

var lockFeatures = []feature{
	{
		what: "edits change only their own lines and follow the rules of lock files",
		cases: []featureCase{
			addsHash("comments above and behind blocks", lockText("# above\n", "", ""), true),
			addsHash("a comment in the list of hashes", lockText("", "    # the CI machine\n", ""), false),
			addsHash("a comment behind a hash", lockText("", "", " # the CI machine"), false),
			addsHash("CRLF line ends", strings.ReplaceAll(lockText("", "", ""), "\n", "\r\n"), true),
			{"a new provider goes where tofu puts it", addsSorted, peerAddsSorted, true, false},
			{"the bytes that tofu would save", savesCanonical, peerSavesCanonical, true, false},
			{"what tofu refuses is found", findsDuplicate, peerFindsDuplicate, true, false},
		},
		note: "comments in lists are lost; it is for any HCL file",
	},
}

const (
	newHash  = "h1:zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz="
	lockName = "registry.opentofu.org/example/lab"
)

// lockText returns a lock file with comments above the block, in the list of
// hashes, and behind a hash.
func lockText(above, in, behind string) string {
	return above + `provider "` + lockName + `" {
  version     = "1.2.3"
  constraints = "~> 1.2"
  hashes = [
` + in + `    "h1:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=",` + behind + `
  ]
}
`
}

// addsHash adds a hash behind the others, and asks whether the result is the
// same text with one more line.
func addsHash(name, text string, peer bool) featureCase {
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	want := strings.Replace(text, end+"  ]", end+`    "`+newHash+`",`+end+"  ]", 1)
	return featureCase{
		name: name,
		ours: func(t *testing.T) bool {
			f := parseLock(t, text)
			if err := f.AddHashes(addrs.MustParseProvider(lockName), newHash); err != nil {
				t.Fatal(err)
			}
			return string(f.Bytes()) == want
		},
		peer: func(t *testing.T) bool {
			f := peerParseLock(t, text)
			setHashes(f.Body().FirstMatchingBlock("provider", []string{lockName}), end, "h1:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=", newHash)
			return string(f.Bytes()) == want
		},
		oursHas: true,
		peerHas: peer,
	}
}

func parseLock(t *testing.T, text string) *lockfile.File {
	t.Helper()
	f, err := lockfile.Parse(lockfile.Name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func peerParseLock(t *testing.T, text string) *hclwrite.File {
	t.Helper()
	f, diags := hclwrite.ParseConfig([]byte(text), lockfile.Name, hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return f
}

// setHashes sets the list of hashes, one a line, with the given line ends.
func setHashes(block *hclwrite.Block, end string, hashes ...string) {
	newline := &hclwrite.Token{Type: hclsyntax.TokenNewline, Bytes: []byte(end)}
	tokens := hclwrite.Tokens{{Type: hclsyntax.TokenOBrack, Bytes: []byte("[")}, newline}
	for _, h := range hashes {
		tokens = append(tokens, hclwrite.TokensForValue(cty.StringVal(h))...)
		tokens = append(tokens, &hclwrite.Token{Type: hclsyntax.TokenComma, Bytes: []byte(",")}, newline)
	}
	tokens = append(tokens, &hclwrite.Token{Type: hclsyntax.TokenCBrack, Bytes: []byte("]")})
	block.Body().SetAttributeRaw("hashes", tokens)
}

const earlier = "registry.opentofu.org/example/early"

// isSorted reports whether the provider "early" comes before "lab".
func isSorted(text []byte) bool {
	i, j := strings.Index(string(text), earlier), strings.Index(string(text), lockName)
	return i >= 0 && i < j
}

func addsSorted(t *testing.T) bool {
	f := parseLock(t, lockText("", "", ""))
	err := f.Set(lockfile.Lock{Provider: addrs.MustParseProvider(earlier), Version: addrs.MustParseVersion("1.0.0")})
	return err == nil && isSorted(f.Bytes())
}

func peerAddsSorted(t *testing.T) bool {
	f := peerParseLock(t, lockText("", "", ""))
	f.Body().AppendNewBlock("provider", []string{earlier}).Body().SetAttributeValue("version", cty.StringVal("1.0.0"))
	return isSorted(f.Bytes())
}

// untidyLock is a lock file as a person may have left it, and tidyLock what
// tofu saves for it.
const (
	untidyLock = `provider "registry.opentofu.org/example/lab" {
    version = "1.2.3"
    hashes = ["zh:bb", "h1:aa", "zh:bb"]
}
`
	tidyLock = `# This file is maintained automatically by "tofu init".
# Manual edits may be lost in future updates.

provider "registry.opentofu.org/example/lab" {
  version = "1.2.3"
  hashes = [
    "h1:aa",
    "zh:bb",
  ]
}
`
)

func savesCanonical(t *testing.T) bool {
	return string(parseLock(t, untidyLock).Canonical(addrs.OpenTofu)) == tidyLock
}

func peerSavesCanonical(t *testing.T) bool {
	return string(hclwrite.Format(peerParseLock(t, untidyLock).Bytes())) == tidyLock
}

func findsDuplicate(*testing.T) bool {
	text := lockText("", "", "")
	_, err := lockfile.Parse(lockfile.Name, []byte(text+text))
	return err != nil && strings.Contains(err.Error(), ":8,")
}

func peerFindsDuplicate(*testing.T) bool {
	text := lockText("", "", "")
	_, diags := hclwrite.ParseConfig([]byte(text+text), lockfile.Name, hcl.InitialPos)
	return diags.HasErrors()
}

var hashFeatures = []feature{
	{
		what: "h1 of zips and directories, in flat memory",
		cases: []featureCase{
			sameH1("a zip", []zipEntry{{"a", "1"}, {"b/c", "2"}}),
			sameH1("a zip with entries for directories", []zipEntry{{"b/", ""}, {"b/c", "2"}}),
			sameH1("a zip with names that are not clean", []zipEntry{{"./a", "1"}, {"b//c", "2"}}),
			sameH1("a zip with a name twice", []zipEntry{{"a", "1"}, {"a", "2"}}),
			{"a directory", dirH1, peerDirH1, true, true},
			{"a file of 64 MiB", hashesFlat(func(name string) error {
				_, err := checksum.HashZip(context.Background(), name)
				return err
			}), hashesFlat(func(name string) error {
				_, err := dirhash.HashZip(name, dirhash.Hash1)
				return err
			}), true, true},
		},
	},
	{
		what: "zh, and the h1 after extraction, in the same pass",
		cases: []featureCase{
			{"zh", gives(zh, func(p *checksum.Package) checksum.Hash { return p.ZH }), peerGives(zh), true, false},
			{"h1 after extraction", gives(extracted, func(p *checksum.Package) checksum.Hash { return p.Extracted }), peerGives(extracted), true, false},
		},
	},
	{
		what: "dangerous packages are refused",
		cases: []featureCase{
			refuses("a name that leads out", []zipEntry{{"../evil", "1"}}),
			refuses("an absolute name", []zipEntry{{"/etc/passwd", "1"}}),
			refuses("a backslash", []zipEntry{{`..\evil`, "1"}}),
			refuses("a name twice", []zipEntry{{"a", "1"}, {"a", "2"}}),
			refuses("a file that is a directory, too", []zipEntry{{"a", "1"}, {"a/b", "2"}}),
			refuses("much more content than zip", []zipEntry{{"a", zeros}}),
		},
		note: "left to extraction",
	},
}

type zipEntry struct{ name, content string }

// zeros represents 65 MiB of content. It is not there from the start, because
// the processes that report their peak memory also run this program.
const zeros = "65 MiB of zeros"

// writeZip makes a zip file.
func writeZip(t *testing.T, entries []zipEntry) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "package.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for _, e := range entries {
		w, err := z.Create(e.name)
		content := e.content
		if content == zeros {
			content = strings.Repeat("0", 65<<20)
		}
		if err == nil {
			_, err = io.WriteString(w, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// sameH1 is about the h1 of a zip, calculated by its definition.
func sameH1(name string, entries []zipEntry) featureCase {
	want := func(t *testing.T) string {
		var names []string
		content := map[string]string{}
		for _, e := range entries {
			names = append(names, e.name)
			content[e.name] = e.content
		}
		return defineH1(t, names, content)
	}
	return featureCase{
		name: name,
		ours: func(t *testing.T) bool {
			p, err := checksum.Hasher{Lenient: true}.Zip(context.Background(), writeZip(t, entries))
			return err == nil && p.H1.String() == want(t)
		},
		peer: func(t *testing.T) bool {
			h1, err := dirhash.HashZip(writeZip(t, entries), dirhash.Hash1)
			return err == nil && h1 == want(t)
		},
		oursHas: true,
		peerHas: true,
	}
}

// defineH1 returns the h1 of some names, by its definition.
func defineH1(t *testing.T, names []string, content map[string]string) string {
	t.Helper()
	slices.Sort(names)
	var list strings.Builder
	for _, name := range names {
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256([]byte(content[name])), name)
	}
	return checksum.NewH1(sha256.Sum256([]byte(list.String()))).String()
}

// writeDir makes a directory with two files and an empty directory.
func writeDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"a": "1", "b/c": "2"} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func dirH1(t *testing.T) bool {
	p, err := checksum.HashDir(context.Background(), writeDir(t))
	return err == nil && p.H1.String() == defineH1(t, []string{"a", "b/c"}, map[string]string{"a": "1", "b/c": "2"})
}

func peerDirH1(t *testing.T) bool {
	h1, err := dirhash.HashDir(writeDir(t), "", dirhash.Hash1)
	return err == nil && h1 == defineH1(t, []string{"a", "b/c"}, map[string]string{"a": "1", "b/c": "2"})
}

// hashesFlat hashes a zip with a file of 64 MiB that hardly compresses, and
// reports whether that allocates less than 8 MiB.
func hashesFlat(hash func(name string) error) func(t *testing.T) bool {
	return func(t *testing.T) bool {
		var block [1 << 20]byte
		sum := sha256.Sum256(nil)
		for i := 0; i < len(block); i += len(sum) {
			sum = sha256.Sum256(sum[:])
			copy(block[i:], sum[:])
		}
		name := writeZip(t, []zipEntry{{"a", strings.Repeat(string(block[:]), 64)}})
		cost := bounds.Of(func() {
			if err := hash(name); err != nil {
				t.Fatal(err)
			}
		})
		return cost.Bytes < 8<<20
	}
}

// directoryEntries is a zip for which tools disagree on the h1, because of an
// entry for a directory.
var directoryEntries = []zipEntry{{"b/", ""}, {"b/c", "2"}}

// zh is the wanted hash of a zip file, and extracted that of its files alone.
func zh(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("zh:%x", sha256.Sum256(text))
}

func extracted(t *testing.T, _ string) string {
	return defineH1(t, []string{"b/c"}, map[string]string{"b/c": "2"})
}

// gives asks whether one of the hashes of a package is the wanted one.
func gives(want func(t *testing.T, name string) string, get func(*checksum.Package) checksum.Hash) func(*testing.T) bool {
	return func(t *testing.T) bool {
		name := writeZip(t, directoryEntries)
		p, err := checksum.HashZip(context.Background(), name)
		return err == nil && get(p).String() == want(t, name)
	}
}

// peerGives asks it about the one hash that the peer gives.
func peerGives(want func(t *testing.T, name string) string) func(*testing.T) bool {
	return func(t *testing.T) bool {
		name := writeZip(t, directoryEntries)
		h1, err := dirhash.HashZip(name, dirhash.Hash1)
		return err == nil && h1 == want(t, name)
	}
}

// refuses is about a zip that should not be accepted.
func refuses(name string, entries []zipEntry) featureCase {
	return featureCase{
		name: name,
		ours: func(t *testing.T) bool {
			_, err := checksum.HashZip(context.Background(), writeZip(t, entries))
			return err != nil
		},
		peer: func(t *testing.T) bool {
			_, err := dirhash.HashZip(writeZip(t, entries), dirhash.Hash1)
			return err != nil
		},
		oursHas: true,
	}
}
