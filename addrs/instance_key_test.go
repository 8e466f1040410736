// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// keyTests are string keys and how OpenTofu prints them.
var keyTests = []struct{ key, quoted string }{
	{"", `""`},
	{" ", `" "`},
	{"plain", `"plain"`},
	{"two words", `"two words"`},
	{`quo"te`, `"quo\"te"`},
	{"sin'gle", `"sin'gle"`},
	{`back\slash`, `"back\\slash"`},
	{"dot.ted", `"dot.ted"`},
	{"brack[0]et", `"brack[0]et"`},
	{`a["b"]`, `"a[\"b\"]"`},
	{"new\nline", `"new\nline"`},
	{"re\rturn", `"re\rturn"`},
	{"tab\there", `"tab\there"`},
	{"${not.interp}", `"$${not.interp}"`},
	{"%{if}", `"%%{if}"`},
	{"$${", `"$$${"`},
	{"$$${", `"$$$${"`},
	{"%%{", `"%%%{"`},
	{"%${", `"%$${"`},
	{"$", `"$"`},
	{"$$", `"$$"`},
	{"%", `"%"`},
	{"$x{", `"$x{"`},
	{`$"{`, `"$\"{"`},
	{`$\{`, `"$\\{"`},
	{"módulo/ñ", `"módulo/ñ"`},
	{"日本語", `"日本語"`},
	{"é", `"é"`},
	{"👩\u200d💻", `"👩\u200d💻"`},
	{"<&>", `"<&>"`},
	{"\u2028", `"\u2028"`},
	{"\u00a0", `"\u00a0"`},
	{"\ufeff", `"\ufeff"`},
	{"\U000e0001", `"\U000e0001"`},
	{"\x00", `"\u0000"`},
	{"\x01", `"\u0001"`},
	{"\x7f", `"\u007f"`},
	{"\x1b[0m", `"\u001b[0m"`},
	{"\ufffd", "\"\ufffd\""},
	{"007", `"007"`},
	{"-1", `"-1"`},
	{"true", `"true"`},
	{"*", `"*"`},
	{"//", `"//"`},
	{"#", `"#"`},
	{"a\\u0041", `"a\\u0041"`},
}

func addrsKey(key string) string { return "t.n" + addrs.StringKey(key).String() }

func TestKeyQuoting(t *testing.T) {
	for _, tt := range keyTests {
		k := addrs.StringKey(tt.key)
		if got := k.String(); got != "["+tt.quoted+"]" {
			t.Errorf("key %q prints as %s, want [%s]", tt.key, got, tt.quoted)
		}
		back, ok := checkParse(t, addrs.ParseInstanceKey, k.String())
		if s, isString := back.Str(); !ok || !isString || s != tt.key {
			t.Errorf("key %q comes back as %q", tt.key, s)
		}
		a := addrs.MustParseAbsResource("t.n").Instance(k)
		if parsed := addrs.MustParseAbsResourceInstance("t.n[" + tt.quoted + "]"); parsed != a || parsed.Key() != k {
			t.Errorf("key %q: %v differs from %v", tt.key, parsed, a)
		}
	}
}

func TestKeys(t *testing.T) {
	if n, ok := addrs.IntKey(3).Int(); n != 3 || !ok {
		t.Errorf("IntKey(3) is %d, %v", n, ok)
	}
	if _, ok := addrs.IntKey(3).Str(); ok {
		t.Error("IntKey(3) is a string")
	}
	if addrs.IntKey(1) == addrs.StringKey("1") {
		t.Error("1 is the same as \"1\"")
	}
	if !addrs.NoKey.IsNone() || addrs.IntKey(0).IsNone() {
		t.Error("IsNone is wrong")
	}
	if k := addrs.StringKey("e\u0301\xff\xfe"); k != addrs.StringKey("é\ufffd\ufffd") {
		t.Errorf("not normalised: %v", k)
	}
	bad := addrs.IntKey(-1)
	if bad.IsValid() || addrs.MustParseAbsResource("t.n").Instance(bad).IsValid() {
		t.Error("a negative key is valid")
	}
	if _, err := (addrs.ModuleInstance{}).Child("a", bad); err == nil {
		t.Error("a module has a negative key")
	}
	if k := addrs.MustParseInstanceKey("[9223372036854775807]"); k != addrs.IntKey(int64(math.MaxInt64)) {
		t.Errorf("largest key is %v", k)
	}
}

// TestKeyRecording compares with what Terraform printed for odd keys.
func TestKeyRecording(t *testing.T) {
	f, err := os.Open("testdata/terraform-1.11.4/odd-keys/instances.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := addrs.MustParseAbsResource("terraform_data.r")
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var in struct {
			Address addrs.AbsResourceInstance
			Index   any
		}
		if err := json.Unmarshal(lines.Bytes(), &in); err != nil {
			t.Fatal(err)
		}
		s, ok := in.Index.(string)
		if !ok {
			continue
		}
		n++
		if want := r.Instance(addrs.StringKey(s)); in.Address != want {
			t.Errorf("key %q: recorded %v, printed %v", s, in.Address, want)
		}
		if key, _ := in.Address.Key().Str(); key != s {
			t.Errorf("address %v has the key %q, not %q", in.Address, key, s)
		}
	}
	if n < 20 {
		t.Errorf("only %d string keys", n)
	}
}
