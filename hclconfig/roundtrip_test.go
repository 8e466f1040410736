// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
)

func mustParse(t testing.TB, name, src string, opts ...hclconfig.Option) *hclconfig.File {
	t.Helper()
	f, err := hclconfig.Parse(name, []byte(src), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRoundTrip(t *testing.T) {
	for _, fx := range configshow.Fixtures(t, "testdata", "hclconvert/testdata") {
		t.Run(strings.TrimPrefix(fx.Name, "testdata/"), func(t *testing.T) {
			before := bytes.Clone(fx.Src)
			f, err := hclconfig.Parse(fx.Name, fx.Src)
			if broken := strings.Contains(fx.Name, "syntax/") && strings.Contains(fx.Name, "/broken/") && !strings.HasSuffix(fx.Name, "main.tf.json"); broken != (err != nil) {
				t.Fatalf("error: %v", err)
			}
			if !bytes.Equal(f.Bytes(), before) {
				t.Error("the bytes are not those that were parsed")
			}
			if err != nil {
				return
			}
			// An editor without edits changes nothing either.
			same, err := hcledit.Edit(f).Apply()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(same.Bytes(), before) {
				t.Error("no edit is an edit")
			}
			if c := f.Clone(); !bytes.Equal(c.Bytes(), before) || c.Filename() != f.Filename() {
				t.Error("the clone differs")
			}
		})
	}
}

// TestCloneDetaches shows that a clone does not see what happens to the input.
func TestCloneDetaches(t *testing.T) {
	src := []byte(`{"variable": {"x": {"default": "abc"}}}`)
	f, err := hclconfig.ParseJSON("x.tf.json", src)
	if err != nil {
		t.Fatal(err)
	}
	c := f.Clone()
	copy(src, "????????")
	if v := c.Config().Variables[0]; v.Name != "x" || v.Default.Raw() != `"abc"` {
		t.Errorf("the clone has %s = %s", v.Name, v.Default)
	}
}
