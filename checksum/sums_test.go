// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/checksum"
)

var (
	digestA = strings.Repeat("a1", 32)
	digestB = strings.Repeat("b2", 32)
	digestC = strings.Repeat("c3", 32)
)

const (
	linuxZip  = "terraform-provider-null_3.2.4_linux_amd64.zip"
	darwinZip = "terraform-provider-null_3.2.4_darwin_arm64.zip"
	manifest  = "terraform-provider-null_3.2.4_manifest.json"
)

// sumsTests are documents, with what the strict parser says, what Find says
// of linuxZip in the document, and what Hashes says, in OpenTofu's manner.
var sumsTests = []struct {
	name, src string
	strict    string // the error, or ""
	find      string // the digest, or "!" and the error
	first     string // the same for FindFirst; if empty, as find
}{
	{
		name: "as it should be",
		src:  digestA + "  " + darwinZip + "\n" + digestB + "  " + linuxZip + "\n",
		find: digestB,
	}, {
		name: "empty",
		find: "!checksum: S: \"" + linuxZip + `": name is not listed`,
	}, {
		name: "no newline at the end",
		src:  digestA + "  " + linuxZip,
		find: digestA,
	}, {
		name: "manifest",
		src:  digestA + "  " + manifest + "\n" + digestB + "  " + linuxZip + "\n",
		find: digestB,
	}, {
		name:   "blank line",
		src:    digestA + "  " + linuxZip + "\n\n",
		strict: "S:2,1: blank line",
		find:   digestA,
	}, {
		name:   "white space only",
		src:    " \t\n" + digestA + "  " + linuxZip + "\n",
		strict: "S:1,1: blank line",
		find:   digestA,
	}, {
		name:   "CRLF",
		src:    digestA + "  " + linuxZip + "\r\n",
		strict: "S:1,112: carriage return",
		find:   digestA,
	}, {
		name:   "byte order mark",
		src:    "\ufeff" + digestA + "  " + linuxZip + "\n" + digestB + "  " + darwinZip + "\n",
		strict: "S:1,1: byte order mark",
		find:   "!checksum: S:1,1: not a digest",
	}, {
		name:   "byte order mark on another line than the wanted one",
		src:    "\ufeff" + digestB + "  " + darwinZip + "\n" + digestA + "  " + linuxZip + "\n",
		strict: "S:1,1: byte order mark",
		find:   digestA,
	}, {
		name:   "two digests for a name",
		src:    digestA + "  " + linuxZip + "\n" + digestB + "  " + linuxZip + "\n",
		strict: "S:2,67: several entries have this name",
		find:   "!checksum: S:2,67: " + linuxZip + ": name is listed with different digests",
		first:  digestA,
	}, {
		name:   "one digest twice",
		src:    digestA + "  " + linuxZip + "\n" + strings.ToUpper(digestA) + "  " + linuxZip + "\n",
		strict: "S:2,1: not a digest: want 64 hexadecimal digits in lower case",
		find:   digestA,
	}, {
		name:   "upper case",
		src:    strings.ToUpper(digestA) + "  " + linuxZip + "\n",
		strict: "S:1,1: not a digest: want 64 hexadecimal digits in lower case",
		find:   digestA,
	}, {
		name:   "digest too long",
		src:    digestA + "0  " + linuxZip + "\n",
		strict: "S:1,65: not a digest: want 64 hexadecimal digits in lower case",
		find:   "!checksum: S:1,1: not a digest",
	}, {
		name:   "digest too short",
		src:    digestA[1:] + "  " + linuxZip + "\n",
		strict: "S:1,64: not a digest: want 64 hexadecimal digits in lower case",
		find:   "!checksum: S:1,1: not a digest",
	}, {
		name:   "tab and more fields",
		src:    "  " + digestA + "\t" + linuxZip + " more\n",
		strict: "S:1,1: not a digest: want 64 hexadecimal digits in lower case",
		find:   digestA,
	}, {
		name:   "one space",
		src:    digestA + " " + linuxZip + "\n",
		strict: "S:1,65: want two spaces after the digest",
		find:   digestA,
	}, {
		name:   "binary mark",
		src:    digestA + " *" + linuxZip + "\n",
		strict: "S:1,65: want two spaces after the digest",
		find:   "!checksum: S: \"" + linuxZip + `": name is not listed`,
	}, {
		name:   "binary mark after two spaces",
		src:    digestA + "  *" + linuxZip + "\n",
		strict: "S:1,67: mark for a binary file",
		find:   "!checksum: S: \"" + linuxZip + `": name is not listed`,
	}, {
		name:   "directory",
		src:    digestA + "  ./" + linuxZip + "\n",
		strict: "S:1,68: name has a separator",
		find:   "!checksum: S: \"" + linuxZip + `": name is not listed`,
	}, {
		name:   "name with a space",
		src:    digestA + "  a b\n",
		strict: "S:1,68: name has white space or a control character",
		find:   "!checksum: S: \"" + linuxZip + `": name is not listed`,
	}, {
		name:   "name with a control character",
		src:    digestA + "  a\x1b[2J\n",
		strict: "S:1,68: name has white space or a control character",
		find:   "!checksum: S: \"" + linuxZip + `": name is not listed`,
	}, {
		name:   "name that is not UTF-8",
		src:    digestA + "  a\xff\n",
		strict: "S:1,67: name is not UTF-8",
		find:   "!checksum: S: \"" + linuxZip + `": name is not listed`,
	}, {
		name:   "no name",
		src:    digestA + "  \n",
		strict: "S:1,67: name is missing",
		find:   "!checksum: S: \"" + linuxZip + `": name is not listed`,
	}, {
		name:   "BSD style",
		src:    "SHA256 (" + linuxZip + ") = " + digestA + "\n",
		strict: "S:1,1: not a digest: want 64 hexadecimal digits in lower case",
		find:   "!checksum: S: \"" + linuxZip + `": name is not listed`,
	}, {
		name:   "a page of HTML",
		src:    "<html>\nnot found\n",
		strict: "S:1,1: not a digest: want 64 hexadecimal digits in lower case",
		find:   "!checksum: S: \"" + linuxZip + `": name is not listed`,
	}, {
		name:   "a line of 64 KiB",
		src:    digestA + "  " + linuxZip + "\n" + digestB + "  " + strings.Repeat("x", 1<<16) + "\n" + digestC + "  c\n",
		find:   digestA,
		strict: "",
	},
}

// outcome writes hashes or an error in the manner of sumsTests.
func outcome(hashes []checksum.Hash, err error) string {
	if err != nil {
		return "!" + err.Error()
	}
	var digests []string
	for _, h := range hashes {
		digests = append(digests, h.Value())
	}
	return strings.Join(digests, " ")
}

func TestSums(t *testing.T) {
	for _, tt := range sumsTests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := checksum.ParseSums("S", []byte(tt.src))
			if tt.strict != "" {
				var e *checksum.Error
				if err == nil || err.Error() != "checksum: "+tt.strict || !errors.As(err, &e) {
					t.Fatalf("got %v, want %s", err, tt.strict)
				}
				// The offset and the line and column are one place.
				before := tt.src[:e.Offset]
				if e.Line != 1+strings.Count(before, "\n") || e.Column != len(before)-strings.LastIndex(before, "\n") {
					t.Errorf("offset %d is not line %d, column %d", e.Offset, e.Line, e.Column)
				}
			} else if err != nil {
				t.Errorf("got %v", err)
			} else if string(s.Bytes()) != tt.src {
				t.Errorf("strict: not lossless")
			}

			s = checksum.ParseSumsLax("S", []byte(tt.src))
			if string(s.Bytes()) != tt.src {
				t.Errorf("not lossless:\n%q", s.Bytes())
			}
			h, err := s.Find(linuxZip)
			if got := outcome([]checksum.Hash{h}, err); got != tt.find {
				t.Errorf("Find: got %s\nwant %s", got, tt.find)
			}
			first := tt.first
			if first == "" {
				first = tt.find
			}
			h, err = s.FindFirst(linuxZip)
			if got := outcome([]checksum.Hash{h}, err); got != first {
				t.Errorf("FindFirst: got %s\nwant %s", got, first)
			}
		})
	}
}

func FuzzSums(f *testing.F) {
	for _, tt := range sumsTests {
		f.Add([]byte(tt.src), linuxZip)
	}
	f.Fuzz(func(t *testing.T, src []byte, name string) {
		s := checksum.ParseSumsLax("S", src)
		if !bytes.Equal(s.Bytes(), src) {
			t.Fatalf("not lossless: %q", s.Bytes())
		}
		if strict, err := checksum.ParseSums("S", src); err == nil {
			n := 0
			for l := range strict.Lines() {
				n++
				if h, err := strict.Find(l.Name); err != nil || h != l.Hash {
					t.Errorf("line %d: %v, %v", l.Line, h, err)
				}
			}
			if n != len(slices.Collect(strings.Lines(string(src)))) {
				t.Errorf("%d lines have names", n)
			}
		}

		// A name that was set is found, a removed one is not, and other lines stay.
		h := checksum.Hash("zh:" + digestC)
		if err := s.Set(name, h); err != nil {
			if !bytes.Equal(s.Bytes(), src) {
				t.Error("a failed Set changed something")
			}
			return
		}
		again := checksum.ParseSumsLax("S", s.Bytes())
		if got, err := again.Find(name); err != nil || got != h {
			t.Fatalf("%q was set and is %v, %v", name, got, err)
		}
		others := func(s *checksum.Sums) (all []checksum.SumsLine) {
			for l := range s.Lines() {
				if l.Name != name {
					all = append(all, checksum.SumsLine{Name: l.Name, Hash: l.Hash})
				}
			}
			return all
		}
		before := others(checksum.ParseSumsLax("S", src))
		if d := cmp.Diff(before, others(again)); d != "" {
			t.Error(d)
		}
		if !again.Remove(name) || again.Remove(name) || !slices.Equal(before, others(again)) {
			t.Error("Remove does not remove it, or more")
		}
		if _, err := again.Find(name); !errors.Is(err, checksum.ErrNotListed) {
			t.Errorf("after Remove: %v", err)
		}
	})
}

func TestSumsEdit(t *testing.T) {
	h := checksum.Hash("zh:" + digestC)
	tests := []struct{ name, src, want string }{
		{"first line", "", digestC + "  x\n"},
		{"new line", digestA + "  a\n", digestA + "  a\n" + digestC + "  x\n"},
		{"new line after one that does not end", digestA + "  a", digestA + "  a\n" + digestC + "  x\n"},
		{"new line, CRLF", digestA + "  a\r\n" + digestB + "  b", digestA + "  a\r\n" + digestB + "  b\r\n" + digestC + "  x\r\n"},
		{"only the digest changes", "\n " + digestA + "\tx  # old\r\n" + digestB + "  b\n", "\n " + digestC + "\tx  # old\r\n" + digestB + "  b\n"},
		{"both lines", digestA + "  x\n" + digestB + "  x\n", digestC + "  x\n" + digestC + "  x\n"},
		{"the same digest keeps its case", strings.ToUpper(digestC) + "  x\n", strings.ToUpper(digestC) + "  x\n"},
		{"not a digest before", "oops x\n", digestC + " x\n"},
	}
	for _, tt := range tests {
		s := checksum.ParseSumsLax("S", []byte(tt.src))
		if err := s.Set("x", h); err != nil || string(s.Bytes()) != tt.want {
			t.Errorf("%s: got %v\n%q\nwant\n%q", tt.name, err, s.Bytes(), tt.want)
		}
	}
	var zero checksum.Sums
	for name, h := range map[string]string{"": "zh:" + digestA, "a b": "zh:" + digestA, "a": "zh:x", "b": goodH1} {
		if err := zero.Set(name, checksum.Hash(h)); err == nil || len(zero.Bytes()) > 0 {
			t.Errorf("Set(%q, %s): %v", name, h, err)
		}
	}
	if zero.Remove("") || zero.Remove("a") {
		t.Error("something was removed from nothing")
	}
}

func TestSumsLines(t *testing.T) {
	src := digestA + "  a\n\nx y\nz\n" + digestB + "  b"
	want := []checksum.SumsLine{
		{Line: 1, Offset: 0, Name: "a", Hash: checksum.Hash("zh:" + digestA)},
		{Line: 3, Offset: 69, Name: "y"},
		{Line: 5, Offset: 75, Name: "b", Hash: checksum.Hash("zh:" + digestB)},
	}
	s := checksum.ParseSumsLax("S", []byte(src))
	if got := slices.Collect(s.Lines()); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for range s.Lines() {
		break
	}
}

func TestSumsPackageHashes(t *testing.T) {
	src := digestA + "  " + manifest + "\n" + digestB + "  " + linuxZip + "\n" + digestC + "  " + darwinZip + "\n" +
		digestA + "  terraform-provider-null_3.2.3_linux_amd64.zip\n" + digestA + "  terraform-provider-nil_3.2.4_linux_amd64.zip\n"
	s := checksum.ParseSumsLax("S", []byte(src))
	if got := outcome(s.PackageHashes("null", "3.2.4")); got != digestB+" "+digestC {
		t.Errorf("got %s", got)
	}
	if got := outcome(s.PackageHashes("null", "9.9.9")); got != "" {
		t.Errorf("got %s", got)
	}
	if _, err := checksum.ParseSumsLax("S", []byte("oops "+linuxZip)).PackageHashes("null", "3.2.4"); err == nil {
		t.Error("no error for a line without a digest")
	}
	if got := outcome(checksum.ParseSumsLax("S", []byte(src+src)).PackageHashes("null", "3.2.4")); got != digestB+" "+digestC {
		t.Errorf("twice: got %s", got)
	}
	twice := checksum.ParseSumsLax("S", []byte(src+digestA+"  "+linuxZip+"\n"))
	if _, err := twice.PackageHashes("null", "3.2.4"); !errors.Is(err, checksum.ErrAmbiguous) {
		t.Errorf("got %v", err)
	}
}

func TestPackageFile(t *testing.T) {
	for name, want := range map[string]checksum.PackageFile{
		linuxZip: {"null", "3.2.4", "linux", "amd64"},
		"terraform-provider-my_own-x_1.0.0-beta.1+b_windows_386.zip": {"my_own-x", "1.0.0-beta.1+b", "windows", "386"},
	} {
		got, ok := checksum.ParsePackageFile(name)
		if !ok || got != want || got.String() != name {
			t.Errorf("%s gives %v, %v", name, got, ok)
		}
	}
	for _, name := range []string{
		"", manifest, "terraform-provider-null_3.2.4_linux.zip", "null_3.2.4_linux_amd64.zip", linuxZip + ".sig",
		"terraform-provider-_3.2.4_linux_amd64.zip", "terraform-provider-a_1__b.zip", "terraform-provider-a_1.0.0_../x_amd64.zip",
	} {
		if f, ok := checksum.ParsePackageFile(name); ok || f != (checksum.PackageFile{}) {
			t.Errorf("%q gives %v", name, f)
		}
	}
}
