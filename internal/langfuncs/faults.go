// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"math/big"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// failing returns effect with a check of the arguments, which are all known.
func failing(check func([]cty.Value) error, result cty.Type, types ...cty.Type) function.Function {
	return function.New(&function.Spec{
		Params: params(types), Type: function.StaticReturnType(result),
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) { return cty.UnknownVal(t), check(args) },
	})
}

var rsadecryptFunc = failing(func(args []cty.Value) error {
	if _, err := base64.StdEncoding.DecodeString(args[0].AsString()); err != nil {
		return function.NewArgErrorf(0, "the cipher text must be base64")
	}
	if block, _ := pem.Decode([]byte(args[1].AsString())); block == nil {
		return function.NewArgErrorf(1, "invalid private key")
	}
	return nil
}, str, str, str)

var base64gunzipFunc = failing(func(args []cty.Value) error {
	text, err := base64.StdEncoding.DecodeString(args[0].AsString())
	if err != nil {
		return err
	}
	_, err = gzip.NewReader(bytes.NewReader(text))
	return err
}, str, str)

var urldecodeFunc = failing(func(args []cty.Value) error {
	_, err := url.QueryUnescape(args[0].AsString())
	return err
}, str, str)

// uuidv5Func wants the name of a namespace or an identifier in one of four spellings.
var uuidv5Func = failing(func(args []cty.Value) error {
	text := args[0].AsString()
	switch text {
	case "dns", "url", "oid", "x500":
		return nil
	}
	switch len(text) {
	case 36 + 9:
		if !strings.EqualFold(text[:9], "urn:uuid:") {
			return errors.New("invalid prefix of a UUID")
		}
		text = text[9:]
	case 36 + 2:
		text = text[1:37] // of brackets, which the programs do not look at
	}
	if len(text) == 36 {
		if text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
			return errors.New("invalid UUID")
		}
		text = text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	}
	if _, err := hex.DecodeString(text); err != nil || len(text) != 32 {
		return errors.New("invalid UUID")
	}
	return nil
}, str, str, str)

// templatestringFunc is templatestring of OpenTofu. The template is not looked at.
var templatestringFunc = failing(func(args []cty.Value) error {
	if t := args[1].Type(); t != dyn && !t.IsMapType() && !t.IsObjectType() {
		return function.NewArgErrorf(1, "the variables must be a map")
	}
	return nil
}, dyn, str, dyn)

// templateReferenceFunc is templatestring of Terraform. Its template has to be a
// reference, of whose value it converts nothing to a string, but it waits for what is
// not known. The template is not looked at.
var templateReferenceFunc = function.New(&function.Spec{
	Params: []function.Parameter{
		{Name: "template", Type: customdecode.ExpressionClosureType},
		{Name: "vars", Type: dyn},
	},
	Type: function.StaticReturnType(str),
	Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
		closure := customdecode.ExpressionClosureFromVal(args[0])
		if !isReference(closure.Expression) {
			return cty.UnknownVal(t), function.NewArgErrorf(0, "invalid template expression: a direct reference to a named object is required")
		}
		v, diags := closure.Value()
		if diags.HasErrors() {
			return cty.UnknownVal(t), function.NewArgErrorf(0, "invalid template expression: %w", diags)
		}
		v, marks := v.UnmarkDeep()
		if v.IsKnown() && (v.IsNull() || v.Type() != str) {
			return cty.UnknownVal(t), function.NewArgErrorf(0, "invalid template value: a string is required")
		}
		if vars := args[1].Type(); vars != dyn && !vars.IsMapType() && !vars.IsObjectType() {
			return cty.UnknownVal(t), function.NewArgErrorf(1, "the variables must be a map")
		}
		return cty.UnknownVal(t).WithMarks(marks), nil
	},
})

// isReference reports whether an expression is a reference, perhaps with indexes. One
// that replaces another has the method UnwrapExpression.
func isReference(x hcl.Expression) bool {
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return true
	case *hclsyntax.RelativeTraversalExpr:
		return isReference(x.Source)
	case *hclsyntax.IndexExpr:
		return isReference(x.Collection)
	case interface{ UnwrapExpression() hcl.Expression }:
		return isReference(x.UnwrapExpression())
	}
	return false
}

var indexFunc = failing(func(args []cty.Value) error {
	v := args[0]
	t := v.Type()
	if !t.IsListType() && !t.IsTupleType() {
		return errors.New("argument must be a list or tuple")
	}
	if !v.IsWhollyKnown() || !args[1].IsWhollyKnown() {
		return nil
	}
	for it := v.ElementIterator(); it.Next(); {
		if _, e := it.Element(); e.RawEquals(args[1]) || e.Type() == dyn {
			return nil
		}
	}
	return errors.New("item not found")
}, num, dyn, dyn)

// ZeroTime is plantimestamp of programs that know no time when they validate.
var ZeroTime = function.New(&function.Spec{Type: function.StaticReturnType(str),
	Impl: func([]cty.Value, cty.Type) (cty.Value, error) { return cty.StringVal("0001-01-01T00:00:00Z"), nil }})

// newTranspose returns transpose. Some releases say which argument is wrong.
func newTranspose(argument bool) function.Function {
	return failing(func(args []cty.Value) error {
		for it := args[0].ElementIterator(); it.Next(); {
			_, list := it.Element()
			if list.IsNull() || !list.IsWhollyKnown() {
				continue
			}
			for in := list.ElementIterator(); in.Next(); {
				switch _, v := in.Element(); {
				case v.IsNull() && argument:
					return function.NewArgErrorf(0, "cannot use null string")
				case v.IsNull():
					return errors.New("input list must not contain null string")
				}
			}
		}
		return nil
	}, cty.Map(strs), cty.Map(strs))
}

// newElement returns element of releases that refuse negative indexes, or panic, of lists or
// of tuples.
func newElement(lists, tuples bool) function.Function {
	f := bounded(stdlib.ElementFunc)
	negative := func(args []cty.Value) error {
		t, _ := args[0].Unmark()
		n, _ := args[1].Unmark()
		if n.IsKnown() && !n.IsNull() && n.AsBigFloat().Sign() < 0 && (lists && !t.Type().IsTupleType() || tuples && t.Type().IsTupleType()) {
			return errors.New("cannot use element function with a negative index")
		}
		return nil
	}
	return function.New(&function.Spec{Params: f.Params(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if err := negative(args); err != nil {
				return dyn, err
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}

// notNull returns f with a parameter that must not be null.
func notNull(f function.Function, i int) function.Function {
	params := slices.Clone(f.Params())
	params[i].AllowNull = false
	return function.New(&function.Spec{Params: params, VarParam: f.VarParam(),
		Type: f.ReturnTypeForValues, Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) }})
}

// withoutZeros returns an IPv4 address without the zeros that its numbers begin with.
func withoutZeros(address string) string {
	if strings.Contains(address, ":") {
		return address
	}
	parts := strings.Split(address, ".")
	for i, p := range parts {
		for len(p) > 1 && p[0] == '0' {
			p = p[1:]
		}
		parts[i] = p
	}
	return strings.Join(parts, ".")
}

// prefixOf parses an address prefix. In IPv4 numbers may begin with zeros, and so may the number of bits.
func prefixOf(v cty.Value) (netip.Prefix, error) {
	text := v.AsString()
	if address, bits, ok := strings.Cut(text, "/"); ok {
		zeros := len(bits) - len(strings.TrimLeft(bits, "0"))
		text = withoutZeros(address) + "/" + bits[min(zeros, max(len(bits)-1, 0)):]
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return p, errors.New("invalid CIDR expression")
	}
	return p.Masked(), nil
}

// whole returns a number that has to be whole. None with so many digits counts anything
// in an address space.
func whole(v cty.Value) (*big.Int, error) {
	f := v.AsBigFloat()
	if f.IsInf() || f.MantExp(nil) > 1<<12 {
		return nil, errors.New("value is too large")
	}
	n, accuracy := f.Int(nil)
	if accuracy != big.Exact {
		return nil, errors.New("value must be a whole number")
	}
	return n, nil
}

// largest returns the largest number of so many bits.
func largest(bits int) *big.Int {
	n := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return n.Sub(n, big.NewInt(1))
}

var cidrcontainsFunc = failing(func(args []cty.Value) error {
	p, err := prefixOf(args[0])
	if err != nil {
		return err
	}
	a, err := netip.ParseAddr(withoutZeros(args[1].AsString()))
	if err != nil || a.Zone() != "" {
		inner, err := prefixOf(args[1])
		if err != nil {
			return errors.New("invalid IP address or prefix")
		}
		a = inner.Addr()
	}
	if a.Unmap().Is4() != p.Addr().Unmap().Is4() {
		return errors.New("addresses of two families")
	}
	return nil
}, boo, str, str)

// cidrhostFunc returns cidrhost. Its first releases allowed any number where hosts have
// more bits than most.
func cidrhostFunc(most int) function.Function {
	return failing(func(args []cty.Value) error {
		n, err := whole(args[1])
		if err != nil {
			return err
		}
		p, err := prefixOf(args[0])
		if err != nil {
			return err
		}
		bits := p.Addr().BitLen() - p.Bits()
		if n.Sign() >= 0 && bits > most {
			return nil
		}
		if n.Sign() < 0 {
			n.Not(n) // the last one is -1
		}
		if n.Cmp(largest(bits)) > 0 {
			return errors.New("the prefix does not accommodate a host with this number")
		}
		return nil
	}, str, str, num)
}

// newCIDRNetmask returns cidrnetmask. Its first releases in Terraform took addresses of version 6.
func newCIDRNetmask(both bool) function.Function {
	return failing(func(args []cty.Value) error {
		p, err := prefixOf(args[0])
		if err == nil && !p.Addr().Is4() && !both {
			err = errors.New("IPv6 addresses cannot have a netmask")
		}
		return err
	}, str, str)
}

// cidrsubnetFunc returns cidrsubnet. Its first releases took negative numbers of subnets
// for others.
func cidrsubnetFunc(negative bool) function.Function {
	return failing(func(args []cty.Value) error {
		bits, err := whole(args[1])
		if err != nil {
			return err
		}
		n, err := whole(args[2])
		if err != nil {
			return err
		}
		p, err := prefixOf(args[0])
		switch {
		case err != nil:
			return err
		case n.Sign() < 0 && !negative:
			return errors.New("the number of a subnet must not be negative")
		case !bits.IsInt64():
			return errors.New("the prefix extension is too large")
		case bits.Sign() < 0:
			return nil
		case bits.Cmp(big.NewInt(int64(p.Addr().BitLen()-p.Bits()))) > 0:
			return errors.New("insufficient address space to extend the prefix")
		case negative:
			return subnetBy64Bits(p, int(bits.Int64()), n)
		case n.Cmp(largest(int(bits.Int64()))) > 0:
			return errTooManySubnets
		}
		return nil
	}, str, str, num, num)
}

var errTooManySubnets = errors.New("the prefix extension does not accommodate a subnet with this number")

// subnetBy64Bits checks the number of a subnet as releases do that compare its lowest 64 bits: a larger one that passes is
// an error only where it does not fit into the address.
//
// OpenTofu 1.12.6, internal/lang/funcs/cidr.go: CidrSubnetFunc, with go-cidr 1.1.0: SubnetBig.
func subnetBy64Bits(p netip.Prefix, bits int, n *big.Int) error {
	low := new(big.Int).And(new(big.Int).Abs(n), largest(64))
	if low.Cmp(largest(min(bits, 64))) > 0 {
		return errTooManySubnets
	}
	shift := uint(p.Addr().BitLen() - p.Bits() - bits)
	at := new(big.Int).SetBytes(p.Addr().AsSlice())
	if at.Or(at, new(big.Int).Lsh(n, shift)).BitLen() > p.Addr().BitLen() {
		return errors.New("the address of the subnet does not fit into an address")
	}
	return nil
}

// cidrsubnetsFunc returns cidrsubnets with a limit of the bits that one of its arguments
// adds.
func cidrsubnetsFunc(most int64) function.Function {
	return function.New(&function.Spec{
		Params: params([]cty.Type{str}), VarParam: &function.Parameter{Name: "newbits", Type: num},
		Type: function.StaticReturnType(strs),
		Impl: func(args []cty.Value, t cty.Type) (cty.Value, error) {
			result := cty.UnknownVal(t)
			p, err := prefixOf(args[0])
			if err != nil {
				return result, function.NewArgError(0, err)
			}
			total := p.Addr().BitLen() - p.Bits()
			used, end := new(big.Int), new(big.Int).Add(largest(total), big.NewInt(1))
			for i, a := range args[1:] {
				bits, err := whole(a)
				switch {
				case err != nil:
					return result, function.NewArgError(i+1, err)
				case bits.Sign() <= 0:
					return result, function.NewArgErrorf(i+1, "must extend prefix by at least one bit")
				case bits.Cmp(big.NewInt(most)) > 0:
					return result, function.NewArgErrorf(i+1, "may not extend prefix by more than %d bits", most)
				case bits.Cmp(big.NewInt(int64(total))) > 0 || p.Addr().IsUnspecified(): // the programs look before the first address
					return result, function.NewArgErrorf(i+1, "not enough remaining address space for such a subnet")
				}
				// Each subnet begins at the next multiple of its size.
				last := largest(total - int(bits.Int64()))
				used.Add(used, last)
				used.AndNot(used, last)
				used.Add(used, last)
				if used.Add(used, big.NewInt(1)); used.Cmp(end) > 0 {
					return result, function.NewArgErrorf(i+1, "not enough remaining address space for such a subnet")
				}
			}
			return result, nil
		},
	})
}
