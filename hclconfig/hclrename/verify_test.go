// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename

import (
	"testing"
	"testing/fstest"
)

// A result must have no new errors for a program that can read the module. Errors of the
// other one do not count, as it cannot read the module anyway; without any program
// that can, all count.
func TestVerify(t *testing.T) {
	const one, two = "output \"o\" {\n  value = terraform_data.a\n}\n", "output \"o\" {\n  value = [terraform_data.a, terraform_data.b]\n}\n"
	const both = "resource \"terraform_data\" \"a\" {\n}\nresource \"terraform_data\" \"b\" {\n}\n"
	for name, tt := range map[string]struct {
		files  map[string]string // Terraform does not read the one that ends in .tofu
		result string
		valid  bool
	}{
		"more errors of Terraform":                   {map[string]string{"r/a.tf": one, "r/b.tofu": both}, two, true},
		"an error of OpenTofu":                       {map[string]string{"r/a.tf": one, "r/b.tofu": both}, one + "locals {\n  x = var.none\n}\n", false},
		"an error of Terraform, which could read it": {map[string]string{"r/a.tf": "", "r/b.tofu": both}, one, false},
		"more errors of both":                        {map[string]string{"r/a.tf": one}, two, false},
		"as many errors":                             {map[string]string{"r/a.tf": one}, one, true},
	} {
		fsys := fstest.MapFS{}
		for file, text := range tt.files {
			fsys[file] = &fstest.MapFile{Data: []byte(text)}
		}
		r := renamer{dir: "r", fsys: fsys}
		if err := r.verify(map[string][]byte{"r/a.tf": []byte(tt.result)}); (err == nil) != tt.valid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
