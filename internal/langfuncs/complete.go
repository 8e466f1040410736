// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// completions compute the results of functions that only check their arguments, by name. All arguments are known.
var completions = map[string]func(args []cty.Value, t cty.Type) (cty.Value, error){
	"cidrcontains": cidrcontains,
	"cidrhost":     cidrhost,
	"cidrnetmask":  cidrnetmask,
	"cidrsubnet":   cidrsubnet,
	"cidrsubnets":  cidrsubnets,
	"index":        index,
	"lookup":       lookup,
	"transpose":    transpose,
	"urldecode":    urldecode,
	"uuidv5":       uuidv5,
}

// Completed returns a function that refuses what f refuses, and computes where f, which is made
// for checks, leaves the result unknown although all arguments are known.
func Completed(f function.Function, compute func(args []cty.Value, t cty.Type) (cty.Value, error)) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(), Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			out, err := f.Call(args)
			if err != nil {
				return out, err
			}
			plain, marks := out.Unmark()
			if plain.IsKnown() {
				return out, nil
			}
			for _, a := range args {
				if !a.IsWhollyKnown() {
					return out, nil
				}
			}
			v, err := compute(args, t)
			if err != nil {
				return out, err
			}
			return v.WithMarks(marks), nil
		},
	})
}

// namespaces are the namespaces of uuidv5 that have a name (RFC 9562, section 6.6).
var namespaces = map[string]string{
	"dns": "6ba7b8109dad11d180b400c04fd430c8", "url": "6ba7b8119dad11d180b400c04fd430c8",
	"oid": "6ba7b8129dad11d180b400c04fd430c8", "x500": "6ba7b8149dad11d180b400c04fd430c8",
}

func urldecode(args []cty.Value, _ cty.Type) (cty.Value, error) {
	text, err := url.QueryUnescape(args[0].AsString())
	return cty.StringVal(text), err
}

func uuidv5(args []cty.Value, _ cty.Type) (cty.Value, error) {
	text, ok := namespaces[args[0].AsString()]
	if !ok {
		text = args[0].AsString()
		if len(text) == 36+9 {
			text = text[9:]
		}
		text = strings.ReplaceAll(strings.Trim(text, "{}()"), "-", "")
	}
	space, err := hex.DecodeString(text)
	if err != nil || len(space) != 16 {
		return cty.NilVal, errors.New("invalid UUID")
	}
	sum := sha1.Sum(append(space, args[1].AsString()...))
	return cty.StringVal(UUIDText(sum[:16], 5)), nil
}

// UUIDText writes 16 bytes as a UUID of a version.
func UUIDText(b []byte, version byte) string {
	b[6], b[8] = b[6]&0x0f|version<<4, b[8]&0x3f|0x80
	s := hex.EncodeToString(b)
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

func index(args []cty.Value, _ cty.Type) (cty.Value, error) {
	i := int64(0)
	for it := args[0].ElementIterator(); it.Next(); i++ {
		if _, e := it.Element(); e.Equals(args[1]).True() {
			return cty.NumberIntVal(i), nil
		}
	}
	return cty.NilVal, errors.New("item not found")
}

func lookup(args []cty.Value, t cty.Type) (cty.Value, error) {
	of, marks := args[0].Unmark()
	key, keyMarks := args[1].Unmark()
	name := key.AsString()
	found := cty.NilVal
	switch {
	case of.Type().IsObjectType():
		if of.Type().HasAttribute(name) {
			found = of.GetAttr(name)
		}
	case of.Type().IsMapType():
		if of.HasIndex(key).True() {
			found = of.Index(key)
		}
	}
	switch {
	case found != cty.NilVal:
	case len(args) == 3:
		v, err := ctyconv.Convert(args[2], t)
		if err != nil {
			return cty.NilVal, function.NewArgError(2, err)
		}
		found = v
	default:
		return cty.NilVal, fmt.Errorf("lookup failed to find key %q", name)
	}
	return found.WithMarks(marks, keyMarks), nil
}

func transpose(args []cty.Value, t cty.Type) (cty.Value, error) {
	lists := map[string][]cty.Value{}
	for it := args[0].ElementIterator(); it.Next(); {
		key, list := it.Element()
		if list.IsNull() {
			return cty.NilVal, errors.New("a list must not be null")
		}
		for _, v := range list.AsValueSlice() {
			lists[v.AsString()] = append(lists[v.AsString()], key)
		}
	}
	if len(lists) == 0 {
		return cty.MapValEmpty(t.ElementType()), nil
	}
	out := map[string]cty.Value{}
	for name, list := range lists {
		slices.SortFunc(list, func(a, b cty.Value) int { return strings.Compare(a.AsString(), b.AsString()) })
		out[name] = cty.ListVal(list)
	}
	return cty.MapVal(out), nil
}
