// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// maxText bounds the texts that functions make and files that they read.
const maxText = 64 << 20

// completions compute the results that checks of a configuration do not need, by name. All
// arguments are known; the function of package langfuncs has checked them.
var completions = map[string]func(args []cty.Value, t cty.Type) (cty.Value, error){
	"base64gunzip":    base64gunzip,
	"base64gzip":      base64gzip,
	"bcrypt":          bcryptHash,
	"cidrcontains":    cidrcontains,
	"cidrhost":        cidrhost,
	"cidrnetmask":     cidrnetmask,
	"cidrsubnet":      cidrsubnet,
	"cidrsubnets":     cidrsubnets,
	"ephemeralasnull": ephemeralasnull,
	"index":           index,
	"issensitive":     issensitive,
	"lookup":          lookup,
	"matchkeys":       matchkeys,
	"pow":             func(args []cty.Value, _ cty.Type) (cty.Value, error) { return stdlib.PowFunc.Call(args) },
	"rsadecrypt":      rsadecrypt,
	"transpose":       transpose,
	"urldecode":       urldecode,
	"uuidv5":          uuidv5,
}

func base64gunzip(args []cty.Value, _ cty.Type) (cty.Value, error) {
	packed, _ := base64.StdEncoding.DecodeString(args[0].AsString()) // checked before
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return cty.NilVal, err
	}
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err != nil {
		return cty.NilVal, err
	}
	if len(text) > maxText {
		return cty.NilVal, fmt.Errorf("the text has more than %d bytes", maxText)
	}
	return cty.StringVal(string(text)), nil
}

func base64gzip(args []cty.Value, _ cty.Type) (cty.Value, error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = io.WriteString(w, args[0].AsString()) // to memory
	_ = w.Close()
	return cty.StringVal(base64.StdEncoding.EncodeToString(out.Bytes())), nil
}

func urldecode(args []cty.Value, _ cty.Type) (cty.Value, error) {
	text, err := url.QueryUnescape(args[0].AsString())
	return cty.StringVal(text), err
}

// rsadecrypt takes a key in PEM, of PKCS #1 or #8.
func rsadecrypt(args []cty.Value, _ cty.Type) (cty.Value, error) {
	cipher, _ := base64.StdEncoding.DecodeString(args[0].AsString()) // both are checked before
	block, _ := pem.Decode([]byte(args[1].AsString()))
	key, err := parseKey(block.Bytes)
	if err != nil {
		return cty.NilVal, function.NewArgErrorf(1, "failed to parse private key: %v", err)
	}
	//lint:ignore SA1019 the function of the language is defined by this padding
	text, err := rsa.DecryptPKCS1v15(nil, key, cipher)
	if err != nil {
		return cty.NilVal, fmt.Errorf("failed to decrypt: %w", err)
	}
	return cty.StringVal(string(text)), nil
}

// parseKey reads an RSA key: RSAPrivateKey of PKCS #1 (RFC 8017, appendix A.1.2), or the same in
// the envelope of PKCS #8 (RFC 5208). Package crypto/x509 would do it, and compiles the network.
func parseKey(der []byte) (*rsa.PrivateKey, error) {
	var envelope struct {
		Version   int
		Algorithm struct {
			ID         asn1.ObjectIdentifier
			Parameters asn1.RawValue `asn1:"optional"`
		}
		Key []byte
	}
	if _, err := asn1.Unmarshal(der, &envelope); err == nil {
		if !envelope.Algorithm.ID.Equal(asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}) {
			return nil, errors.New("it is not a key of RSA")
		}
		der = envelope.Key
	}
	var k struct {
		Version               int
		N                     *big.Int
		E                     int
		D, P, Q, Dp, Dq, QInv *big.Int
	}
	if _, err := asn1.Unmarshal(der, &k); err != nil {
		return nil, err
	}
	key := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: k.N, E: k.E}, D: k.D, Primes: []*big.Int{k.P, k.Q}}
	if err := key.Validate(); err != nil {
		return nil, err
	}
	key.Precompute()
	return key, nil
}

// namespaces are the namespaces of uuidv5 that have a name (RFC 9562, section 6.6).
var namespaces = map[string]string{
	"dns": "6ba7b8109dad11d180b400c04fd430c8", "url": "6ba7b8119dad11d180b400c04fd430c8",
	"oid": "6ba7b8129dad11d180b400c04fd430c8", "x500": "6ba7b8149dad11d180b400c04fd430c8",
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
	return cty.StringVal(uuidText(sum[:16], 5)), nil
}

// uuidText writes 16 bytes as a UUID of a version.
func uuidText(b []byte, version byte) string {
	b[6], b[8] = b[6]&0x0f|version<<4, b[8]&0x3f|0x80
	s := hex.EncodeToString(b)
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

func randomUUID() string {
	b := make([]byte, 16)
	rand.Read(b)
	return uuidText(b, 4)
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

func issensitive(args []cty.Value, _ cty.Type) (cty.Value, error) {
	return cty.BoolVal(args[0].HasMark(langfuncs.Sensitive)), nil
}

// ephemeralasnull replaces what is marked as ephemeral by null, at any depth.
func ephemeralasnull(args []cty.Value, _ cty.Type) (cty.Value, error) {
	return cty.Transform(args[0], func(_ cty.Path, v cty.Value) (cty.Value, error) {
		plain, marks := v.Unmark()
		if _, ok := marks[langfuncs.Ephemeral]; !ok {
			return v, nil
		}
		marks = maps.Clone(marks)
		delete(marks, langfuncs.Ephemeral)
		return cty.NullVal(plain.Type()).WithMarks(marks), nil
	})
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

func matchkeys(args []cty.Value, t cty.Type) (cty.Value, error) {
	var out []cty.Value
	keys := args[1].AsValueSlice()
	searched := args[2].AsValueSlice()
	for i, v := range args[0].AsValueSlice() {
		if slices.ContainsFunc(searched, func(s cty.Value) bool { return s.Equals(keys[i]).True() }) {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		return cty.ListValEmpty(t.ElementType()), nil
	}
	return cty.ListVal(out), nil
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
