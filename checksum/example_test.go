// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
)

// examplePackage returns a small provider package. Its entries have no times,
// so without compression it always has the same zh.
func examplePackage(method uint16, names ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			log.Fatal(err)
		}
		if !strings.HasSuffix(name, "/") {
			fmt.Fprintln(f, "content of", name)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}

// Fail a build when a provider package is not one that the lock file allows.
func ExampleVerify_failBuild() {
	pkg := examplePackage(zip.Deflate, "LICENSE.txt", "terraform-provider-null_v3.2.4")

	// From the "hashes" of a lock file.
	wanted := []checksum.Hash{
		"h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
		"zh:0000000000000000000000000000000000000000000000000000000000000000",
	}

	p, err := checksum.Hasher{}.ZipReaderAt(context.Background(), "null.zip", bytes.NewReader(pkg), int64(len(pkg)))
	if err != nil {
		log.Fatal(err)
	}
	// Err is nil for a match alone: neither a mismatch nor a package that
	// cannot be verified gets through.
	if err := checksum.Verify(p, wanted).Err(); err != nil {
		fmt.Println("refused, because the hashes differ:", errors.Is(err, addrs.ErrMismatch))
	}
	// Output:
	// refused, because the hashes differ: true
}

// Check an unpacked package in a plugin cache. A lock file with nothing but
// zh hashes cannot vouch for a directory, and OpenTofu would accept it.
func ExampleVerify_pluginCache() {
	cache := fstest.MapFS{"terraform-provider-null_v3.2.4": {Data: []byte("binary\n")}, "LICENSE.txt": {Data: []byte("MPL\n")}}
	p, err := checksum.Hasher{}.FS(context.Background(), "null/3.2.4/linux_amd64", cache)
	if err != nil {
		log.Fatal(err)
	}
	for _, wanted := range []checksum.Hash{
		"zh:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
		p.H1,
	} {
		v := checksum.Verify(p, []checksum.Hash{wanted})
		fmt.Println(v.Verdict, v.Matched)
	}
	// Output:
	// not verifiable []
	// match [h1:xBUEkNempCjluas6a7SKaxLINMd2cjxikYejtIdVqqY=]
}

// Find out whether everybody will calculate the same h1 for a package.
func ExamplePackage_FormsDiffer_checkRelease() {
	pkg := examplePackage(zip.Deflate, "docs/", "docs/index.md", "terraform-provider-null_v3.2.4")
	p, err := checksum.Hasher{}.ZipReaderAt(context.Background(), "null.zip", bytes.NewReader(pkg), int64(len(pkg)))
	if err != nil {
		log.Fatal(err)
	}
	if p.FormsDiffer() {
		fmt.Println("tofu init, before extraction:", p.H1)
		fmt.Println("lock file, after extraction: ", p.Extracted)
		for _, w := range p.Warnings {
			fmt.Println(w)
		}
	}
	// Output:
	// tofu init, before extraction: h1:vm092dBU/2b6qtxJo10NDucgO+GyaH5PMBD2GQeMNgs=
	// lock file, after extraction:  h1:5UPYRBVSXwBf/yxEflgrwRcBGXnLInn1fC5GnJPaxtI=
	// entry "docs/": entry for a directory
}

// Refuse a package that would write outside of its directory, and say why.
func ExampleHasher_Zip_hostile() {
	pkg := examplePackage(zip.Deflate, "terraform-provider-null_v3.2.4", "../../.ssh/authorized_keys")
	_, err := checksum.Hasher{}.ZipReaderAt(context.Background(), "null.zip", bytes.NewReader(pkg), int64(len(pkg)))
	var e *checksum.Error
	if errors.As(err, &e) && errors.Is(err, checksum.ErrUnsafeName) {
		fmt.Println(e.Filename, "has", e.Entry)
	}
	// Output:
	// null.zip has ../../.ssh/authorized_keys
}

// Write a download to a file and hash it meanwhile, instead of reading it a
// second time.
func ExampleHasher_Stream_download() {
	body := bytes.NewReader(examplePackage(zip.Deflate, "LICENSE.txt", "terraform-provider-null_v3.2.4")) // of an HTTP response
	var file bytes.Buffer                                                                                 // a temporary file

	p, err := checksum.Hasher{}.Stream(context.Background(), "null.zip", io.TeeReader(body, &file))
	if errors.Is(err, checksum.ErrNotStreamable) {
		// A rare layout. TeeReader may not have seen all of the body.
		if _, err = io.Copy(&file, body); err == nil {
			p, err = checksum.Hasher{}.ZipReaderAt(context.Background(), "null.zip", bytes.NewReader(file.Bytes()), int64(file.Len()))
		}
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.H1, p.Size == int64(file.Len()))
	// Output:
	// h1:TXcIF3mmKUaHDUqTBIVBA27LPTgSBuUNBVnw20ZpUOw= true
}

// Write the SHA256SUMS document for the packages of a release.
func ExampleHasher_All_release() {
	dir, err := os.MkdirTemp("", "dist")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	var paths []string
	for _, platform := range []string{"darwin_arm64", "linux_amd64"} {
		path := filepath.Join(dir, "terraform-provider-null_3.2.4_"+platform+".zip")
		if err := os.WriteFile(path, examplePackage(zip.Store, "terraform-provider-null_v3.2.4"), 0o644); err != nil {
			log.Fatal(err)
		}
		paths = append(paths, path)
	}

	var sums checksum.Sums
	for p, err := range (checksum.Hasher{}).All(context.Background(), paths) {
		if err != nil {
			log.Fatal(err)
		}
		if err := sums.Set(filepath.Base(p.Name), p.ZH); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("%s", sums.Bytes())
	// Output:
	// 716187e84d3ec2e8567219487a817cc4da060d14118f0f90523baf7865ecec37  terraform-provider-null_3.2.4_darwin_arm64.zip
	// 716187e84d3ec2e8567219487a817cc4da060d14118f0f90523baf7865ecec37  terraform-provider-null_3.2.4_linux_amd64.zip
}

// Take only the packages of one version from a SHA256SUMS document: the hash
// of the manifest has no business in a lock file.
func ExampleParseSums_lockHashes() {
	src := `
a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1  terraform-provider-null_3.2.4_linux_amd64.zip
b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2  terraform-provider-null_3.2.4_manifest.json
`
	_, err := checksum.ParseSums("SHA256SUMS", []byte(src))
	fmt.Println(err)

	s, err := checksum.ParseSums("SHA256SUMS", []byte(strings.TrimLeft(src, "\n")))
	if err != nil {
		log.Fatal(err)
	}
	hashes, err := s.PackageHashes("null", "3.2.4")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hashes)
	// Output:
	// checksum: SHA256SUMS:1,1: blank line
	// [zh:a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1]
}

// Find the hashes of a lock file that no package can have: a mistyped one never matches.
func ExampleDigest() {
	for _, h := range []checksum.Hash{
		"h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
		"zh:7e9a81c1d77ffe5ff461b1ea5abc67edb1484b2faec703c29cf2638e962f78a6",
		"zh:7e9a81c1d77ffe5ff461b1ea5abc67edb1484b2faec703c29cf2638e962f78",
	} {
		sum, ok := checksum.Digest(h)
		fmt.Printf("%t %x\n", ok, sum[:4])
	}
	// Output:
	// true e3b0c442
	// true 7e9a81c1
	// false 00000000
}

// Read a document in OpenTofu's manner, which skips what it cannot use, and list what it names.
func ExampleParseSumsLax() {
	sums := checksum.ParseSumsLax("SHA256SUMS", []byte("7e9a81c1d77ffe5ff461b1ea5abc67edb1484b2faec703c29cf2638e962f78a6  a.zip\n\nshort\tb.zip  # more\n"))
	for line := range sums.Lines() {
		fmt.Printf("line %d: %s %q\n", line.Line, line.Name, line.Hash.Scheme())
	}
	_, err := sums.Find("b.zip")
	fmt.Println(err != nil)
	// Output:
	// line 1: a.zip "zh"
	// line 3: b.zip ""
	// true
}
