// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// priorState writes the state after refreshing, as "show -json" prints a state.
func (s *shower) priorState() error {
	state, err := s.file.PriorState()
	if err != nil {
		return err
	}
	if len(state.Resources) == 0 && len(state.Outputs) == 0 {
		return nil
	}
	schemas, err := s.stateSchemas(state)
	if err != nil {
		return inEntry(entryPrior, err)
	}
	shown, err := statefile.ShowExactly(state, schemas)
	if err != nil {
		return inEntry(entryPrior, fmt.Errorf("%w: %w", ErrSchemas, err))
	}
	s.name("prior_state")
	s.open('{')
	s.member("format_version", "1.0")
	s.optional("terraform_version", shown.TerraformVersion)
	s.name("values")
	s.open('{')
	s.stateOutputs(shown.Values.Outputs)
	s.name("root_module")
	s.stateModule(&shown.Values.RootModule)
	s.close('}')
	if !s.release.before(3) && len(shown.Checks) > 0 {
		s.name("checks")
		s.checkList(shown.Checks)
	}
	s.close('}')
	return nil
}

// stateSchemas returns the schemas of the types in a state. Those that are missing are remembered.
func (s *shower) stateSchemas(state *statefile.File) (*planjson.Schemas, error) {
	out := &planjson.Schemas{ProviderSchemas: make(map[string]*planjson.ProviderSchema)}
	for i := range state.All() {
		k, err := stateKey(i)
		if err != nil {
			return nil, err
		}
		of, err := s.schemas.of(k)
		if err != nil {
			return nil, err
		}
		if of.block == nil {
			continue
		}
		p := out.ProviderSchemas[k.provider.String()]
		if p == nil {
			p = &planjson.ProviderSchema{ResourceSchemas: make(map[string]*planjson.Schema), DataSourceSchemas: make(map[string]*planjson.Schema)}
			out.ProviderSchemas[k.provider.String()] = p
		}
		list := p.ResourceSchemas
		if k.mode == addrs.Data {
			list = p.DataSourceSchemas
		}
		if list[k.name] == nil {
			list[k.name] = &planjson.Schema{Version: of.version, Block: of.block}
		}
	}
	return out, nil
}

func stateKey(i statefile.Instance) (typeKey, error) {
	config, err := addrs.ParseAbsProviderConfig(i.Provider)
	if err != nil {
		return typeKey{}, invalid("%q is not the address of a provider configuration", short(i.Provider))
	}
	r := i.Address.Resource()
	return typeKey{config.Provider(), r.Mode(), r.Type()}, nil
}

func (s *shower) stateOutputs(outputs map[string]*planjson.Output) {
	if len(outputs) == 0 {
		return
	}
	s.name("outputs")
	s.open('{')
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		o := outputs[name]
		s.name(name)
		s.open('{')
		s.bool("sensitive", o.Sensitive)
		if s.release.tofu(10) {
			s.optional("deprecated", o.Deprecated)
		}
		s.raw("value", o.Value)
		if !s.release.before(2) {
			s.raw("type", o.Type)
		}
		s.close('}')
	}
	s.close('}')
}

func (s *shower) stateModule(m *planjson.Module) {
	s.open('{')
	if len(m.Resources) > 0 {
		if s.release.before(4) { // which sorted by the text of the address
			slices.SortStableFunc(m.Resources, func(a, b *planjson.Resource) int { return cmp.Compare(a.Address, b.Address) })
		}
		s.name("resources")
		s.open('[')
		for _, r := range m.Resources {
			s.element()
			s.stateResource(r)
		}
		s.close(']')
	}
	s.optional("address", m.Address)
	if len(m.ChildModules) > 0 {
		s.name("child_modules")
		s.open('[')
		for _, child := range m.ChildModules {
			s.element()
			s.stateModule(child)
		}
		s.close(']')
	}
	s.close('}')
}

func (s *shower) stateResource(r *planjson.Resource) {
	provider, _ := addrs.ParseProvider(r.ProviderName)
	missing := s.schemas.missing[typeKey{provider, r.Mode, r.Type}]
	s.open('{')
	s.member("address", r.Address)
	s.member("mode", string(r.Mode))
	s.member("type", r.Type)
	s.member("name", r.Name)
	s.raw("index", r.Index)
	s.member("provider_name", r.ProviderName)
	if !missing {
		s.uint("schema_version", r.SchemaVersion)
	}
	if !r.Values.IsNull() && !bytes.Equal(r.Values, []byte("{}")) {
		s.raw("values", r.Values)
	}
	s.name("sensitive_values")
	if missing && r.Values != nil {
		s.text = append(s.text, "true"...)
	} else {
		s.text = append(s.text, r.SensitiveValues...)
	}
	s.strings("depends_on", r.DependsOn)
	s.flag("tainted", r.Tainted)
	s.optional("deposed_key", r.DeposedKey)
	if r.IdentitySchemaVersion != nil && s.release.terraform() {
		s.uint("identity_schema_version", *r.IdentitySchemaVersion)
	}
	s.raw("identity", r.Identity)
	if r.IdentitySchemaVersion != nil && !s.release.terraform() && !missing {
		s.uint("identity_schema_version", *r.IdentitySchemaVersion)
	}
	s.close('}')
}

// checks writes the results of the checks of the plan.
func (s *shower) checks() error {
	s.conditionResults()
	if s.release.before(3) || len(s.plan.checks) == 0 {
		return nil
	}
	if s.release.before(4) {
		s.conditions()
	}
	byAddress := make(map[string]*planjson.Check)
	for _, c := range s.plan.checks {
		byAddress[c.addr.String()] = c.shown()
	}
	var list []*planjson.Check
	for _, address := range slices.Sorted(maps.Keys(byAddress)) {
		list = append(list, byAddress[address])
	}
	s.name("checks")
	s.checkList(list)
	return nil
}

func (c *checkResult) shown() *planjson.Check {
	check := &planjson.Check{Status: checkStatuses[c.status], Address: planjson.CheckAddress{
		Kind: c.kindName, Name: c.addr.Name(), ToDisplay: c.addr.String(), Module: c.addr.Module().String(),
	}}
	if i, ok := c.addr.AbsResourceInstance(); ok {
		check.Address.Mode, check.Address.Type = i.Resource().Mode(), i.Resource().Type()
	}
	byAddress := make(map[string]*planjson.CheckInstance)
	for _, o := range c.objects {
		shown := &planjson.CheckInstance{Status: checkStatuses[o.status], Address: planjson.CheckInstanceAddress{ToDisplay: o.addr.String(), Module: o.addr.Module().String()}}
		if i, ok := o.addr.AbsResourceInstance(); ok {
			if n, ok := i.Key().Int(); ok {
				shown.Address.InstanceKey = planjson.Literal(n)
			} else if text, ok := i.Key().Str(); ok {
				shown.Address.InstanceKey = planjson.Literal(text)
			}
		}
		for _, message := range slices.Sorted(slices.Values(o.messages)) {
			shown.Problems = append(shown.Problems, &planjson.CheckProblem{Message: message})
		}
		byAddress[shown.Address.ToDisplay] = shown
	}
	for _, address := range slices.Sorted(maps.Keys(byAddress)) {
		check.Instances = append(check.Instances, byAddress[address])
	}
	return check
}

// checkList writes the results of checks. The members of addresses are sorted by name.
func (s *shower) checkList(list []*planjson.Check) {
	s.open('[')
	for _, c := range list {
		s.element()
		s.open('{')
		if s.release.before(5) {
			s.member("//", "EXPERIMENTAL: see docs for details")
		}
		s.name("address")
		s.open('{')
		s.member("kind", string(c.Address.Kind))
		s.optional("mode", string(c.Address.Mode))
		s.optional("module", c.Address.Module)
		s.member("name", c.Address.Name)
		s.member("to_display", c.Address.ToDisplay)
		s.optional("type", c.Address.Type)
		s.close('}')
		s.member("status", string(c.Status))
		if len(c.Instances) > 0 {
			s.checkInstances(c.Instances)
		}
		s.close('}')
	}
	s.close(']')
}

func (s *shower) checkInstances(list []*planjson.CheckInstance) {
	s.name("instances")
	s.open('[')
	for _, i := range list {
		s.element()
		s.open('{')
		s.name("address")
		s.open('{')
		s.raw("instance_key", i.Address.InstanceKey)
		s.optional("module", i.Address.Module)
		s.member("to_display", i.Address.ToDisplay)
		s.close('}')
		s.member("status", string(i.Status))
		if len(i.Problems) > 0 {
			s.name("problems")
			s.open('[')
			for _, p := range i.Problems {
				s.element()
				s.open('{')
				s.member("message", p.Message)
				s.close('}')
			}
			s.close(']')
		}
		s.close('}')
	}
	s.close(']')
}

// conditions writes the member that Terraform 1.3 had beside checks.
func (s *shower) conditions() {
	type condition struct {
		address, kind, message string
		status                 planjson.CheckStatus
	}
	var list []condition
	for _, c := range s.plan.checks {
		kind := map[addrs.CheckableKind]string{addrs.CheckableResource: "ResourcePostcondition", addrs.CheckableOutput: "OutputPrecondition"}[c.kindName]
		for _, o := range c.objects {
			entry := condition{address: o.addr.String(), kind: cmp.Or(kind, "Condition"), status: checkStatuses[o.status]}
			if entry.status != planjson.CheckFail || len(o.messages) == 0 {
				list = append(list, entry)
				continue
			}
			for _, entry.message = range o.messages {
				list = append(list, entry)
			}
		}
	}
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b condition) int { return strings.Compare(a.address, b.address) })
	s.name("condition_results")
	s.open('[')
	for _, c := range list {
		s.element()
		s.open('{')
		s.member("//", "This previously-experimental representation of conditions is deprecated and will be removed in Terraform v1.4. Use the 'checks' property instead.")
		s.member("address", c.address)
		s.member("condition_type", c.kind)
		s.bool("result", c.status == planjson.CheckPass)
		s.bool("unknown", c.status == planjson.CheckUnknown)
		s.optional("error_message", c.message)
		s.close('}')
	}
	s.close(']')
}
