// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

// What newer releases of Terraform can ask for: list resources, actions, deferral, generated
// configuration and state stores. Version 1.5.0 has it, see newer.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	p "github.com/hashicorp/terraform-plugin-go/tfprotov6"
	t "github.com/hashicorp/terraform-plugin-go/tftypes"
)

var listSchemas = map[string]*p.Schema{
	"lab_thing": {Version: 0, Block: &p.SchemaBlock{
		Attributes: A{at("prefix", t.String, option), at("count_of", t.Number, option), at("fail", t.String, option), at("token", t.String, option, sens)},
		BlockTypes: []*p.SchemaNestedBlock{{TypeName: "filter", Nesting: p.SchemaNestedBlockNestingModeList, Block: &p.SchemaBlock{Attributes: A{at("name", t.String, req), at("values", t.List{ElementType: t.String}, option)}}}},
	}},
	"lab_switch": {Version: 0, Block: &p.SchemaBlock{
		Attributes: A{at("prefix", t.String, option), at("count_of", t.Number, option), at("fail", t.String, option)},
	}},
}

var actionSchemas = map[string]*p.ActionSchema{
	"lab_notify": {Schema: &p.Schema{Version: 0, Block: &p.SchemaBlock{
		Description: "Tells somebody.", Attributes: A{at("message", t.String, req), at("steps", t.Number, option), at("fail", t.String, option),
			at("wait_ms", t.Number, option), at("token", t.String, option, sens), at("pin_wo", t.String, option, wo), at("extra", t.DynamicPseudoType, option)},
		BlockTypes: []*p.SchemaNestedBlock{{TypeName: "to", Nesting: p.SchemaNestedBlockNestingModeList, Block: &p.SchemaBlock{Attributes: A{at("who", t.String, req), at("cc", tSetS, option)}}}},
	}}},
	"lab_quiet": {Schema: &p.Schema{Version: 2, Block: &p.SchemaBlock{}}},
}

var stateStoreSchemas = map[string]*p.Schema{
	"lab_store": {Version: 0, Block: &p.SchemaBlock{Attributes: A{at("dir", t.String, req), at("key", t.String, option, sens), at("fail", t.String, option)}}},
}

func (s *server) ValidateListResourceConfig(context.Context, *p.ValidateListResourceConfigRequest) (*p.ValidateListResourceConfigResponse, error) {
	return &p.ValidateListResourceConfigResponse{}, nil
}

func (s *server) made(typ, name string) (map[string]t.Value, error) {
	r, err := s.ImportResourceState(context.Background(), &p.ImportResourceStateRequest{TypeName: typ, ID: name})
	if err != nil {
		return nil, err
	}
	_, m, err := obj(r.ImportedResources[0].State, resourceSchemas[typ].ValueType())
	return m, err
}

func (s *server) ListResource(_ context.Context, r *p.ListResourceRequest) (*p.ListResourceServerStream, error) {
	_, m, err := obj(r.Config, listSchemas[r.TypeName].ValueType())
	if err != nil {
		return nil, err
	}
	n, prefix, fail := int64(num(m["count_of"])), str(m["prefix"]), str(m["fail"])
	if n == 0 {
		n = 3
	}
	if r.Limit > 0 && n > r.Limit {
		n = r.Limit
	}
	return &p.ListResourceServerStream{Results: func(yield func(p.ListResourceResult) bool) {
		if fail == "list" {
			yield(p.ListResourceResult{Diagnostics: []*p.Diagnostic{errd(nil, "Cannot list", "The catalogue is closed: <today> & \"tomorrow\".")}})
			return
		}
		for i := int64(0); i < n; i++ {
			vm, err := s.made(r.TypeName, fmt.Sprintf("%s%d", prefix, i))
			if err != nil {
				return
			}
			if _, ok := vm["secrets"]; ok {
				vm["secrets"] = t.NewValue(tMapS, map[string]t.Value{"a b": t.NewValue(t.String, "s3cr3t")})
				vm["secret"] = t.NewValue(t.String, "s3cr3t")
			}
			ty := resourceSchemas[r.TypeName].ValueType()
			res := p.ListResourceResult{DisplayName: fmt.Sprintf("Object %q <%d> & ✓", prefix, i), Identity: s.identity(r.TypeName, vm)}
			if r.IncludeResource {
				dv, err := p.NewDynamicValue(ty, t.NewValue(ty, vm))
				if err != nil {
					return
				}
				res.Resource = &dv
			}
			if fail == "warn" {
				res.Diagnostics = append(res.Diagnostics, warnd(nil, "Half a list", "Some were left out."))
			}
			if !yield(res) {
				return
			}
		}
	}}, nil
}

func (s *server) ValidateActionConfig(_ context.Context, r *p.ValidateActionConfigRequest) (*p.ValidateActionConfigResponse, error) {
	_, m, err := obj(r.Config, actionSchemas[r.ActionType].Schema.ValueType())
	if err != nil {
		return nil, err
	}
	resp := &p.ValidateActionConfigResponse{}
	if str(m["fail"]) == "validate" {
		resp.Diagnostics = append(resp.Diagnostics, errd(t.NewAttributePath().WithAttributeName("message"), "Bad message", "It may not be sent."))
	}
	return resp, nil
}

func (s *server) PlanAction(_ context.Context, r *p.PlanActionRequest) (*p.PlanActionResponse, error) {
	_, m, err := obj(r.Config, actionSchemas[r.ActionType].Schema.ValueType())
	if err != nil {
		return nil, err
	}
	resp := &p.PlanActionResponse{}
	switch str(m["fail"]) {
	case "plan":
		resp.Diagnostics = append(resp.Diagnostics, errd(t.NewAttributePath().WithAttributeName("message"), "Cannot plan the action", "No."))
	case "warn":
		resp.Diagnostics = append(resp.Diagnostics, warnd(t.NewAttributePath().WithAttributeName("message"), "Loud action", "Everybody hears it."))
	case "defer":
		if r.ClientCapabilities != nil && r.ClientCapabilities.DeferralAllowed {
			resp.Deferred = &p.Deferred{Reason: p.DeferredReasonProviderConfigUnknown}
		}
	}
	return resp, nil
}

func (s *server) InvokeAction(_ context.Context, r *p.InvokeActionRequest) (*p.InvokeActionServerStream, error) {
	_, m, err := obj(r.Config, actionSchemas[r.ActionType].Schema.ValueType())
	if err != nil {
		return nil, err
	}
	return &p.InvokeActionServerStream{Events: func(yield func(p.InvokeActionEvent) bool) {
		for i := 0; i < int(num(m["steps"])); i++ {
			if !yield(p.InvokeActionEvent{Type: p.ProgressInvokeActionEventType{Message: fmt.Sprintf("step %d: <%s> & \"more\"\nsecond line", i, str(m["message"]))}}) {
				return
			}
		}
		done := p.CompletedInvokeActionEventType{}
		if !s.wait(num(m["wait_ms"])) {
			done.Diagnostics = append(done.Diagnostics, errd(nil, "Interrupted", "The action was cut short."))
		}
		if str(m["fail"]) == "invoke" {
			done.Diagnostics = append(done.Diagnostics, errd(t.NewAttributePath().WithAttributeName("message"), "Nobody answered", "The action failed."))
		}
		yield(p.InvokeActionEvent{Type: done})
	}}, nil
}

func (s *server) GenerateResourceConfig(_ context.Context, r *p.GenerateResourceConfigRequest) (*p.GenerateResourceConfigResponse, error) {
	sch := resourceSchemas[r.TypeName]
	ty := sch.ValueType()
	v, _, err := obj(r.State, ty)
	if err != nil {
		return nil, err
	}
	v, err = t.Transform(v, func(path *t.AttributePath, v t.Value) (t.Value, error) {
		if a := find(sch.Block, path); a != nil && !a.Optional && !a.Required {
			return t.NewValue(v.Type(), nil), nil
		}
		return v, nil
	})
	if err != nil {
		return nil, err
	}
	dv, err := p.NewDynamicValue(ty, v)
	return &p.GenerateResourceConfigResponse{Config: &dv}, err
}

// state stores: one file for each state

var storeDir, storeFail string

func (s *server) ValidateStateStoreConfig(context.Context, *p.ValidateStateStoreConfigRequest) (*p.ValidateStateStoreConfigResponse, error) {
	return &p.ValidateStateStoreConfigResponse{}, nil
}
func (s *server) ConfigureStateStore(_ context.Context, r *p.ConfigureStateStoreRequest) (*p.ConfigureStateStoreResponse, error) {
	_, m, err := obj(r.Config, stateStoreSchemas[r.TypeName].ValueType())
	if err != nil {
		return nil, err
	}
	storeDir, storeFail = str(m["dir"]), str(m["fail"])
	n := int64(8 << 20)
	if r.Capabilities != nil && r.Capabilities.ChunkSize > 0 {
		n = r.Capabilities.ChunkSize
	}
	return &p.ConfigureStateStoreResponse{Capabilities: &p.StateStoreServerCapabilities{ChunkSize: n}}, os.MkdirAll(storeDir, 0o755)
}
func (s *server) ReadStateBytes(_ context.Context, r *p.ReadStateBytesRequest) (*p.ReadStateBytesStream, error) {
	b, err := os.ReadFile(filepath.Join(storeDir, r.StateID+".state"))
	return &p.ReadStateBytesStream{Chunks: func(yield func(p.ReadStateByteChunk) bool) {
		if err != nil {
			yield(p.ReadStateByteChunk{})
			return
		}
		yield(p.ReadStateByteChunk{StateByteChunk: p.StateByteChunk{Bytes: b, TotalLength: int64(len(b)), Range: p.StateByteRange{Start: 0, End: int64(len(b)) - 1}}})
	}}, nil
}
func (s *server) WriteStateBytes(_ context.Context, w *p.WriteStateBytesStream) (*p.WriteStateBytesResponse, error) {
	var buf bytes.Buffer
	id := ""
	for c, ds := range w.Chunks {
		if len(ds) > 0 {
			return &p.WriteStateBytesResponse{Diagnostics: ds}, nil
		}
		if c.Meta != nil {
			id = c.Meta.StateID
		}
		buf.Write(c.Bytes)
	}
	if storeFail == "write" {
		return &p.WriteStateBytesResponse{Diagnostics: []*p.Diagnostic{errd(nil, "Store is full", "No room.")}}, nil
	}
	return &p.WriteStateBytesResponse{}, os.WriteFile(filepath.Join(storeDir, id+".state"), buf.Bytes(), 0o644)
}
func (s *server) GetStates(context.Context, *p.GetStatesRequest) (*p.GetStatesResponse, error) {
	l, _ := filepath.Glob(filepath.Join(storeDir, "*.state"))
	r := &p.GetStatesResponse{}
	for _, f := range l {
		r.StateIDs = append(r.StateIDs, strings.TrimSuffix(filepath.Base(f), ".state"))
	}
	sort.Strings(r.StateIDs)
	return r, nil
}
func (s *server) DeleteState(_ context.Context, r *p.DeleteStateRequest) (*p.DeleteStateResponse, error) {
	return &p.DeleteStateResponse{}, os.Remove(filepath.Join(storeDir, r.StateID+".state"))
}
func (s *server) LockState(context.Context, *p.LockStateRequest) (*p.LockStateResponse, error) {
	return &p.LockStateResponse{LockID: "lock-1"}, nil
}
func (s *server) UnlockState(context.Context, *p.UnlockStateRequest) (*p.UnlockStateResponse, error) {
	return &p.UnlockStateResponse{}, nil
}
