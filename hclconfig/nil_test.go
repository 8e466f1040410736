// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// TestNilReceivers calls every method of nil pointers and of zero values with zero
// arguments, runs the iterators that they return, and wants no panic.
func TestNilReceivers(t *testing.T) {
	for _, v := range []any{
		(*hclconfig.File)(nil), (*hclconfig.Body)(nil), (*hclconfig.Block)(nil), (*hclconfig.Argument)(nil), (*hclconfig.Content)(nil),
		(*hclconfig.Module)(nil), (*hclconfig.Config)(nil), (*hclconfig.Variable)(nil), (*hclconfig.Output)(nil), (*hclconfig.Local)(nil),
		(*hclconfig.ModuleCall)(nil), (*hclconfig.Resource)(nil), (*hclconfig.Provider)(nil), (*hclconfig.Settings)(nil),
		&hclconfig.File{}, &hclconfig.Body{}, &hclconfig.Block{}, &hclconfig.Argument{}, &hclconfig.Content{}, &hclconfig.Module{}, &hclconfig.Config{},
		&hclconfig.Variable{}, &hclconfig.Output{}, &hclconfig.Local{}, &hclconfig.ModuleCall{}, &hclconfig.Resource{}, &hclconfig.Provider{}, &hclconfig.Settings{},
		hclconfig.Expression{}, hclconfig.Reference{}, hclconfig.Diagnostics(nil), hclconfig.Diagnostic{}, hclnames.Feature{},
		hclnames.Support{}, hclconfig.Kind(99), hclconfig.Dialect(99), hclconfig.FileKind(99), hclconfig.Syntax(99), hcledit.Value{},
	} {
		r := reflect.ValueOf(v)
		for i := range r.NumMethod() {
			name := fmt.Sprintf("%T.%s", v, r.Type().Method(i).Name)
			if _, promoted := reflect.TypeFor[hclconfig.Expression]().MethodByName(r.Type().Method(i).Name); promoted && r.Type() == reflect.TypeFor[*hclconfig.Argument]() && r.IsNil() {
				continue // a nil Argument has no Expression
			}
			if r.Kind() == reflect.Pointer && r.IsNil() {
				name = "nil " + name
			}
			switch name {
			case "nil *hclconfig.File.Edit", "nil *hclconfig.File.Clone", // they do something
				"*hclconfig.Module.Tree",             // has the module itself
				"nil *hclconfig.Module.Declarations": // that of a Config
				continue
			}
			t.Run(name, func(t *testing.T) { callZero(t, r.Method(i)) })
		}
	}
}

// callZero calls m with zero arguments.
func callZero(t *testing.T, m reflect.Value) {
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("panic: %v", p)
		}
	}()
	in := make([]reflect.Value, 0, m.Type().NumIn())
	for i := range m.Type().NumIn() {
		if m.Type().IsVariadic() && i == m.Type().NumIn()-1 {
			break
		}
		in = append(in, reflect.Zero(m.Type().In(i)))
	}
	for _, out := range m.Call(in) {
		switch {
		case out.Kind() == reflect.Func && out.Type().CanSeq():
			for range out.Seq() {
				t.Error("it yields something")
			}
		case out.Kind() == reflect.Func && out.Type().CanSeq2():
			for range out.Seq2() {
				t.Error("it yields something")
			}
		}
	}
}
