// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/rsa"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"

	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// maxText bounds the texts that functions make and files that they read.
const maxText = 64 << 20

// completions compute the results that package langfuncs leaves unknown, by name, since they are secret, large or costly.
// All arguments are known; the function of that package has checked them.
var completions = map[string]func(args []cty.Value, t cty.Type) (cty.Value, error){
	"base64gunzip":    base64gunzip,
	"base64gzip":      base64gzip,
	"bcrypt":          bcryptHash,
	"ephemeralasnull": ephemeralasnull,
	"issensitive":     issensitive,
	"matchkeys":       matchkeys,
	"pow":             func(args []cty.Value, _ cty.Type) (cty.Value, error) { return stdlib.PowFunc.Call(args) },
	"rsadecrypt":      rsadecrypt,
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

func randomUUID() string {
	b := make([]byte, 16)
	rand.Read(b)
	return langfuncs.UUIDText(b, 4)
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
