// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// TestNilDocuments hands to each function the nil that a plan without prior
// state, or a command without result, has for a document.
func TestNilDocuments(t *testing.T) {
	plan, err := planjson.DecodePlan([]byte(`{"format_version":"1.2"}`))
	if err != nil {
		t.Fatal(err)
	}
	if plan.PriorState != nil {
		t.Fatal("there is a prior state")
	}
	nilDocument[*planjson.Plan](t)
	nilDocument[*planjson.State](t)
	nilDocument[*planjson.Config](t)
	nilDocument[*planjson.Schemas](t)
	nilDocument[*planjson.Functions](t)
	nilDocument[*planjson.Validate](t)
	nilDocument[*planjson.Version](t)
	nilDocument[*planjson.Outputs](t)
	nilDocument[*planjson.Modules](t)
	nilDocument[*planjson.StateShow](t)
	nilDocument[*planjson.Workspaces](t)
	nilDocument[*planjson.RendererPlan](t)
	nilDocument[*planjson.RendererState](t)

	x := planjson.NewPlanIndex(nil)
	if x.Change("a.b") != nil {
		t.Error("something is found in no plan")
	}
	if (*planjson.Schemas)(nil).Resource("p", "managed", "t") != nil {
		t.Error("no schemas have a schema")
	}
}

func nilDocument[D planjson.Document](t *testing.T) {
	t.Helper()
	var doc D
	_, encoded := planjson.Encode(doc)
	_, canonical := planjson.Canonical(doc)
	version := planjson.CheckVersion(doc)
	for i, err := range []error{encoded, canonical, planjson.Write(io.Discard, doc), version} {
		var own *planjson.Error
		if !errors.As(err, &own) || !errors.Is(err, planjson.ErrAbsent) {
			t.Errorf("%T: error %d is %v", doc, i, err)
		}
	}
	for name := range planjson.Extras(doc) {
		t.Errorf("%T has %s", doc, name)
	}
	for d := range planjson.Duplicates(doc) {
		t.Errorf("%T has %v", doc, d)
	}
	if _, _, ok := planjson.Position(doc); ok {
		t.Errorf("%T has a place", doc)
	}
}

// Parts that a real plan lacks are nil, and lookups in them give nil: no method panics, and
// none with a nil argument. Lookups can therefore be chained.
func TestNothingToFind(t *testing.T) {
	plan := new(planjson.Plan)
	calls := 0
	for _, v := range []any{
		planjson.NewPlanIndex(nil), planjson.NewPlanIndex(plan), new(planjson.PlanIndex), (*planjson.PlanIndex)(nil),
		planjson.NewConfigIndex(nil), planjson.NewConfigIndex(plan.Config()), new(planjson.ConfigIndex), (*planjson.ConfigIndex)(nil),
		plan, (*planjson.Plan)(nil), new(planjson.Config), (*planjson.Config)(nil), new(planjson.Schemas), (*planjson.Schemas)(nil),
		new(planjson.Change), (*planjson.Change)(nil), new(planjson.ResourceChange), (*planjson.ResourceChange)(nil),
		new(planjson.Resource), (*planjson.Resource)(nil), new(planjson.Output), (*planjson.Output)(nil),
		new(planjson.Expression), (*planjson.Expression)(nil), new(planjson.Module), (*planjson.Module)(nil),
		new(planjson.Block), (*planjson.Block)(nil), new(planjson.Attribute), (*planjson.Attribute)(nil),
		new(planjson.ProviderConfig), (*planjson.ProviderConfig)(nil), new(planjson.Schema), (*planjson.Schema)(nil),
		new(planjson.IdentitySchema), (*planjson.IdentitySchema)(nil), new(planjson.CheckAddress), (*planjson.CheckAddress)(nil),
		new(planjson.CheckInstanceAddress), (*planjson.CheckInstanceAddress)(nil),
	} {
		value := reflect.ValueOf(v)
		for n := range value.NumMethod() {
			name := value.Type().Method(n).Name
			if name == "MarshalJSON" { // of values: encoding/json writes null for a nil pointer
				continue
			}
			f := value.Method(n)
			t.Run(fmt.Sprintf("%T(%v).%s", v, !value.IsNil(), name), func(t *testing.T) {
				var args []reflect.Value
				for in := range f.Type().NumIn() {
					if !f.Type().IsVariadic() || in < f.Type().NumIn()-1 {
						args = append(args, reflect.Zero(f.Type().In(in)))
					}
				}
				if name == "UnmarshalJSON" {
					args = []reflect.Value{reflect.ValueOf([]byte("5"))}
				}
				if name == "UnmarshalJSON" && value.IsNil() {
					return
				}
				for _, result := range f.Call(args) {
					if typ := result.Type(); typ.Kind() == reflect.Func && !result.IsNil() && typ.NumIn() == 1 && typ.In(0).Kind() == reflect.Func {
						result.Call([]reflect.Value{reflect.MakeFunc(typ.In(0), func([]reflect.Value) []reflect.Value { return []reflect.Value{reflect.ValueOf(true)} })})
					}
				}
				calls++
			})
		}
	}
	if calls < 70 {
		t.Errorf("only %d calls", calls)
	}
}
