// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package encryption makes the encryption of states and plans of the configuration that the tools
// take: the text of TF_ENCRYPTION, key providers and methods of external programs included.
package encryption

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// Parse returns how states, or plans, are encrypted by the text of TF_ENCRYPTION:
// the body of an encryption block, in JSON if it begins with a brace.
func Parse(src []byte, plan bool) (statefile.Encryption, error) {
	var none statefile.Encryption
	block, err := parseEncryption(src)
	if err != nil {
		return none, err
	}
	target, name := block.State, "state"
	if plan {
		target, name = block.Plan, "plan"
	}
	if target == nil {
		return none, fmt.Errorf("there is no block %s", name)
	}
	r := resolver{block: block, providers: map[string]statefile.KeyProvider{}, open: map[string]bool{}}
	e := statefile.Encryption{Enforced: target.Enforced.Value}
	for t := target; t != nil; t = t.Fallback {
		m, err := r.method(t.Method)
		if err != nil {
			return none, err
		}
		e.Methods = append(e.Methods, m)
	}
	return e, nil
}

// parseEncryption reads an encryption block.
func parseEncryption(src []byte) (*hclconfig.Encryption, error) {
	name, text := "encryption.tofu", "terraform {\nencryption {\n"+string(src)+"\n}\n}\n"
	if bytes.HasPrefix(bytes.TrimSpace(src), []byte("{")) {
		name, text = "encryption.tofu.json", `{"terraform":{"encryption":`+string(src)+"}}"
	}
	file, err := hclconfig.Parse(name, []byte(text))
	if err != nil {
		return nil, concealed(err)
	}
	for _, d := range file.Diagnostics() {
		if d.Severity == hclconfig.SeverityError {
			return nil, fmt.Errorf("line %d: %s", max(d.Subject.Start.Line-2, 1), d.Summary) // the detail can have words of the text
		}
	}
	for _, s := range file.Config().Settings {
		if s.Encryption != nil {
			return s.Encryption, nil
		}
	}
	return nil, errors.New("the configuration of encryption is empty")
}

// concealed returns an error of the configuration's syntax without words of the text,
// which has passphrases.
func concealed(err error) error {
	if e, ok := errors.AsType[*hclconfig.Error](err); ok {
		return fmt.Errorf("line %d: this is not a configuration of encryption", max(e.Line-2, 1))
	}
	return errors.New("this is not a configuration of encryption")
}

// A resolver makes methods and key providers of their blocks.
type resolver struct {
	block     *hclconfig.Encryption
	providers map[string]statefile.KeyProvider
	open      map[string]bool // being made
}

// method returns the method that a reference names.
func (r *resolver) method(ref hclconfig.Expression) (statefile.Method, error) {
	address, err := reference(ref, "method")
	if err != nil {
		return nil, err
	}
	for _, m := range r.block.Methods {
		if address != "method."+m.Type+"."+m.Name {
			continue
		}
		a := arguments{block: m.Block, at: address}
		switch m.Type {
		case "unencrypted":
			return statefile.Unencrypted(), a.only()
		case "aes_gcm":
			keys, err := r.keys(a.expression("keys"))
			if err != nil {
				return nil, err
			}
			aad := a.octets("aad")
			return &statefile.AESGCM{Keys: keys, AAD: aad}, a.only("keys", "aad")
		case "external":
			var keys statefile.KeyProvider
			if ref := a.expression("keys"); ref.IsSet() && !ref.IsNull() {
				if keys, err = r.keys(ref); err != nil {
					return nil, err
				}
			}
			e := &statefile.ExternalMethod{
				Keys:            keys,
				EncryptExchange: external(a.texts("encrypt_command"), methodMagic),
				DecryptExchange: external(a.texts("decrypt_command"), methodMagic),
			}
			return e, a.only("keys", "encrypt_command", "decrypt_command")
		}
		return nil, fmt.Errorf("%s: no method of this type is known", address)
	}
	return nil, fmt.Errorf("there is no block %s", address)
}

// inJSON returns the text of an expression that is a string of JSON, or "".
func inJSON(e hclconfig.Expression) (text string) {
	_ = json.Unmarshal([]byte(e.Raw()), &text)
	return text
}

// reference returns the address that an expression refers to: a reference, or in JSON
// also a text.
func reference(e hclconfig.Expression, kind string) (string, error) {
	if !e.IsSet() {
		return "", fmt.Errorf("a reference to a %s is missing", kind)
	}
	address, err := e.Address()
	if err != nil {
		if v, err := e.Constant(); err == nil && v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
			address = v.AsString()
		} else if err != nil && kind == "key_provider" { // "${...}" in JSON, which tofu refuses for methods
			address, _ = strings.CutPrefix(inJSON(e), "${")
			address = strings.TrimSpace(strings.TrimSuffix(address, "}"))
		}
	}
	parts := strings.Split(address, ".")
	if len(parts) != 3 || parts[0] != kind {
		return "", fmt.Errorf("a reference to a %s has the form %s.TYPE.NAME", kind, kind)
	}
	return address, nil
}

// keys returns the key provider that a reference names.
func (r *resolver) keys(ref hclconfig.Expression) (statefile.KeyProvider, error) {
	address, err := reference(ref, "key_provider")
	if err != nil {
		return nil, err
	}
	if p := r.providers[address]; p != nil {
		return p, nil
	}
	if r.open[address] {
		return nil, fmt.Errorf("%s refers to itself", address)
	}
	r.open[address] = true
	for _, b := range r.block.KeyProviders {
		if address != "key_provider."+b.Type+"."+b.Name {
			continue
		}
		p, err := r.provider(b, address)
		if err != nil {
			return nil, err
		}
		r.providers[address] = p
		return p, nil
	}
	return nil, fmt.Errorf("there is no block %s", address)
}

// provider makes a key provider.
func (r *resolver) provider(b *hclconfig.EncryptionMethod, address string) (statefile.KeyProvider, error) {
	a := arguments{block: b.Block, at: address}
	name := address
	if alias := a.text("encrypted_metadata_alias"); alias != "" {
		name = alias
	}
	switch b.Type {
	case "pbkdf2":
		p := &statefile.PBKDF2{
			Name: name, Passphrase: a.text("passphrase"), Hash: a.text("hash_function"),
			Iterations: a.number("iterations"), KeyLength: a.number("key_length"), SaltLength: a.number("salt_length"),
		}
		if ref := a.expression("chain"); ref.IsSet() && !ref.IsNull() {
			var err error
			if p.Chain, err = r.keys(ref); err != nil {
				return nil, err
			}
		}
		return p, a.only("encrypted_metadata_alias", "passphrase", "chain", "hash_function", "iterations", "key_length", "salt_length")
	case "external":
		k := &statefile.ExternalKeys{Name: name, Exchange: external(a.texts("command"), keysMagic)}
		return k, a.only("encrypted_metadata_alias", "command")
	}
	return nil, fmt.Errorf("%s: no key provider of this type is known here", address)
}

// arguments reads the arguments of a block. The first fault stays.
type arguments struct {
	block *hclconfig.Block
	at    string
	err   error
}

func (a *arguments) fail(name, want string) {
	if a.err == nil {
		a.err = fmt.Errorf("%s: %s is not %s", a.at, name, want)
	}
}

// only returns the first fault, or an error for an argument with another name.
func (a *arguments) only(names ...string) error {
	for i := range a.block.Body.Arguments {
		name := a.block.Body.Arguments[i].Name
		known := false
		for _, n := range names {
			known = known || n == name
		}
		if !known && a.err == nil {
			a.err = fmt.Errorf("%s has no argument %s", a.at, name)
		}
	}
	return a.err
}

func (a *arguments) expression(name string) hclconfig.Expression {
	if arg := a.block.Argument(name); arg != nil {
		return arg.Expression
	}
	return hclconfig.Expression{}
}

// constant returns the value of an argument, cty.NilVal if it is absent or null.
func (a *arguments) constant(name, want string) cty.Value {
	e := a.expression(name)
	if !e.IsSet() {
		return cty.NilVal
	}
	v, err := e.Constant()
	if err != nil || !v.IsWhollyKnown() {
		a.fail(name, want)
		return cty.NilVal
	}
	if v.IsNull() {
		return cty.NilVal
	}
	return v
}

func (a *arguments) text(name string) string {
	v := a.constant(name, "a text")
	if v == cty.NilVal {
		return ""
	}
	if v.Type() != cty.String {
		a.fail(name, "a string")
		return ""
	}
	return v.AsString()
}

func (a *arguments) number(name string) int {
	n, ok := wholeNumber(a.constant(name, "a whole number"))
	if !ok || n < 0 {
		a.fail(name, "a whole number")
	}
	return n
}

// wholeNumber returns a number; 0 for none.
func wholeNumber(v cty.Value) (int, bool) {
	if v == cty.NilVal {
		return 0, true
	}
	if v.Type() != cty.Number || v.IsNull() {
		return 0, false
	}
	n, accuracy := v.AsBigFloat().Int64()
	return int(n), accuracy == 0 && int64(int(n)) == n
}

// elements calls f for each element of a list.
func (a *arguments) elements(name, want string, f func(cty.Value) bool) {
	v := a.constant(name, want)
	if v == cty.NilVal {
		return
	}
	if !v.CanIterateElements() || v.Type().IsObjectType() || v.Type().IsMapType() {
		a.fail(name, want)
		return
	}
	for it := v.ElementIterator(); it.Next(); {
		if _, e := it.Element(); !f(e) {
			a.fail(name, want)
			return
		}
	}
}

func (a *arguments) octets(name string) (list []byte) {
	a.elements(name, "a list of numbers from 0 to 255", func(v cty.Value) bool {
		n, ok := wholeNumber(v)
		list = append(list, byte(n))
		return ok && 0 <= n && n <= 255
	})
	return list
}

func (a *arguments) texts(name string) (list []string) {
	a.elements(name, "a list of texts", func(v cty.Value) bool {
		if v.Type() != cty.String || v.IsNull() {
			return false
		}
		list = append(list, v.AsString())
		return true
	})
	return list
}
