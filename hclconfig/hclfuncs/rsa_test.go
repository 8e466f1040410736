// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclfuncs_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclfuncs"
	"github.com/zclconf/go-cty/cty"
)

// TestDecrypt decrypts with keys in both forms, which another package writes.
func TestDecrypt(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	//lint:ignore SA1019 what the function of the language decrypts
	cipher, err := rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	decrypt := hclfuncs.Functions(hclconfig.OpenTofu, hclfuncs.Options{})["rsadecrypt"]
	for name, der := range map[string][]byte{"RSA PRIVATE KEY": x509.MarshalPKCS1PrivateKey(key), "PRIVATE KEY": second} {
		text := pem.EncodeToMemory(&pem.Block{Type: name, Bytes: der})
		v, err := decrypt.Call([]cty.Value{cty.StringVal(base64.StdEncoding.EncodeToString(cipher)), cty.StringVal(string(text))})
		if err != nil || v.AsString() != "secret" {
			t.Errorf("%s: %#v, %v", name, v, err)
		}
		broken := pem.EncodeToMemory(&pem.Block{Type: name, Bytes: der[:len(der)/2]})
		if _, err := decrypt.Call([]cty.Value{cty.StringVal(base64.StdEncoding.EncodeToString(cipher)), cty.StringVal(string(broken))}); err == nil {
			t.Errorf("%s: half a key is taken", name)
		}
	}
}
