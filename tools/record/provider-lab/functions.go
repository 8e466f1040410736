// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"math/big"
	"strings"

	p "github.com/hashicorp/terraform-plugin-go/tfprotov6"
	t "github.com/hashicorp/terraform-plugin-go/tftypes"
)

func (s *server) GetFunctions(context.Context, *p.GetFunctionsRequest) (*p.GetFunctionsResponse, error) {
	return &p.GetFunctionsResponse{Functions: functions}, nil
}
func (s *server) CallFunction(_ context.Context, r *p.CallFunctionRequest) (*p.CallFunctionResponse, error) {
	f := functions[r.Name]
	var args []t.Value
	for i, a := range r.Arguments {
		var ty t.Type
		if i < len(f.Parameters) {
			ty = f.Parameters[i].Type
		} else {
			ty = f.VariadicParameter.Type
		}
		v, err := a.Unmarshal(ty)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	var out t.Value
	switch r.Name {
	case "join_all":
		var parts []string
		for _, a := range args[1:] {
			parts = append(parts, str(a))
		}
		out = t.NewValue(t.String, strings.Join(parts, str(args[0])))
	case "describe":
		if !args[0].IsKnown() {
			out = t.NewValue(t.String, t.UnknownValue)
		} else {
			out = t.NewValue(t.String, args[0].Type().String())
		}
	case "pair":
		m := map[string]t.Value{}
		_ = args[1].As(&m)
		var l []t.Value
		_ = m["y"].As(&l)
		out = t.NewValue(f.Return.Type, map[string]t.Value{"a": args[0], "x": m["x"], "n": t.NewValue(t.Number, len(l))})
	case "old_sum":
		var l []t.Value
		_ = args[0].As(&l)
		x := 0.0
		for _, v := range l {
			x += num(v)
		}
		out = t.NewValue(t.Number, big.NewFloat(x))
	case "boom":
		zero := int64(0)
		return &p.CallFunctionResponse{Error: &p.FunctionError{Text: "boom: " + str(args[0]), FunctionArgument: &zero}}, nil
	}
	dv, err := p.NewDynamicValue(f.Return.Type, out)
	return &p.CallFunctionResponse{Result: &dv}, err
}
