// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

// makeLocks makes the locks of n providers with 18 hashes each, as a registry
// that signs gives them: 6 of scheme h1 and 12 of scheme zh.
func makeLocks(n int) lockfile.Locks {
	locks := make(lockfile.Locks, n)
	for i := range locks {
		locks[i] = lockfile.Lock{
			Provider:    addrs.MustParseProvider(fmt.Sprintf("registry.opentofu.org/namespace%d/type%d", i/10, i)),
			Version:     addrs.MustParseVersion(fmt.Sprintf("%d.%d.0", 1+i%7, i%31)),
			Constraints: addrs.MustParseConstraints(fmt.Sprintf(">= %d.0.0, < 99.0.0", i%3)),
		}
		for j := range 18 {
			sum := sha256.Sum256([]byte(fmt.Sprint(i, j)))
			h := lockfile.Hash(fmt.Sprintf("zh:%x", sum))
			if j < 6 {
				h = lockfile.Hash("h1:" + base64.StdEncoding.EncodeToString(sum[:]))
			}
			locks[i].Hashes = append(locks[i].Hashes, h)
		}
	}
	return locks
}

// hclLocks is a lock file for gohcl.
type hclLocks struct {
	Providers []struct {
		Source      string   `hcl:"source,label"`
		Version     string   `hcl:"version"`
		Constraints string   `hcl:"constraints,optional"`
		Hashes      []string `hcl:"hashes,optional"`
	} `hcl:"provider,block"`
}

// BenchmarkParseLock reads a lock file that a machine wrote. The peers read it
// the two ways there are: with hclwrite, which keeps the text for editing, and
// with hclparse and gohcl, which gives values.
func BenchmarkParseLock(b *testing.B) {
	for _, n := range []int{8, 100} {
		src := makeLocks(n).Canonical(addrs.OpenTofu)
		compare(b, strconv.Itoa(n)+"providers", int64(len(src)),
			impl{"hclwrite", func() error {
				_, diags := hclwrite.ParseConfig(src, lockfile.Name, hcl.InitialPos)
				return errorOf(diags)
			}},
			impl{"hclparse", func() error {
				file, diags := hclparse.NewParser().ParseHCL(src, lockfile.Name)
				if diags.HasErrors() {
					return diags
				}
				var locks hclLocks
				return errorOf(gohcl.DecodeBody(file.Body, nil, &locks))
			}},
			impl{"tofuwire", func() error {
				_, err := lockfile.Parse(lockfile.Name, src)
				return err
			}},
			impl{"tofuwire-with-locks", func() error {
				f, err := lockfile.Parse(lockfile.Name, src)
				if len(f.Locks()) != n {
					return fmt.Errorf("%d locks", len(f.Locks()))
				}
				return err
			}},
		)
	}
}

// errorOf returns diags as an error if there is one among them.
func errorOf(diags hcl.Diagnostics) error {
	if diags.HasErrors() {
		return diags
	}
	return nil
}

// BenchmarkEditLock reads a lock file, adds a hash to one provider in its
// middle, and gives the bytes. The peer is hclwrite, which sets the whole list
// and loses its layout.
func BenchmarkEditLock(b *testing.B) {
	const added = "h1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	for _, n := range []int{50, 200, 800} {
		locks := makeLocks(n)
		src := locks.Canonical(addrs.OpenTofu)
		provider := locks[n/2].Provider
		compare(b, strconv.Itoa(n)+"providers", int64(len(src)),
			impl{"hclwrite", func() error {
				file, diags := hclwrite.ParseConfig(src, lockfile.Name, hcl.InitialPos)
				if diags.HasErrors() {
					return diags
				}
				block := file.Body().FirstMatchingBlock("provider", []string{provider.String()})
				hashes := []cty.Value{cty.StringVal(added)}
				for _, h := range locks[n/2].Hashes {
					hashes = append(hashes, cty.StringVal(string(h)))
				}
				block.Body().SetAttributeValue("hashes", cty.ListVal(hashes))
				if !bytes.Contains(file.Bytes(), []byte(added)) {
					return fmt.Errorf("no edit")
				}
				return nil
			}},
			impl{"tofuwire", func() error {
				f, err := lockfile.Parse(lockfile.Name, src)
				if err == nil {
					err = f.AddHashes(provider, added)
				}
				if !bytes.Contains(f.Bytes(), []byte(added)) {
					return fmt.Errorf("no edit")
				}
				return err
			}},
		)
	}
}
