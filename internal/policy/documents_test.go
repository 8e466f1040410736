// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// exported returns every exported name of the public packages: of types,
// functions, methods, fields, constants and variables.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for pkg, files := range public(t) {
		names[pkg[strings.LastIndexByte(pkg, '/')+1:]] = true
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch d := n.(type) {
				case *ast.FuncDecl:
					names[d.Name.Name] = true
					return false
				case *ast.TypeSpec:
					names[d.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range d.Names {
						names[n.Name] = true
					}
				case *ast.Field:
					for _, n := range d.Names {
						names[n.Name] = true
					}
				}
				return true
			})
		}
	}
	return names
}

// TestDocumentedNames checks that the documents speak of names that there are.
func TestDocumentedNames(t *testing.T) {
	names := exported(t)
	code := regexp.MustCompile("`[^`\n]+`")
	name := regexp.MustCompile(`^[a-z]*\.?[A-Z]\w*(\.[A-Z]\w*)*$`)
	// Letters for something, names of other modules, and what tools call so.
	others := []string{"X", "XOptions", "NewX", "ParseX", "MustParseX", "DecodeX", "LoadX", "ErrX", "T"}
	for _, document := range []string{"API.md", "CHANGELOG.md", "COMPATIBILITY.md", "CONTRIBUTING.md", "SECURITY.md"} {
		text := string(read(t, document))
		// What is still to come in the examples of how to add something.
		if _, rest, ok := strings.Cut(text, "\n## How to add a member\n"); ok {
			_, after, _ := strings.Cut(rest, "\n## ")
			text = strings.TrimSuffix(text, rest) + after
		}
		found := 0
		for _, quoted := range code.FindAllString(text, -1) {
			quoted = strings.Trim(quoted, "`")
			if !name.MatchString(quoted) || strings.ToUpper(quoted) == quoted && len(quoted) > 1 {
				continue // no name of Go, or an argument of a command
			}
			if pkg, _, ok := strings.Cut(quoted, "."); ok && pkg != "" && strings.ToLower(pkg) == pkg {
				if _, ours := mayImport[pkg]; !ours {
					continue // of the standard library
				}
			}
			for part := range strings.SplitSeq(strings.TrimPrefix(quoted, "."), ".") {
				found++
				known := names[part]
				for _, o := range others {
					known = known || o == part
				}
				if !known {
					t.Errorf("%s speaks of %s, which no package has", document, quoted)
				}
			}
		}
		if found == 0 && document != "CONTRIBUTING.md" {
			t.Errorf("%s: no names were found", document)
		}
	}
}

// TestLimits checks that SECURITY.md and the code have the same limits.
func TestLimits(t *testing.T) {
	security := string(read(t, "SECURITY.md"))
	for _, tt := range []struct{ file, code, row string }{
		{"internal/jsonscan/scan.go", "MaxDepth = 10000", "| planjson, uijson, hclconfig | nesting of JSON | 10,000 levels |"},
		{"internal/wire/source.go", "maxText    = 1<<32 - 1", "| planjson | text | 4 GiB |"},
		{"internal/wire/slab.go", "minBudget  = 4 << 20\n\ttextBudget = 16", "| planjson | memory of decoded objects | 4 MiB and 16 times the text |"},
		{"internal/wire/stream.go", "window = 256 << 10", "| planjson | stream | one element, and 256 KiB |"},
		{"planjson/statefile/schema.go", "maxDepth = 200", "| statefile | depth of types left open by a schema, in a shown value | 200 |"},
		{"planjson/statefile/flat.go", "maxElements  = 1000\n\telementsEach = 100", "| statefile | elements of one object that the numbered attributes from before Terraform 0.12 may create | 1,000, and 100 for each of its texts |"},
		{"planjson/statefile/keys.go", "maxWork       = 10_000_000", "| statefile | iterations for the keys of one decryption, bytes of a key | 10,000,000, 1,024 |"},
		{"planjson/statefile/keys.go", "maxKeyLength  = 1024", "| statefile | iterations for the keys of one decryption, bytes of a key | 10,000,000, 1,024 |"},
		{"planjson/statefile/encryption.go", "maxChain = 3", "| statefile | chain of key providers that a passphrase alone opens | 3 |"},
		{"planjson/statefile/planfile.go", "maxEntries  = 100_000\n\tmaxUnpacked = 1 << 30", "| statefile | entries of a saved plan, bytes that are read from it | 100,000, 1 GiB |"},
		{"planjson/value_number.go", "maxNumberText   = 11_000 ", "| 11,000 bytes, 10,000 digits; larger ones stay text |"},
		{"planjson/value_number.go", "maxNumberDigits = 10_000 ", "| 11,000 bytes, 10,000 digits; larger ones stay text |"},
		{"planjson/value_cty.go", "maxCtyDepth = 500", "| planjson | nesting of a value that becomes a cty value, of types | 500, 200 |"},
		{"planjson/value_type.go", "maxTypeDepth = 200", "| planjson | nesting of a value that becomes a cty value, of types | 500, 200 |"},
		{"internal/knowntext/unwrap.go", "maxEncodings = 3", "| redact, uijson | nested encodings in which secrets are searched; escapes | 3, and base64; 4 |"},
		{"internal/knowntext/unwrap.go", "maxWork = 256\n\tminWork = 64 << 10", "| redact, uijson | text extracted from one string in search of secrets; beyond, the string is hidden | 256 times its length and 64 KiB |"},
		{"internal/knowntext/unwrap.go", "gunzipMax = 100\n\tgunzipMin = 4 << 10", "| redact, uijson | gzip data inside base64; beyond, the string is hidden | 100 times its length and 4 KiB |"},
		{"planjson/plandiff/value.go", "maxDepth = 1000", "| plandiff | nesting, below which values are hidden | 1,000 |"},
		{"planjson/plandiff/list.go", "maxCandidates = 32", "| plandiff | equal elements tried as the partner of one element of a list | 32 |"},
		{"addrs/scan.go", "maxLen = math.MaxInt32 / 16", "| addrs | dotted address, module source | 128 MiB |"},
		{"addrs/host.go", "maxHost = 1024", "| addrs | host name that is not plain ASCII | 1,024 bytes |"},
		{"internal/numlimit/numlimit.go", "MaxDigits = 999", "| addrs, lockfile | digits of a number, its power of ten | 999, 308 |"},
		{"internal/numlimit/numlimit.go", "MaxComputed = 999", "written or computed; beyond, it is an error and no value, and `Validate` warns | 999, 999 |"},
		{"internal/numlimit/numlimit.go", "MaxExponent = 308", "| addrs, lockfile | digits of a number, its power of ten | 999, 308 |"},
		{"addrs/version.go", "maxVersion = 1024", "| addrs | a version; digits of one of its numbers | 1,024 bytes; 309 |"},
		{"addrs/error.go", "maxQuoted = 120", "| addrs | text shown in an error | 120 bytes |"},
		{"lockfile/file.go", "MaxSize = 4 << 20", "| lockfile | size of a file | 4 MiB (`MaxSize`) |"},
		{"lockfile/fallback.go", "maxParts = 400_000", "| lockfile | tokens of a file that does not have the layout of tofu | 400,000 |"},
		{"lockfile/nesting.go", "maxNesting = 4000", "| lockfile | nesting before the HCL parser is called | 4,000; 32 in WebAssembly |"},
		{"lockfile/nesting_wasm.go", "maxNesting = 32\n", "| lockfile | nesting before the HCL parser is called | 4,000; 32 in WebAssembly |"},
		{"checksum/hasher.go", "defaultEntries = 20_000", "| checksum | entries of a zip, files of a directory | 20,000 | `Hasher.Limits.Entries` |"},
		{"checksum/hasher.go", "defaultBytes   = 4 << 30", "| checksum | content of a package | 4 GiB | `Hasher.Limits.Bytes` |"},
		{"checksum/hasher.go", "defaultRatio   = 100", "| checksum | content / size of a zip, beyond 64 MiB | 100 | `Hasher.Limits.Ratio` |"},
		{"checksum/hasher.go", "ratioFree = 64 << 20", "| checksum | content / size of a zip, beyond 64 MiB | 100 | `Hasher.Limits.Ratio` |"},
		{"uijson/reader.go", "defaultMaxLine = 16 << 20", "| 16 MiB | `MaxLine` |"},
		{"uijson/uitrack/render_difference.go", "maxDiffDepth = 16", "| uijson/uitrack | nesting of a rendered difference, below which values are shown whole | 16 |"},
		{"uijson/uitrack/tracker.go", "maxCycles      = 16 ", "| 1,000, 16, 100 |"},
		{"uijson/uitrack/tracker.go", "maxDiagnostics = 1000 ", "| 1,000, 16, 100 |"},
		{"uijson/uitrack/tracker.go", "maxEarlier     = 100", "| 1,000, 16, 100 |"},
		{"uijson/uitrack/hook.go", "limit = 10", "| uijson/uitrack | lines of provisioner output for a cycle | 10 | `Tracker.TailLines` |"},
		{"registry/limits.go", "l.Discovery = cmp.Or(l.Discovery, 1*mib)", "| 1 MiB, 8 MiB, 1 MiB, 64 KiB | `Limits` |"},
		{"registry/limits.go", "l.Metadata = cmp.Or(l.Metadata, 8*mib)", "| 1 MiB, 8 MiB, 1 MiB, 64 KiB | `Limits` |"},
		{"registry/limits.go", "l.Checksums = cmp.Or(l.Checksums, 1*mib)", "| 1 MiB, 8 MiB, 1 MiB, 64 KiB | `Limits` |"},
		{"registry/limits.go", "l.Signature = cmp.Or(l.Signature, 64<<10)", "| 1 MiB, 8 MiB, 1 MiB, 64 KiB | `Limits` |"},
		{"registry/limits.go", "l.Package = cmp.Or(l.Package, 1<<30)", "| registry | package | 1 GiB | `Limits.Package` |"},
		{"registry/limits.go", "cmp.Or(l.Redirects, 5)", "| registry | redirects; elements of a response, of a list of a provider's versions | 5; 100,000, 600,000 |"},
		{"registry/json.go", "maxVersionElements = 600_000", "| registry | redirects; elements of a response, of a list of a provider's versions | 5; 100,000, 600,000 |"},
		{"registry/json.go", "maxElements = 100_000", "| registry | redirects; elements of a response, of a list of a provider's versions | 5; 100,000, 600,000 |"},
		{"registry/json.go", "maxVersionText = 1 << 20", "| registry | all versions of a list, as text; a URL | 1 MiB; 64 KiB |"},
		{"registry/json.go", "maxURL = 64 << 10", "| registry | all versions of a list, as text; a URL | 1 MiB; 64 KiB |"},
		{"registry/limits.go", "cmp.Or(l.Timeout, 10*time.Second)", "| 10 s; 30 s | `Limits.Timeout`, `.Stall` |"},
		{"registry/limits.go", "cmp.Or(l.Stall, 30*time.Second)", "| 10 s; 30 s | `Limits.Timeout`, `.Stall` |"},
		{"registry/limits.go", "cmp.Or(r.Attempts, 3)", "| registry | attempts, longest wait between them | 3, 30 s | `Retry` |"},
		{"registry/limits.go", "cmp.Or(r.MaxDelay, 30*time.Second)", "| registry | attempts, longest wait between them | 3, 30 s | `Retry` |"},
		{"registry/download.go", "maxAttempts = 10_000", "| registry | attempts at a download that makes progress each time | 10,000 |"},
		{"registry/client.go", "positive(c.Downloads, 64), 0)", "| registry | requests and downloads at once from one origin; origins at once | 64, 64; 8 |"},
		{"registry/client.go", "positive(c.Requests, 64), lendAfter)", "| registry | requests and downloads at once from one origin; origins at once | 64, 64; 8 |"},
		{"registry/slots.go", "originsAtOnce = 8", "| registry | requests and downloads at once from one origin; origins at once | 64, 64; 8 |"},
		{"registry/keywork.go", "maxKeyWork       = 100 *", "| registry | estimated work to read a key, to check a signature | 100 ms, 400 ms |"},
		{"registry/keywork.go", "maxSignatureWork = 400 *", "| registry | estimated work to read a key, to check a signature | 100 ms, 400 ms |"},
		{"registry/limits.go", "cmp.Or(l.Slow, 32<<10)", "| registry | bytes that a download must deliver in each `Stall`; its total time | 32 KiB; 4 hours |"},
		{"registry/limits.go", "cmp.Or(l.Total, 4*time.Hour)", "| registry | bytes that a download must deliver in each `Stall`; its total time | 32 KiB; 4 hours |"},
		{"registry/modules.go", "maxLocation = 1 << 20", "| registry | response with the location of a module | 1 MiB |"},
		{"registry/limits.go", "cmp.Or(l.Memory, 64*mib)", "| registry | cached responses, in memory | 64 MiB |"},
		{"registry/filesystem.go", "maxDirEntries = 100_000", "| registry | names in one directory of a filesystem mirror | 100,000 |"},
		{"registry/cliconfig/native.go", "maxDepth = 20", "| registry/cliconfig | a file of the CLI configuration; its nesting | 4 MiB; 20 |"},
		{"registry/limits.go", "l.Files = cmp.Or(l.Files, 20_000)", "| 20,000, 4 GiB, 100 | `Limits.Files`, `.Unpacked`, `.Ratio` |"},
		{"registry/limits.go", "l.Unpacked = cmp.Or(l.Unpacked, 4<<30)", "| 20,000, 4 GiB, 100 | `Limits.Files`, `.Unpacked`, `.Ratio` |"},
		{"registry/limits.go", "l.Ratio = cmp.Or(l.Ratio, 100)", "| 20,000, 4 GiB, 100 | `Limits.Files`, `.Unpacked`, `.Ratio` |"},
		{"registry/signature.go", "maxKeys       = 64 ", "| 64, 256 KiB, 1,000, 16 |"},
		{"registry/signature.go", "maxArmor      = 256 << 10 ", "| 64, 256 KiB, 1,000, 16 |"},
		{"registry/signature.go", "maxKeyPackets = 1000 ", "| 64, 256 KiB, 1,000, 16 |"},
		{"registry/signature.go", "maxSignatures = 16 ", "| 64, 256 KiB, 1,000, 16 |"},
		{"registry/signature.go", "maxRSABits    = 16384", "| registry | bits of an RSA key, of a DSA key | 16,384, 4,096 |"},
		{"registry/signature.go", "maxDSABits    = 4096", "| registry | bits of an RSA key, of a DSA key | 16,384, 4,096 |"},
		{"registry/helper.go", "cmp.Or(h.Timeout, 30*time.Second)", "| 30 s, 64 KiB | `CredentialsHelper.Timeout`; - |"},
		{"registry/helper.go", "maxHelperOutput = 64 << 10", "| 30 s, 64 KiB | `CredentialsHelper.Timeout`; - |"},
		{"internal/hcllex/nesting.go", "MaxNesting = 10000", "which would end the process | 10,000 |"},
		{"hclconfig/file.go", "> math.MaxInt32", "| hclconfig | size of a file | 2 GiB |"},
		{"planjson/plandiff/value.go", "maxDocument = 4 << 20", "| plandiff | a string that is compared as a JSON document; longer ones are compared as text | 4 MiB |"},
		{"planjson/plandiff/lines.go", "maxLines = 1 << 17", "| plandiff | different lines of a text that are compared one by one; beyond, all are shown as removed and added | 131,072 |"},
		{"registry/cliconfig/environment.go", "maxFile  = 4 << 20", "| registry/cliconfig | a file of the CLI configuration; its nesting | 4 MiB; 20 |"},
		{"registry/install/unarchive.go", "maxName      = 1000 // bytes\n\tmaxNameDepth = 30", "| registry/install | name of an entry of a module archive: bytes, levels | 1,000, 30 |"},
		{"registry/ocimirror/mirror.go", "maxTagsWait = 10 * time.Minute", "with all retries; all pages | 1 minute; 10 minutes |"},
		{"registry/ocimirror/mirror.go", "maxManifest = 4 << 20 // bytes\n\tmaxTags     = 100_000", "| registry/ocimirror | manifest; tags of a repository | 4 MiB; 100,000 |"},
		{"hclconfig/hclnames/tree.go", "maxTree = 10000", "| hclconfig/hclnames | modules of a tree | 10,000 |"},
		{"hclconfig/hclnames/tree.go", "maxTreeText    = 32 << 20", "counts twice | 32 MiB, and 64 times the text without repetitions |"},
		{"hclconfig/hclnames/instances.go", "maxInstances = 100", "beyond, values are unknown | 100; 4 MiB |"},
		{"hclconfig/hclnames/instances.go", "maxInstanceText              = 4 << 20", "beyond, values are unknown | 100; 4 MiB |"},
		{"hclconfig/internal/hcleval/cost.go", "maxCost, maxCosts = 1 << 18, 1 << 21", "beyond, values are unknown | 262,144, 2,097,152 parts |"},
		{"hclconfig/hcllint/block.go", "maxInstances = 1000", "elements of a dynamic block, that are distinguished; rounds of fixes | 1,000; 100 |"},
		{"hclconfig/hcllint/mend.go", "maxRounds = 100", "elements of a dynamic block, that are distinguished; rounds of fixes | 1,000; 100 |"},
		{"hclconfig/hcllint/settings.go", "maxSettings = 1 << 20", "| hclconfig/hcllint | a configuration file of a linter | 1 MiB |"},
		{"hclconfig/hclconvert/json_value.go", "maxIndent = 50", "below which an expression stays one | 50 |"},
	} {
		if !strings.Contains(string(read(t, tt.file)), tt.code) {
			t.Errorf("%s does not have %q: is SECURITY.md still right?", tt.file, tt.code)
		}
		if !strings.Contains(security, tt.row) {
			t.Errorf("SECURITY.md does not say %q, as %s does", tt.row, tt.file)
		}
	}
}

// TestPromises checks that COMPATIBILITY.md says of each public package, and of no
// other, whether it is stable.
func TestPromises(t *testing.T) {
	_, table, _ := strings.Cut(string(read(t, "COMPATIBILITY.md")), "\n## Packages\n")
	table, _, _ = strings.Cut(table, "\n## ")
	said := map[string]bool{"registry/ocimirror": true, "cmd/tofuwire": true} // modules of their own
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| (stable|experimental) \\| [^|]+ \\|$").FindAllStringSubmatch(table, -1) {
		if _, ok := mayImport[m[1]]; !ok && !said[m[1]] {
			t.Errorf("COMPATIBILITY.md has a row for %s, which there is not", m[1])
		}
		said[m[1]] = true
	}
	for pkg := range mayImport {
		if !said[pkg] {
			t.Errorf("COMPATIBILITY.md does not say whether %s is stable", pkg)
		}
	}
}

// TestMarkdownLinks checks that the relative links of all pages lead somewhere.
func TestMarkdownLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)|srcset="([^"]+)"|src="([^"]+)"`)
	code := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`") // f[T](x) is no link
	pages := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".md" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		pages++
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), "code"), -1) {
			target, _, _ := strings.Cut(m[1]+m[2]+m[3], "#")
			if target == "" || strings.Contains(target, ":") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), filepath.FromSlash(target))); err != nil {
				t.Errorf("%s has a dead link to %s", name, target)
			}
		}
		return nil
	})
	if err != nil || pages < 10 {
		t.Errorf("%d pages: %v", pages, err)
	}
}

// TestPageLists checks that no list on the page of a package is shown as code,
// which is what happens to one that follows code directly.
func TestPageLists(t *testing.T) {
	list := regexp.MustCompile(`(?m)^//\t+ *- `)
	pages := 0
	for _, name := range goFiles(t) {
		if filepath.Base(name) == "doc.go" {
			pages++
			if m := list.FindString(string(read(t, name))); m != "" {
				t.Errorf("%s has a list that is shown as code", name)
			}
		}
	}
	if pages < 15 {
		t.Errorf("only %d pages were found", pages)
	}
}
