// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"path"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// computed returns a function of arguments that are known, though their parts may not be.
func computed(compute func([]cty.Value) (cty.Value, error), result cty.Type, types ...cty.Type) function.Function {
	return function.New(&function.Spec{
		Params: params(types), Type: function.StaticReturnType(result),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return compute(args) },
	})
}

// textFunc returns a function from text to text.
func textFunc(compute func(text string) string) function.Function {
	return computed(func(args []cty.Value) (cty.Value, error) { return cty.StringVal(compute(args[0].AsString())), nil }, str, str)
}

// hashOf returns a function that writes the hash of a text down.
func hashOf[T ~[]byte](sum func([]byte) T, write func([]byte) string) function.Function {
	return textFunc(func(text string) string { return write(sum([]byte(text))) })
}

func md5Sum(b []byte) []byte    { s := md5.Sum(b); return s[:] }
func sha1Sum(b []byte) []byte   { s := sha1.Sum(b); return s[:] }
func sha256Sum(b []byte) []byte { s := sha256.Sum256(b); return s[:] }
func sha512Sum(b []byte) []byte { s := sha512.Sum512(b); return s[:] }

var (
	base64OfSHA256 = hashOf(sha256Sum, base64.StdEncoding.EncodeToString)
	base64OfSHA512 = hashOf(sha512Sum, base64.StdEncoding.EncodeToString)
	md5Func        = hashOf(md5Sum, hex.EncodeToString)
	sha1Func       = hashOf(sha1Sum, hex.EncodeToString)
	sha256Func     = hashOf(sha256Sum, hex.EncodeToString)
	sha512Func     = hashOf(sha512Sum, hex.EncodeToString)

	base64encodeFunc = textFunc(func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) })
	basenameFunc     = textFunc(path.Base)
	dirnameFunc      = textFunc(path.Dir)
	urlencodeFunc    = textFunc(url.QueryEscape)
)

// base64Func is base64decode.
var base64Func = computed(func(args []cty.Value) (cty.Value, error) {
	text, err := base64.StdEncoding.DecodeString(args[0].AsString())
	switch {
	case err != nil:
		return cty.UnknownVal(str), errors.New("failed to decode base64 data: " + err.Error())
	case !utf8.Valid(text):
		return cty.UnknownVal(str), errors.New("the result of decoding the provided string is not valid UTF-8")
	}
	return cty.StringVal(string(text)), nil
}, str, str)

// alltrueFunc looks at the elements up to one that decides, or that is unknown.
var alltrueFunc = computed(func(args []cty.Value) (cty.Value, error) {
	for it := args[0].ElementIterator(); it.Next(); {
		switch _, v := it.Element(); {
		case !v.IsKnown():
			return cty.UnknownVal(boo), nil
		case v.IsNull() || v.False():
			return cty.False, nil
		}
	}
	return cty.True, nil
}, boo, cty.List(boo))

// anytrueFunc looks for an element that decides behind unknown ones as well.
var anytrueFunc = computed(func(args []cty.Value) (cty.Value, error) {
	out := cty.False
	for it := args[0].ElementIterator(); it.Next(); {
		switch _, v := it.Element(); {
		case !v.IsKnown():
			out = cty.UnknownVal(boo)
		case !v.IsNull() && v.True():
			return cty.True, nil
		}
	}
	return out, nil
}, boo, cty.List(boo))

var timecmpFunc = computed(func(args []cty.Value) (cty.Value, error) {
	var at [2]time.Time
	for i, a := range args {
		var err error
		if at[i], err = time.Parse(time.RFC3339, a.AsString()); err != nil {
			return cty.UnknownVal(num), function.NewArgErrorf(i, "not a valid RFC3339 timestamp")
		}
	}
	return cty.NumberIntVal(int64(at[0].Compare(at[1]))), nil
}, num, str, str)

// newSum returns sum. Its first releases in Terraform are strict: they take numbers, and no texts
// of numbers.
func newSum(strict bool) function.Function {
	return computed(func(args []cty.Value) (cty.Value, error) {
		v, out := args[0], cty.UnknownVal(num)
		t := v.Type()
		switch {
		case !v.CanIterateElements():
			return out, function.NewArgErrorf(0, "cannot sum noniterable")
		case !t.IsListType() && !t.IsSetType() && !t.IsTupleType():
			return out, function.NewArgErrorf(0, "argument must be list, set, or tuple, not %s", t.FriendlyName())
		case !v.IsWhollyKnown():
			return out, nil
		case v.LengthInt() == 0:
			return out, function.NewArgErrorf(0, "cannot sum an empty list")
		}
		total := cty.Zero
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			n, err := convert.Convert(e, num)
			if err != nil || n.IsNull() || strict && e.Type() == str {
				if strict && err == nil && e.Type() == str {
					return out, errors.New("number required")
				}
				return out, function.NewArgErrorf(0, "argument must be list, set, or tuple of number values")
			}
			if n.AsBigFloat().IsInf() || total.AsBigFloat().IsInf() {
				return out, nil
			}
			total = total.Add(n)
		}
		return total, nil
	}, num, dyn)
}

// newReplace returns replace, where short is set one that does not know the long names of classes.
func newReplace(short bool) function.Function {
	return computed(func(args []cty.Value) (cty.Value, error) {
		text, pattern, by, out := args[0].AsString(), args[1].AsString(), args[2].AsString(), cty.UnknownVal(str)
		// A dollar sign refers to a part of the text.
		costly := (len(text)+1)*(len(by)+strings.Count(by, "$")*len(text)+1) > maxMatch
		if len(pattern) < 2 || pattern[0] != '/' || pattern[len(pattern)-1] != '/' {
			if !costly {
				out = cty.StringVal(strings.ReplaceAll(text, pattern, by))
			}
			return out, nil
		}
		pattern = pattern[1 : len(pattern)-1]
		if short && hasLongClass(pattern) {
			return out, errLongClass
		}
		size := patternSize(pattern)
		if size > maxMatch {
			return out, nil
		}
		re, err := regexp.Compile(pattern)
		if err == nil && !costly && size <= maxMatch/(len(text)+1) {
			out = cty.StringVal(re.ReplaceAllString(text, by))
		}
		return out, err
	}, str, str, str, str)
}
