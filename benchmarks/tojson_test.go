// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"fmt"
	"testing"

	"github.com/tmccombs/hcl2json/convert"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
)

// BenchmarkToJSON measures the conversion of a native file to JSON syntax, from
// bytes to bytes. Ours reads its result again and compares it with the source,
// knows what each argument is, and keeps order and comments.
func BenchmarkToJSON(b *testing.B) {
	for _, c := range []struct {
		size      string
		resources int
	}{{"0.1MB", 150}, {"1MB", 1500}} {
		src := []byte(newConfigModule(c.resources, true).native)
		compare(b, c.size, int64(len(src)),
			impl{"tofuwire", func() error {
				f, err := hclconfig.ParseNative("main.tf", src)
				if err != nil {
					return err
				}
				g, diags := hclconvert.ToJSON(f, hclconvert.Options{})
				if diags.HasErrors() || len(g.Bytes()) < len(src) {
					return fmt.Errorf("not converted: %v", diags)
				}
				return nil
			}},
			impl{"hcl2json", func() error {
				_, err := convert.Bytes(src, "main.tf", convert.Options{})
				return err
			}},
		)
	}
}
