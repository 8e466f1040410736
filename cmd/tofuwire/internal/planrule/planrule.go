// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planrule has the policies for plans of the programs gate and wrapper.
package planrule

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/planjson"
)

// A Rule is one policy. Its check reports objections to a plan.
type Rule struct {
	text  string // as it was given
	check func(p *planjson.Plan, object objector)
}

// An objector records an objection to the object at an address of the plan, or
// to the whole plan if the address is "".
type objector func(address, format string, args ...any)

// An Objection is one reason not to apply a plan. Address is "" for the whole plan.
type Objection struct {
	Rule, Address, Text string
}

// kinds are the rules by name. The argument of make is the text after "=", or
// "" if there is none.
var kinds = map[string]struct {
	argument, help string
	make           func(argument string) (func(*planjson.Plan, objector), error)
}{
	"no-delete":    {"[=TYPES]", "nothing of these types is deleted, alone or in a replacement", forbid("deleted", planjson.Actions.Destroys)},
	"no-replace":   {"[=TYPES]", "nothing of these types is replaced", forbid("replaced", planjson.Actions.IsReplace)},
	"no-forget":    {"[=TYPES]", "nothing of these types is removed from the state without being destroyed", forbid("forgotten", planjson.Actions.Forgets)},
	"only":         {"=TYPES", "only objects of these types change in any way", only},
	"free":         {"[=TYPES]", "nothing that may cost money is created or updated, except these types and\n                      providers without remote objects, such as random", free},
	"providers":    {"=SOURCES", "only these providers are used", providers},
	"max-create":   {"=N", "at most N objects are created", limit("created", planjson.Actions.Creates)},
	"max-update":   {"=N", "at most N objects are updated in place", limit("updated", planjson.Actions.IsUpdate)},
	"max-delete":   {"=N", "at most N objects are deleted", limit("deleted", planjson.Actions.Destroys)},
	"max-changes":  {"=N", "at most N objects change in any way, including imports and invoked actions", limit("touched", nil)},
	"no-drift":     {"", "no object was changed outside the tool", noDrift},
	"checks-pass":  {"", "no check, condition or validation has failed", checksPass},
	"no-postponed": {"", "the plan defers nothing to a later plan", noPostponed},
}

// Help lists the rules.
func Help() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(&b, "  %-19s %s\n", name+kinds[name].argument, kinds[name].help)
	}
	b.WriteString("TYPES and SOURCES are separated by commas; * and ? in TYPES stand for any text and any character.\n")
	return b.String()
}

// Names returns the names of the rules. Those with an argument end in "=".
func Names() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		if kinds[name].argument != "" {
			name += "="
		}
		names = append(names, name)
	}
	return names
}

// Parse makes a rule of its text, NAME or NAME=ARGUMENT.
func Parse(text string) (Rule, error) {
	name, argument, given := strings.Cut(text, "=")
	kind, ok := kinds[name]
	switch {
	case !ok:
		return Rule{}, commandline.Unknown("rule", name, slices.Sorted(maps.Keys(kinds)))
	case given && kind.argument == "":
		return Rule{}, fmt.Errorf("the rule %s takes no argument", name)
	case argument == "" && (given || strings.HasPrefix(kind.argument, "=")):
		return Rule{}, fmt.Errorf("the rule %s needs an argument: %s%s", name, name, kind.argument)
	}
	check, err := kind.make(argument)
	if err != nil {
		return Rule{}, fmt.Errorf("the rule %s: %w", name, err)
	}
	return Rule{text, check}, nil
}

// Judge returns all objections to a plan that can be judged, as planjson.Judgeable says:
// those of the rules, and those to actions that nobody knows. A rule cannot allow what it does
// not understand.
func Judge(p *planjson.Plan, rules []Rule) []Objection {
	var all []Objection
	for _, r := range append([]Rule{{"known actions", knownActions}}, rules...) {
		r.check(p, func(address, format string, args ...any) {
			all = append(all, Objection{r.text, address, fmt.Sprintf(format, args...)})
		})
	}
	return all
}

// knownActions is the rule for every plan.
func knownActions(p *planjson.Plan, object objector) {
	for list, c := range p.AllChanges() {
		if list != "resource_drift" && !c.Change.Actions.IsKnown() {
			object(c.Address, "an unknown action: %q", c.Change.Actions)
		}
	}
}

// touched returns an iterator over the planned changes that concern an object
// in the world or in the state. Data sources and ephemeral resources do not.
func touched(p *planjson.Plan) func(func(*planjson.ResourceChange) bool) {
	return func(yield func(*planjson.ResourceChange) bool) {
		for _, rc := range p.ResourceChanges {
			if rc != nil && rc.Mode != addrs.Data && rc.Mode != addrs.Ephemeral && (touches(rc.Change.Actions) || rc.Change.Importing != nil) && !yield(rc) {
				return
			}
		}
	}
}

func touches(a planjson.Actions) bool { return !a.IsNoOp() }

// name returns the address of a change for people, with the deposed object.
func name(rc *planjson.ResourceChange) string {
	if rc.Deposed != "" {
		return rc.Address + " (deposed object " + rc.Deposed + ")"
	}
	return rc.Address
}

// types returns a function that reports whether a type is in a list of
// patterns. An empty list has all types.
func types(list string) (func(string) bool, error) {
	if list == "" {
		return func(string) bool { return true }, nil
	}
	patterns := strings.Split(list, ",")
	for i, pattern := range patterns {
		pattern = strings.TrimSpace(pattern)
		patterns[i] = pattern
		// An address, say, would match no type: the rule would pass everything.
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" || strings.ContainsAny(pattern, ". \t/;:\"'") {
			return nil, fmt.Errorf("%q is not a pattern of types", pattern)
		}
	}
	return func(typ string) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			ok, err := path.Match(pattern, typ)
			return ok && err == nil
		})
	}, nil
}

// forbid makes rules that forbid an action.
func forbid(what string, is func(planjson.Actions) bool) func(string) (func(*planjson.Plan, objector), error) {
	return func(list string) (func(*planjson.Plan, objector), error) {
		match, err := types(list)
		return func(p *planjson.Plan, object objector) {
			for rc := range touched(p) {
				if is(rc.Change.Actions) && (match(rc.Type) || rc.Type == "") { // a missing type may be any
					why := ""
					if rc.ActionReason != "" {
						why = ": " + strings.ReplaceAll(string(rc.ActionReason), "_", " ")
					}
					object(name(rc), "would be %s%s", what, why)
				}
			}
		}, err
	}
}

// limit makes rules that limit a number. Without a function it is that of all that a plan
// does: an action that is invoked may do anything.
func limit(what string, is func(planjson.Actions) bool) func(string) (func(*planjson.Plan, objector), error) {
	return func(number string) (func(*planjson.Plan, objector), error) {
		most, err := strconv.Atoi(number)
		if err != nil || most < 0 {
			return nil, fmt.Errorf("%q is not a number", number)
		}
		return func(p *planjson.Plan, object objector) {
			n := 0
			for rc := range touched(p) {
				if is == nil || is(rc.Change.Actions) {
					n++
				}
			}
			if is == nil {
				n += len(p.ActionInvocations)
			}
			if n > most {
				object("", "%d objects would be %s, %d are allowed", n, what, most)
			}
		}, nil
	}
}

// only makes the rule that allows nothing but some types. An action may do
// anything, so its type must be among them.
func only(list string) (func(*planjson.Plan, objector), error) {
	match, err := types(list)
	return func(p *planjson.Plan, object objector) {
		for rc := range touched(p) {
			if !match(rc.Type) {
				object(name(rc), "is not of an allowed type")
			}
		}
		for _, a := range p.ActionInvocations {
			if a != nil && !match(a.Type) {
				object(a.Address, "is not of an allowed type")
			}
		}
	}, err
}

// ownNothing are the providers whose resources exist in the state or on the
// machine of the caller alone. The host does not matter.
var ownNothing = []string{"builtin/terraform", "hashicorp/random", "hashicorp/null", "hashicorp/local", "hashicorp/time", "hashicorp/tls", "hashicorp/archive", "hashicorp/cloudinit"}

// free makes the rule that only what costs nothing may come into being or
// change. To delete is always free.
func free(list string) (func(*planjson.Plan, objector), error) {
	match, err := types(list)
	costs := func(provider, typ string) bool {
		c, err := addrs.ParseRecordedProvider(provider)
		p := c.Provider()
		source := p.Namespace() + "/" + p.Type()
		if p.IsLegacy() { // the only ones then were HashiCorp's
			source = "hashicorp/" + p.Type()
		}
		public := p.IsBuiltIn() || p.IsLegacy() || p.Host() == addrs.DefaultHost || p.Host() == addrs.TerraformHost // elsewhere the name is anybody's
		return (err != nil || !public || !slices.Contains(ownNothing, source)) && (list == "" || !match(typ))
	}
	return func(p *planjson.Plan, object objector) {
		for rc := range touched(p) {
			a := rc.Change.Actions
			if (a.Creates() || a.IsUpdate()) && costs(rc.ProviderName, rc.Type) {
				object(name(rc), "may cost money (%s)", a)
			}
		}
		for _, a := range p.ActionInvocations {
			if a != nil && costs(a.ProviderName, a.Type) {
				object(a.Address, "may cost money (an action)")
			}
		}
	}, err
}

// providers makes the rule that allows only some providers, also for what
// does not change.
func providers(list string) (func(*planjson.Plan, objector), error) {
	allowed, types := make(map[addrs.Provider]bool), make(map[string]bool)
	for source := range strings.SplitSeq(list, ",") {
		p, err := addrs.ParseProvider(strings.TrimSpace(source))
		if err != nil {
			return nil, err
		}
		allowed[p], types[p.Type()] = true, true
	}
	return func(p *planjson.Plan, object objector) {
		seen := make(map[string]bool)
		use := func(address, source string) {
			if seen[source] {
				return
			}
			seen[source] = true
			c, err := addrs.ParseRecordedProvider(source)
			used := c.Provider()
			if err != nil || !allowed[used] && !(used.IsLegacy() && types[used.Type()]) { // plans of Terraform 0.12 name only the type
				object(address, "uses the provider %s", source)
			}
		}
		for _, c := range p.AllChanges() {
			if c.Resource != nil {
				use(name(c.Resource), c.Resource.ProviderName)
			}
		}
		for _, a := range p.ActionInvocations {
			if a != nil {
				use(a.Address, a.ProviderName)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(p.Config().ProviderConfig)) {
			if c := p.Config().ProviderConfig[key]; c != nil {
				use("provider."+c.Name, cmp.Or(c.FullName, c.Name))
			}
		}
	}, nil
}

// noDrift makes the rule against changes that somebody else has made.
func noDrift(string) (func(*planjson.Plan, objector), error) {
	return func(p *planjson.Plan, object objector) {
		for _, rc := range p.ResourceDrift {
			if rc != nil && touches(rc.Change.Actions) {
				object(name(rc), "was changed outside (%s)", rc.Change.Actions)
			}
		}
	}, nil
}

// checksPass makes the rule that what can be checked must not have failed.
// What will be known only when applying passes.
func checksPass(string) (func(*planjson.Plan, objector), error) {
	return func(p *planjson.Plan, object objector) {
		for _, c := range p.Checks {
			if c == nil {
				continue
			}
			status := c.Status
			var problems []string
			for _, i := range c.Instances {
				if i == nil {
					continue
				}
				if !hasFailed(status) {
					status = i.Status
				}
				for _, problem := range i.Problems {
					if problem != nil {
						problems = append(problems, problem.Message)
					}
				}
			}
			if hasFailed(status) || len(problems) > 0 {
				object(c.Address.ToDisplay, "%s", cmp.Or(strings.Join(problems, "; "), "status "+string(status)))
			}
		}
	}, nil
}

// hasFailed reports whether a status is neither good nor open.
func hasFailed(s planjson.CheckStatus) bool {
	return s != planjson.CheckPass && s != planjson.CheckUnknown
}

// noPostponed makes the rule against plans that leave something for later.
func noPostponed(string) (func(*planjson.Plan, objector), error) {
	return func(p *planjson.Plan, object objector) {
		for _, d := range p.DeferredChanges {
			if d != nil {
				object(name(&d.ResourceChange), "is put off: %s", d.Reason)
			}
		}
		for _, d := range p.DeferredActionInvocations {
			if d != nil {
				object(d.ActionInvocation.Address, "is put off: %s", d.Reason)
			}
		}
		if p.Complete != nil && !*p.Complete {
			object("", "the plan is not complete")
		}
	}, nil
}
