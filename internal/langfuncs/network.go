// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// number returns an address as a number, and address the reverse.
func number(a netip.Addr) *big.Int { return new(big.Int).SetBytes(a.AsSlice()) }

func address(n *big.Int, like netip.Addr) (netip.Addr, error) {
	size := like.BitLen() / 8
	if n.Sign() < 0 || n.BitLen() > like.BitLen() {
		return netip.Addr{}, errors.New("the address is out of range")
	}
	a, ok := netip.AddrFromSlice(n.FillBytes(make([]byte, size)))
	if !ok {
		return netip.Addr{}, errors.New("no address")
	}
	return a, nil
}

// text writes an address as the programs do: one of IPv4 within IPv6 as IPv4.
func text(a netip.Addr) string { return a.Unmap().String() }

func integer(v cty.Value) *big.Int {
	n, _ := v.AsBigFloat().Int(nil)
	return n
}

func cidrhost(args []cty.Value, _ cty.Type) (cty.Value, error) {
	p, err := prefixOf(args[0])
	if err != nil {
		return cty.NilVal, err
	}
	n := integer(args[1])
	if n.Sign() < 0 { // from the end
		n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(p.Addr().BitLen()-p.Bits())))
	}
	a, err := address(n.Add(n, number(p.Addr())), p.Addr())
	if err != nil {
		return cty.NilVal, err
	}
	return cty.StringVal(text(a)), nil
}

func cidrnetmask(args []cty.Value, _ cty.Type) (cty.Value, error) {
	p, err := prefixOf(args[0])
	if err != nil {
		return cty.NilVal, err
	}
	bits := p.Addr().BitLen()
	mask := new(big.Int).Lsh(big.NewInt(1), uint(p.Bits()))
	mask.Lsh(mask.Sub(mask, big.NewInt(1)), uint(bits-p.Bits()))
	a, err := address(mask, p.Addr())
	if err != nil {
		return cty.NilVal, err
	}
	return cty.StringVal(text(a)), nil
}

func cidrsubnet(args []cty.Value, _ cty.Type) (cty.Value, error) {
	p, err := prefixOf(args[0])
	if err != nil {
		return cty.NilVal, err
	}
	bits, n := int(integer(args[1]).Int64()), integer(args[2])
	length := p.Bits() + bits
	if length < 0 {
		return cty.NilVal, errors.New("no network has fewer than zero bits")
	}
	// The programs set the bits of the number in the address. Of a negative one they take the amount of the result.
	n.Lsh(n, uint(max(p.Addr().BitLen()-length, 0)))
	n.Or(n, number(p.Addr()))
	return subnet(p, n.Abs(n), length)
}

// subnet returns the network at a number with a length of its prefix.
func subnet(p netip.Prefix, at *big.Int, length int) (cty.Value, error) {
	a, err := address(at, p.Addr())
	if err != nil {
		return cty.NilVal, err
	}
	return cty.StringVal(fmt.Sprintf("%s/%d", text(a), length)), nil
}

// cidrsubnets returns networks one after the other, each at the next multiple of its size.
func cidrsubnets(args []cty.Value, _ cty.Type) (cty.Value, error) {
	if len(args) == 1 {
		return cty.ListValEmpty(cty.String), nil
	}
	p, err := prefixOf(args[0])
	if err != nil {
		return cty.NilVal, err
	}
	next := number(p.Addr())
	var out []cty.Value
	for _, a := range args[1:] {
		length := p.Bits() + int(integer(a).Int64())
		size := new(big.Int).Lsh(big.NewInt(1), uint(max(p.Addr().BitLen()-length, 0)))
		last := new(big.Int).Sub(size, big.NewInt(1))
		next.Add(next, last)
		next.AndNot(next, last)
		v, err := subnet(p, next, length)
		if err != nil {
			return cty.NilVal, err
		}
		out = append(out, v)
		next.Add(next, size)
	}
	return cty.ListVal(out), nil
}

func cidrcontains(args []cty.Value, _ cty.Type) (cty.Value, error) {
	outer, err := prefixOf(args[0])
	if err != nil {
		return cty.NilVal, err
	}
	if strings.Contains(args[1].AsString(), "/") {
		inner, err := prefixOf(args[1])
		if err != nil {
			return cty.NilVal, err
		}
		return cty.BoolVal(outer.Bits() <= inner.Bits() && outer.Contains(inner.Addr())), nil
	}
	a, err := netip.ParseAddr(args[1].AsString())
	if err != nil {
		return cty.NilVal, err
	}
	return cty.BoolVal(outer.Contains(a)), nil
}
