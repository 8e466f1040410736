// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"fmt"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

// manyLocks returns the locks of n providers with 18 hashes each.
func manyLocks(n int) lockfile.Locks {
	l := make(lockfile.Locks, n)
	for i := range l {
		l[i] = lockfile.Lock{
			Provider:    addrs.MustParseProvider(fmt.Sprintf("registry.opentofu.org/acme/type%03d", i)),
			Version:     version("1.2.3"),
			Constraints: constraints("~> 1.2"),
		}
		for j := range 18 {
			l[i].Hashes = append(l[i].Hashes, lockfile.Hash(fmt.Sprintf("zh:%064x", i*1000+j)))
		}
	}
	return l
}

func BenchmarkParse(b *testing.B) {
	src := manyLocks(100).Canonical(addrs.OpenTofu)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := lockfile.Parse(lockfile.Name, src); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseFallback reads a file with one block that only the HCL parser
// reads.
func BenchmarkParseFallback(b *testing.B) {
	src := append(manyLocks(100).Canonical(addrs.OpenTofu), "provider \"ex.com/a/b\" { version = \"1.0.0\" }\n"...)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := lockfile.Parse(lockfile.Name, src); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	l := manyLocks(100)
	b.SetBytes(int64(len(l.Canonical(addrs.OpenTofu))))
	b.ReportAllocs()
	for b.Loop() {
		l.Canonical(addrs.OpenTofu)
	}
}

// BenchmarkAddHashes edits one lock of 50, 200 and 800.
func BenchmarkAddHashes(b *testing.B) {
	for _, n := range []int{50, 200, 800} {
		b.Run(fmt.Sprintf("providers=%d", n), func(b *testing.B) {
			l := manyLocks(n)
			f := parse(b, string(l.Canonical(addrs.OpenTofu)))
			b.SetBytes(int64(len(f.Bytes())))
			b.ReportAllocs()
			for b.Loop() {
				if err := f.Clone().AddHashes(l[n/2].Provider, "h1:new"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
