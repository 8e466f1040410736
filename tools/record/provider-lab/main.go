// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"sort"
	"strings"
	"sync"
	"time"

	p "github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	t "github.com/hashicorp/terraform-plugin-go/tftypes"
)

type server struct {
	stop  chan struct{}
	once  sync.Once
	realm string
}

var provType = providerSchema.ValueType()

// version is set when the provider is built. From 1.5.0 on it has what newer
// releases of Terraform can ask for, see newer.go.
var version = "1.4.0"

func newer() bool { return version != "1.4.0" }

func main() {
	if !newer() {
		listSchemas, actionSchemas, stateStoreSchemas = nil, nil, nil
	}
	s := &server{stop: make(chan struct{}), realm: "main"}
	err := tf6server.Serve("registry.opentofu.org/example/lab", func() p.ProviderServer { return s })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func errd(path *t.AttributePath, summary, detail string) *p.Diagnostic {
	return &p.Diagnostic{Severity: p.DiagnosticSeverityError, Summary: summary, Detail: detail, Attribute: path}
}
func warnd(path *t.AttributePath, summary, detail string) *p.Diagnostic {
	return &p.Diagnostic{Severity: p.DiagnosticSeverityWarning, Summary: summary, Detail: detail, Attribute: path}
}

func (s *server) GetMetadata(context.Context, *p.GetMetadataRequest) (*p.GetMetadataResponse, error) {
	r := &p.GetMetadataResponse{ServerCapabilities: &p.ServerCapabilities{MoveResourceState: true, PlanDestroy: true, GenerateResourceConfig: newer()}}
	for k := range listSchemas {
		r.ListResources = append(r.ListResources, p.ListResourceMetadata{TypeName: k})
	}
	for k := range actionSchemas {
		r.Actions = append(r.Actions, p.ActionMetadata{TypeName: k})
	}
	for k := range stateStoreSchemas {
		r.StateStores = append(r.StateStores, p.StateStoreMetadata{TypeName: k})
	}
	for k := range resourceSchemas {
		r.Resources = append(r.Resources, p.ResourceMetadata{TypeName: k})
	}
	for k := range dataSchemas {
		r.DataSources = append(r.DataSources, p.DataSourceMetadata{TypeName: k})
	}
	for k := range ephemeralSchemas {
		r.EphemeralResources = append(r.EphemeralResources, p.EphemeralResourceMetadata{TypeName: k})
	}
	for k := range functions {
		r.Functions = append(r.Functions, p.FunctionMetadata{Name: k})
	}
	return r, nil
}

func (s *server) GetProviderSchema(context.Context, *p.GetProviderSchemaRequest) (*p.GetProviderSchemaResponse, error) {
	return &p.GetProviderSchemaResponse{
		ServerCapabilities: &p.ServerCapabilities{MoveResourceState: true, PlanDestroy: true, GenerateResourceConfig: newer()},
		Provider:           providerSchema, ProviderMeta: providerMeta, ResourceSchemas: resourceSchemas,
		DataSourceSchemas: dataSchemas, EphemeralResourceSchemas: ephemeralSchemas, Functions: functions,
		ListResourceSchemas: listSchemas, ActionSchemas: actionSchemas, StateStoreSchemas: stateStoreSchemas,
	}, nil
}

func (s *server) GetResourceIdentitySchemas(context.Context, *p.GetResourceIdentitySchemasRequest) (*p.GetResourceIdentitySchemasResponse, error) {
	return &p.GetResourceIdentitySchemasResponse{IdentitySchemas: identitySchemas}, nil
}

func obj(dv *p.DynamicValue, ty t.Type) (t.Value, map[string]t.Value, error) {
	if dv == nil {
		return t.NewValue(ty, nil), nil, nil
	}
	v, err := dv.Unmarshal(ty)
	if err != nil {
		return v, nil, err
	}
	m := map[string]t.Value{}
	if v.IsNull() || !v.IsKnown() {
		return v, m, nil
	}
	err = v.As(&m)
	return v, m, err
}

func str(v t.Value) string {
	if v.Type() == nil || v.IsNull() || !v.IsKnown() || !v.Type().Is(t.String) {
		return ""
	}
	var s string
	_ = v.As(&s)
	return s
}
func num(v t.Value) float64 {
	if v.Type() == nil || v.IsNull() || !v.IsKnown() || !v.Type().Is(t.Number) {
		return 0
	}
	var f big.Float
	_ = v.As(&f)
	x, _ := f.Float64()
	return x
}

func (s *server) ValidateProviderConfig(_ context.Context, r *p.ValidateProviderConfigRequest) (*p.ValidateProviderConfigResponse, error) {
	_, m, err := obj(r.Config, provType)
	if err != nil {
		return nil, err
	}
	resp := &p.ValidateProviderConfigResponse{PreparedConfig: r.Config}
	if str(m["realm"]) == "forbidden" {
		resp.Diagnostics = append(resp.Diagnostics, errd(t.NewAttributePath().WithAttributeName("realm"), "Realm not allowed", "The realm \"forbidden\" may not be used.\n\nChoose another."))
	}
	return resp, nil
}
func (s *server) ConfigureProvider(_ context.Context, r *p.ConfigureProviderRequest) (*p.ConfigureProviderResponse, error) {
	_, m, err := obj(r.Config, provType)
	if err != nil {
		return nil, err
	}
	if x := str(m["realm"]); x != "" {
		s.realm = x
	}
	resp := &p.ConfigureProviderResponse{}
	if str(m["region"]) != "" {
		resp.Diagnostics = append(resp.Diagnostics, warnd(t.NewAttributePath().WithAttributeName("region"), "Region is ignored", "The argument \"region\" has no effect."))
	}
	return resp, nil
}
func (s *server) StopProvider(context.Context, *p.StopProviderRequest) (*p.StopProviderResponse, error) {
	s.once.Do(func() { close(s.stop) })
	return &p.StopProviderResponse{}, nil
}

func (s *server) ValidateResourceConfig(_ context.Context, r *p.ValidateResourceConfigRequest) (*p.ValidateResourceConfigResponse, error) {
	_, m, err := obj(r.Config, resourceSchemas[r.TypeName].ValueType())
	if err != nil {
		return nil, err
	}
	resp := &p.ValidateResourceConfigResponse{}
	if str(m["fail"]) == "validate" {
		resp.Diagnostics = append(resp.Diagnostics,
			errd(t.NewAttributePath().WithAttributeName("rules").WithElementKeyInt(0).WithAttributeName("port"), "Invalid port", "A port is between 1 and 65535.\n  * this one is <not> & \"never\" was"),
			errd(t.NewAttributePath().WithAttributeName("fail"), "Second problem", ""),
			errd(nil, "Whole-body problem", "No path at all."))
	}
	if str(m["fail"]) == "warn" {
		resp.Diagnostics = append(resp.Diagnostics, warnd(t.NewAttributePath().WithAttributeName("fail"), "Argument \"fail\" is set", "This only warns."))
	}
	return resp, nil
}

func (s *server) UpgradeResourceState(_ context.Context, r *p.UpgradeResourceStateRequest) (*p.UpgradeResourceStateResponse, error) {
	ty := resourceSchemas[r.TypeName].ValueType()
	v, err := r.RawState.UnmarshalWithOpts(ty, p.UnmarshalOpts{ValueFromJSONOpts: t.ValueFromJSONOpts{IgnoreUndefinedAttributes: true}})
	if err != nil {
		return nil, err
	}
	dv, err := p.NewDynamicValue(ty, v)
	return &p.UpgradeResourceStateResponse{UpgradedState: &dv}, err
}
func (s *server) UpgradeResourceIdentity(_ context.Context, r *p.UpgradeResourceIdentityRequest) (*p.UpgradeResourceIdentityResponse, error) {
	ty := identitySchemas[r.TypeName].ValueType()
	v, err := r.RawIdentity.UnmarshalWithOpts(ty, p.UnmarshalOpts{ValueFromJSONOpts: t.ValueFromJSONOpts{IgnoreUndefinedAttributes: true}})
	if err != nil {
		return nil, err
	}
	dv, err := p.NewDynamicValue(ty, v)
	return &p.UpgradeResourceIdentityResponse{UpgradedIdentity: &p.ResourceIdentityData{IdentityData: &dv}}, err
}

func (s *server) identity(typ string, m map[string]t.Value) *p.ResourceIdentityData {
	sch := identitySchemas[typ]
	if sch == nil || m == nil {
		return nil
	}
	out := map[string]t.Value{}
	for _, a := range sch.IdentityAttributes {
		out[a.Name] = m[a.Name]
	}
	ty := sch.ValueType()
	dv, err := p.NewDynamicValue(ty, t.NewValue(ty, out))
	if err != nil {
		return nil
	}
	return &p.ResourceIdentityData{IdentityData: &dv}
}

func fromJSON(ty t.Type, x any) (t.Value, error) {
	if x == nil {
		return t.NewValue(ty, nil), nil
	}
	b, err := json.Marshal(x)
	if err != nil {
		return t.Value{}, err
	}
	if ty.Is(t.DynamicPseudoType) {
		switch x.(type) {
		case string:
			return t.NewValue(t.String, x), nil
		case bool:
			return t.NewValue(t.Bool, x), nil
		default:
			return t.NewValue(t.String, string(b)), nil
		}
	}
	return t.ValueFromJSON(b, ty)
}

func fileName(s string) string {
	h := sha256.Sum256([]byte(s))
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, s)
	if clean == s {
		return s
	}
	return clean + "-" + hex.EncodeToString(h[:4])
}

func (s *server) ReadResource(_ context.Context, r *p.ReadResourceRequest) (*p.ReadResourceResponse, error) {
	ty := resourceSchemas[r.TypeName].ValueType()
	_, m, err := obj(r.CurrentState, ty)
	if err != nil {
		return nil, err
	}
	resp := &p.ReadResourceResponse{NewState: r.CurrentState, Private: r.Private}
	nm := str(m["name"]) + str(m["title"]) + str(m["key"])
	if str(m["fail"]) == "read" {
		resp.Diagnostics = append(resp.Diagnostics, errd(nil, "Cannot read object", "The object "+nm+" cannot be read now."))
		return resp, nil
	}
	base := ".lab/" + r.TypeName + "." + fileName(nm)
	if _, err := os.Stat(base + ".gone"); err == nil {
		dv, err := p.NewDynamicValue(ty, t.NewValue(ty, nil))
		resp.NewState = &dv
		return resp, err
	}
	if b, err := os.ReadFile(base + ".json"); err == nil {
		over := map[string]any{}
		if err := json.Unmarshal(b, &over); err != nil {
			return nil, err
		}
		for k, x := range over {
			at := ty.(t.Object).AttributeTypes[k]
			if at == nil {
				return nil, fmt.Errorf("no attribute %q", k)
			}
			v, err := fromJSON(at, x)
			if err != nil {
				return nil, err
			}
			m[k] = v
		}
		dv, err := p.NewDynamicValue(ty, t.NewValue(ty, m))
		if err != nil {
			return nil, err
		}
		resp.NewState = &dv
	}
	resp.NewIdentity = s.identity(r.TypeName, m)
	return resp, nil
}

// find the attribute at a path, indexes left out
func find(b *p.SchemaBlock, path *t.AttributePath) *p.SchemaAttribute {
	attrs, blocks := b.Attributes, b.BlockTypes
	steps := path.Steps()
	var got *p.SchemaAttribute
	for i, st := range steps {
		n, ok := st.(t.AttributeName)
		if !ok {
			if i == len(steps)-1 {
				return nil
			}
			continue
		}
		got = nil
		hit := false
		for _, a := range attrs {
			if a.Name == string(n) {
				got = a
				hit = true
				if a.NestedType != nil {
					attrs, blocks = a.NestedType.Attributes, nil
				} else {
					attrs, blocks = nil, nil
				}
				break
			}
		}
		if !hit {
			for _, nb := range blocks {
				if nb.TypeName == string(n) {
					attrs, blocks = nb.Block.Attributes, nb.Block.BlockTypes
					hit = true
					break
				}
			}
		}
		if !hit {
			return nil
		}
	}
	return got
}

func walkTo(v t.Value, path *t.AttributePath) (t.Value, bool) {
	x, _, err := t.WalkAttributePath(v, path)
	if err != nil {
		return t.Value{}, false
	}
	r, ok := x.(t.Value)
	return r, ok
}

func expand(v t.Value, pat []string, path *t.AttributePath, out *[]*t.AttributePath) {
	if len(pat) == 0 {
		*out = append(*out, path)
		return
	}
	if v.Type() == nil || v.IsNull() || !v.IsKnown() {
		return
	}
	if pat[0] == "*" {
		switch {
		case v.Type().Is(t.List{}):
			var l []t.Value
			_ = v.As(&l)
			for i := range l {
				expand(l[i], pat[1:], path.WithElementKeyInt(i), out)
			}
		case v.Type().Is(t.Map{}):
			m := map[string]t.Value{}
			_ = v.As(&m)
			ks := []string{}
			for k := range m {
				ks = append(ks, k)
			}
			sort.Strings(ks)
			for _, k := range ks {
				expand(m[k], pat[1:], path.WithElementKeyString(k), out)
			}
		}
		return
	}
	m := map[string]t.Value{}
	if v.As(&m) != nil {
		return
	}
	if c, ok := m[pat[0]]; ok {
		expand(c, pat[1:], path.WithAttributeName(pat[0]), out)
	}
}

func (s *server) PlanResourceChange(_ context.Context, r *p.PlanResourceChangeRequest) (*p.PlanResourceChangeResponse, error) {
	sch := resourceSchemas[r.TypeName]
	ty := sch.ValueType()
	prior, pm, err := obj(r.PriorState, ty)
	if err != nil {
		return nil, err
	}
	prop, m, err := obj(r.ProposedNewState, ty)
	if err != nil {
		return nil, err
	}
	conf, _, err := obj(r.Config, ty)
	if err != nil {
		return nil, err
	}
	resp := &p.PlanResourceChangeResponse{PlannedState: r.ProposedNewState, PlannedPrivate: r.PriorPrivate, PlannedIdentity: r.PriorIdentity}
	if prop.IsNull() {
		if str(pm["fail"]) == "plan-destroy" {
			resp.Diagnostics = append(resp.Diagnostics, errd(nil, "Destroy refused", "The object said no."))
		}
		if str(pm["fail"]) == "warn-destroy" {
			resp.Diagnostics = append(resp.Diagnostics, warnd(nil, "Destroy is for ever", "Nothing brings it back."))
		}
		return resp, nil
	}
	if newer() && str(m["fail"]) == "defer" && r.ClientCapabilities != nil && r.ClientCapabilities.DeferralAllowed {
		resp.Deferred = &p.Deferred{Reason: p.DeferredReasonAbsentPrereq}
	}
	if str(m["fail"]) == "plan" {
		resp.Diagnostics = append(resp.Diagnostics, errd(t.NewAttributePath().WithAttributeName("fail"), "Planning failed", "The object cannot be planned: <fail> & co."))
		return resp, nil
	}
	planned, err := t.Transform(prop, func(path *t.AttributePath, v t.Value) (t.Value, error) {
		a := find(sch.Block, path)
		if a == nil {
			return v, nil
		}
		if a.WriteOnly {
			return t.NewValue(v.Type(), nil), nil
		}
		if a.Computed && v.IsNull() {
			if c, ok := walkTo(conf, path); ok && !c.IsNull() {
				return v, nil
			}
			return t.NewValue(v.Type(), t.UnknownValue), nil
		}
		return v, nil
	})
	if err != nil {
		return nil, err
	}
	if !prior.IsNull() && !planned.Equal(prior) {
		planned, resp.RequiresReplace = planUpdate(r.TypeName, prior, planned, pm["size"])
	}
	if str(m["fail"]) == "warn" {
		resp.Diagnostics = append(resp.Diagnostics, warnd(t.NewAttributePath().WithAttributeName("note"), "Plan-time warning", "Planned with a \"warning\"."))
	}
	if str(m["fail"]) == "legacy-type-system" || r.TypeName == "lab_legacy" {
		resp.UnsafeToUseLegacyTypeSystem = true
	}
	dv, err := p.NewDynamicValue(ty, planned)
	resp.PlannedState = &dv
	return resp, err
}

var counter = 0
var mu sync.Mutex

func concrete(path *t.AttributePath, ty t.Type, seed string) t.Value {
	h := sha256.Sum256([]byte(seed + path.String()))
	last := "v"
	if n := len(path.Steps()); n > 0 {
		if a, ok := path.Steps()[n-1].(t.AttributeName); ok {
			last = string(a)
		}
	}
	switch {
	case ty.Is(t.String):
		return t.NewValue(ty, last+"-"+hex.EncodeToString(h[:5]))
	case ty.Is(t.Number):
		return t.NewValue(ty, big.NewFloat(float64(int(h[0])*256+int(h[1]))))
	case ty.Is(t.Bool):
		return t.NewValue(ty, h[0]%2 == 0)
	case ty.Is(t.DynamicPseudoType):
		o := t.Object{AttributeTypes: map[string]t.Type{"kind": t.String, "n": t.Tuple{ElementTypes: []t.Type{t.Number, t.Bool}}}}
		return t.NewValue(o, map[string]t.Value{"kind": t.NewValue(t.String, "made-"+hex.EncodeToString(h[:2])),
			"n": t.NewValue(t.Tuple{ElementTypes: []t.Type{t.Number, t.Bool}}, []t.Value{t.NewValue(t.Number, 7), t.NewValue(t.Bool, true)})})
	case ty.Is(t.List{}), ty.Is(t.Set{}):
		var el t.Type
		if l, ok := ty.(t.List); ok {
			el = l.ElementType
		} else {
			el = ty.(t.Set).ElementType
		}
		return t.NewValue(ty, []t.Value{concrete(path.WithElementKeyInt(0), el, seed), concrete(path.WithElementKeyInt(1), el, seed)})
	case ty.Is(t.Map{}):
		return t.NewValue(ty, map[string]t.Value{"made": concrete(path.WithElementKeyString("made"), ty.(t.Map).ElementType, seed)})
	case ty.Is(t.Object{}):
		m := map[string]t.Value{}
		for k, at := range ty.(t.Object).AttributeTypes {
			m[k] = concrete(path.WithAttributeName(k), at, seed)
		}
		return t.NewValue(ty, m)
	}
	return t.NewValue(ty, nil)
}

func (s *server) wait(ms float64) bool {
	if ms <= 0 {
		return true
	}
	select {
	case <-time.After(time.Duration(ms) * time.Millisecond):
		return true
	case <-s.stop:
		return false
	}
}

// planUpdate returns a planned object with the attributes unknown that every update
// changes, and the paths because of which the object has to be replaced.
func planUpdate(typ string, prior, planned, size t.Value) (t.Value, []*t.AttributePath) {
	mm := map[string]t.Value{}
	_ = planned.As(&mm)
	if x, ok := mm["revision"]; ok {
		mm["revision"] = t.NewValue(x.Type(), t.UnknownValue)
	}
	if x, ok := mm["endpoints"]; ok && !mm["size"].Equal(size) {
		mm["endpoints"] = t.NewValue(x.Type(), t.UnknownValue)
	}
	if x, ok := mm["checksum"]; ok {
		mm["checksum"] = t.NewValue(x.Type(), t.UnknownValue)
	}
	planned = t.NewValue(planned.Type(), mm)
	var replace []*t.AttributePath
	for _, f := range forceNew[typ] {
		var paths []*t.AttributePath
		expand(planned, strings.Split(f, "."), t.NewAttributePath(), &paths)
		for _, pa := range paths {
			a, _ := walkTo(planned, pa)
			b, ok := walkTo(prior, pa)
			if !ok || !a.Equal(b) {
				replace = append(replace, pa)
			}
		}
	}
	return planned, replace
}

// concreteOf returns the object that was planned, with values where it was unknown.
func (s *server) concreteOf(plan t.Value, name string) (t.Value, error) {
	mu.Lock()
	counter++
	c := counter
	mu.Unlock()
	seed := fmt.Sprintf("%s/%d/%d", name, c, time.Now().UnixNano())
	return t.Transform(plan, func(path *t.AttributePath, v t.Value) (t.Value, error) {
		if v.IsKnown() {
			return v, nil
		}
		if len(path.Steps()) == 1 && path.Steps()[0] == t.AttributeName("realm") {
			return t.NewValue(t.String, s.realm), nil
		}
		return concrete(path, v.Type(), seed), nil
	})
}

func (s *server) ApplyResourceChange(_ context.Context, r *p.ApplyResourceChangeRequest) (*p.ApplyResourceChangeResponse, error) {
	sch := resourceSchemas[r.TypeName]
	ty := sch.ValueType()
	prior, pm, err := obj(r.PriorState, ty)
	if err != nil {
		return nil, err
	}
	plan, m, err := obj(r.PlannedState, ty)
	if err != nil {
		return nil, err
	}
	resp := &p.ApplyResourceChangeResponse{NewState: r.PlannedState, Private: r.PlannedPrivate, NewIdentity: r.PlannedIdentity}
	if plan.IsNull() {
		if str(pm["fail"]) == "delete" {
			resp.NewState = r.PriorState
			resp.Diagnostics = append(resp.Diagnostics, errd(nil, "Deletion failed", "The object "+str(pm["name"])+" is in use."))
			return resp, nil
		}
		if !s.wait(num(pm["wait_ms"])) {
			resp.NewState = r.PriorState
			resp.Diagnostics = append(resp.Diagnostics, errd(nil, "Interrupted", "Deletion was cut short."))
		}
		return resp, nil
	}
	fail := str(m["fail"])
	creating := prior.IsNull()
	if creating && fail == "create" {
		dv, err := p.NewDynamicValue(ty, t.NewValue(ty, nil))
		resp.NewState = &dv
		resp.Diagnostics = append(resp.Diagnostics, errd(t.NewAttributePath().WithAttributeName("fail"), "Creation failed", "No object was made."))
		return resp, err
	}
	if !creating && fail == "update" {
		resp.NewState = r.PriorState
		resp.Diagnostics = append(resp.Diagnostics, errd(nil, "Update failed", "The object kept its old values."))
		return resp, nil
	}
	cut := false
	if fail == "deaf" {
		time.Sleep(time.Duration(num(m["wait_ms"])) * time.Millisecond)
	} else {
		cut = !s.wait(num(m["wait_ms"]))
	}
	out, err := s.concreteOf(plan, r.TypeName+"/"+str(m["name"])+str(m["title"]))
	if err != nil {
		return nil, err
	}
	om := map[string]t.Value{}
	_ = out.As(&om)
	if fail == "inconsistent" {
		om["note"] = t.NewValue(t.String, "not what was planned")
		out = t.NewValue(ty, om)
	}
	dv, err := p.NewDynamicValue(ty, out)
	if err != nil {
		return nil, err
	}
	resp.NewState = &dv
	resp.NewIdentity = s.identity(r.TypeName, om)
	if cut {
		resp.Diagnostics = append(resp.Diagnostics, errd(nil, "Interrupted", "The change was cut short."))
	}
	if creating && fail == "create-partial" {
		resp.Diagnostics = append(resp.Diagnostics, errd(t.NewAttributePath().WithAttributeName("name"), "Creation only half done", "The object exists, but is not usable."))
	}
	if fail == "warn" {
		resp.Diagnostics = append(resp.Diagnostics, warnd(t.NewAttributePath().WithAttributeName("name"), "Apply-time warning", "Applied, with a warning."))
	}
	if r.TypeName == "lab_legacy" {
		resp.UnsafeToUseLegacyTypeSystem = true
	}
	return resp, nil
}

func (s *server) ImportResourceState(_ context.Context, r *p.ImportResourceStateRequest) (*p.ImportResourceStateResponse, error) {
	sch := resourceSchemas[r.TypeName]
	ty := sch.ValueType()
	name, realm := r.ID, s.realm
	if r.Identity != nil && r.Identity.IdentityData != nil {
		_, im, err := obj(r.Identity.IdentityData, identitySchemas[r.TypeName].ValueType())
		if err != nil {
			return nil, err
		}
		name = str(im["name"])
		if x := str(im["realm"]); x != "" {
			realm = x
		}
	} else if i := strings.Index(name, "/"); i >= 0 {
		realm, name = name[:i], name[i+1:]
	}
	if name == "unimportable" {
		return &p.ImportResourceStateResponse{Diagnostics: []*p.Diagnostic{errd(nil, "Import refused", "This object cannot be imported.")}}, nil
	}
	m := map[string]t.Value{}
	for k, at := range ty.(t.Object).AttributeTypes {
		if a := find(sch.Block, t.NewAttributePath().WithAttributeName(k)); a != nil && a.Computed {
			m[k] = concrete(t.NewAttributePath().WithAttributeName(k), at, r.TypeName+name)
		} else if a == nil && at.Is(t.List{}) {
			m[k] = t.NewValue(at, []t.Value{})
		} else if a == nil && at.Is(t.Set{}) {
			m[k] = t.NewValue(at, []t.Value{})
		} else if a == nil && at.Is(t.Map{}) {
			m[k] = t.NewValue(at, map[string]t.Value{})
		} else {
			m[k] = t.NewValue(at, nil)
		}
	}
	for _, k := range []string{"name", "title", "key"} {
		if _, ok := m[k]; ok {
			m[k] = t.NewValue(t.String, name)
		}
	}
	if _, ok := m["realm"]; ok {
		m["realm"] = t.NewValue(t.String, realm)
	}
	dv, err := p.NewDynamicValue(ty, t.NewValue(ty, m))
	if err != nil {
		return nil, err
	}
	return &p.ImportResourceStateResponse{ImportedResources: []*p.ImportedResource{{TypeName: r.TypeName, State: &dv, Identity: s.identity(r.TypeName, m)}}}, nil
}

func (s *server) MoveResourceState(_ context.Context, r *p.MoveResourceStateRequest) (*p.MoveResourceStateResponse, error) {
	if r.TargetTypeName != "lab_switch" {
		return &p.MoveResourceStateResponse{Diagnostics: []*p.Diagnostic{errd(nil, "Cannot move", "No way from "+r.SourceTypeName+" to "+r.TargetTypeName+".")}}, nil
	}
	src := map[string]any{}
	_ = json.Unmarshal(r.SourceState.JSON, &src)
	ty := resourceSchemas["lab_switch"].ValueType()
	m := map[string]t.Value{}
	for k, at := range ty.(t.Object).AttributeTypes {
		m[k] = t.NewValue(at, nil)
	}
	id, _ := src["id"].(string)
	m["id"] = t.NewValue(t.String, id)
	m["name"] = t.NewValue(t.String, "moved")
	m["serial"] = t.NewValue(t.String, "from-"+r.SourceTypeName)
	m["token"] = t.NewValue(t.String, "tok-"+id)
	dv, err := p.NewDynamicValue(ty, t.NewValue(ty, m))
	return &p.MoveResourceStateResponse{TargetState: &dv, TargetIdentity: s.identity("lab_switch", m)}, err
}

func (s *server) ValidateDataResourceConfig(context.Context, *p.ValidateDataResourceConfigRequest) (*p.ValidateDataResourceConfigResponse, error) {
	return &p.ValidateDataResourceConfigResponse{}, nil
}

func (s *server) ReadDataSource(_ context.Context, r *p.ReadDataSourceRequest) (*p.ReadDataSourceResponse, error) {
	ty := dataSchemas[r.TypeName].ValueType()
	_, m, err := obj(r.Config, ty)
	if err != nil {
		return nil, err
	}
	q := str(m["query"])
	resp := &p.ReadDataSourceResponse{}
	switch str(m["fail"]) {
	case "crash":
		os.Exit(3)
	case "read":
		resp.Diagnostics = append(resp.Diagnostics, errd(t.NewAttributePath().WithAttributeName("query"), "Lookup failed", "Nothing matches "+q+"."))
		return resp, nil
	case "warn":
		resp.Diagnostics = append(resp.Diagnostics, warnd(t.NewAttributePath().WithAttributeName("query"), "Slow query", "It took long."))
	}
	rty := ty.(t.Object).AttributeTypes["results"].(t.List)
	n := int(num(m["limit"]))
	if n == 0 {
		n = 2
	}
	var l []t.Value
	for i := 0; i < n; i++ {
		l = append(l, t.NewValue(rty.ElementType, map[string]t.Value{
			"id": t.NewValue(t.String, fmt.Sprintf("%s-%d", q, i)), "score": t.NewValue(t.Number, big.NewFloat(1/float64(i+1))),
			"labels": t.NewValue(tMapS, map[string]t.Value{"rank": t.NewValue(t.String, fmt.Sprint(i))}), "secret": t.NewValue(t.String, fmt.Sprintf("s3cr3t-%d", i))}))
	}
	m["results"] = t.NewValue(rty, l)
	m["id"] = t.NewValue(t.String, "lookup-"+fileName(q))
	m["raw"] = concrete(t.NewAttributePath(), t.DynamicPseudoType, q)
	m["secret"] = t.NewValue(t.String, "key of "+q)
	m["old_total"] = t.NewValue(t.Number, n)
	dv, err := p.NewDynamicValue(ty, t.NewValue(ty, m))
	resp.State = &dv
	return resp, err
}

func (s *server) ValidateEphemeralResourceConfig(context.Context, *p.ValidateEphemeralResourceConfigRequest) (*p.ValidateEphemeralResourceConfigResponse, error) {
	return &p.ValidateEphemeralResourceConfigResponse{}, nil
}
func (s *server) OpenEphemeralResource(_ context.Context, r *p.OpenEphemeralResourceRequest) (*p.OpenEphemeralResourceResponse, error) {
	ty := ephemeralSchemas[r.TypeName].ValueType()
	_, m, err := obj(r.Config, ty)
	if err != nil {
		return nil, err
	}
	resp := &p.OpenEphemeralResourceResponse{}
	if str(m["fail"]) == "open" {
		resp.Diagnostics = append(resp.Diagnostics, errd(t.NewAttributePath().WithAttributeName("audience"), "No token", "The audience was not recognised."))
		return resp, nil
	}
	m["token"] = t.NewValue(t.String, "tok-for-"+str(m["audience"]))
	m["expires"] = t.NewValue(t.String, "2030-01-01T00:00:00Z")
	dv, err := p.NewDynamicValue(ty, t.NewValue(ty, m))
	resp.Result = &dv
	resp.Private = []byte(fmt.Sprintf("%s %d", str(m["fail"])+"-", int(num(m["renew_ms"]))))
	if ms := num(m["renew_ms"]); ms > 0 {
		resp.RenewAt = time.Now().Add(time.Duration(ms) * time.Millisecond)
	}
	return resp, err
}
func (s *server) RenewEphemeralResource(_ context.Context, r *p.RenewEphemeralResourceRequest) (*p.RenewEphemeralResourceResponse, error) {
	resp := &p.RenewEphemeralResourceResponse{Private: r.Private}
	if strings.HasPrefix(string(r.Private), "renew-") {
		resp.Diagnostics = append(resp.Diagnostics, errd(nil, "Renewal failed", "The token ran out."))
		return resp, nil
	}
	var x string
	var ms int
	fmt.Sscanf(string(r.Private), "%s %d", &x, &ms)
	if ms > 0 {
		resp.RenewAt = time.Now().Add(time.Duration(ms) * time.Millisecond)
	}
	return resp, nil
}
func (s *server) CloseEphemeralResource(_ context.Context, r *p.CloseEphemeralResourceRequest) (*p.CloseEphemeralResourceResponse, error) {
	resp := &p.CloseEphemeralResourceResponse{}
	if strings.HasPrefix(string(r.Private), "close-") {
		resp.Diagnostics = append(resp.Diagnostics, errd(nil, "Token not revoked", "The token stays valid."))
	}
	return resp, nil
}
