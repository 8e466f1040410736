// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planrule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
)

// resource returns a resource change in JSON. Extra members come in front.
func resource(extra, address, provider, actions string) string {
	typ, _, _ := strings.Cut(address, ".")
	return fmt.Sprintf(`{%s"address":%q,"mode":"managed","type":%q,"provider_name":%q,"change":{"actions":[%s],"before":null}}`,
		extra, address, typ, provider, actions)
}

func TestRules(t *testing.T) {
	const (
		aws    = "registry.opentofu.org/hashicorp/aws"
		random = "registry.terraform.io/hashicorp/random"
	)
	created := resource("", "aws_instance.new", aws, `"create"`)
	deleted := resource(`"action_reason":"delete_because_no_resource_config",`, "aws_db_instance.old", aws, `"delete"`)
	deposed := resource(`"deposed":"d1",`, "aws_db_instance.old", aws, `"delete"`)
	replaced := resource("", "aws_instance.web", aws, `"create","delete"`)
	forgotten := resource("", "aws_instance.gone", aws, `"forget"`)
	reborn := resource("", "aws_instance.reborn", aws, `"forget","create"`)
	updated := resource("", "aws_instance.small", aws, `"update"`)
	same := resource("", "aws_instance.same", aws, `"no-op"`)
	free := resource("", "random_pet.name", random, `"create"`)
	read := strings.Replace(resource("", "aws_ami.latest", aws, `"read"`), "managed", "data", 1)
	imported := strings.Replace(same, `"before"`, `"importing":{},"before"`, 1)

	tests := []struct {
		name, rule string
		changes    []string
		more       string // other members of the plan
		want       []string
	}{
		{name: "deleted", rule: "no-delete", changes: []string{created, deleted, same}, want: []string{"aws_db_instance.old: would be deleted: delete because no resource config"}},
		{name: "deleted in a replacement", rule: "no-delete=aws_instance", changes: []string{deleted, replaced}, want: []string{"aws_instance.web: would be deleted"}},
		{name: "deposed", rule: "no-delete=aws_db_*", changes: []string{deposed}, want: []string{"aws_db_instance.old (deposed object d1): would be deleted"}},
		{name: "other types", rule: "no-delete=aws_db_*,aws_s?_bucket", changes: []string{replaced}},
		{name: "replaced", rule: "no-replace=aws_*", changes: []string{deleted, replaced, reborn, updated}, want: []string{"aws_instance.web: would be replaced", "aws_instance.reborn: would be replaced"}},
		{name: "forgotten", rule: "no-forget", changes: []string{deleted, forgotten, reborn}, want: []string{"aws_instance.gone: would be forgotten", "aws_instance.reborn: would be forgotten"}},
		{name: "only some types", rule: "only=aws_instance", changes: []string{created, deleted, read, same}, want: []string{"aws_db_instance.old: is not of an allowed type"}},
		{name: "only imports count, too", rule: "only=random_*", changes: []string{imported}, want: []string{"aws_instance.same: is not of an allowed type"}},
		{name: "only actions count, too", rule: "only=aws_instance", more: `"action_invocations":[{"address":"action.aws_x.y","type":"aws_x"}]`, want: []string{"action.aws_x.y: is not of an allowed type"}},
		{name: "free", rule: "free", changes: []string{created, updated, deleted, free}, want: []string{"aws_instance.new: may cost money (create)", "aws_instance.small: may cost money (update)"}},
		{name: "free types", rule: "free=aws_instance", changes: []string{created, updated, free}},
		{name: "free of a provider without sense", rule: "free", changes: []string{resource("", "x.y", "?", `"create"`)}, want: []string{"x.y: may cost money (create)"}},
		{name: "free actions", rule: "free", more: `"action_invocations":[{"address":"action.aws_x.y","type":"aws_x","provider_name":"` + aws + `"}]`, want: []string{"action.aws_x.y: may cost money (an action)"}},
		{name: "providers", rule: "providers=hashicorp/aws", changes: []string{created, updated, same, free}, want: []string{"random_pet.name: uses the provider registry.terraform.io/hashicorp/random"}},
		{name: "providers without a registry", rule: "providers=example.com/acme/lab, terraform.io/builtin/terraform", changes: []string{
			resource("", "lab_key.a", "lab", `"create"`), resource("", "lab_key.b", "-/lab", `"create"`), resource("", "lab_key.c", "provider.lab.west", `"create"`), resource("", "lab_key.d", `provider["registry.terraform.io/-/lab"]`, `"create"`),
			resource("", "terraform_data.e", "terraform", `"create"`), resource("", "x.f", "other", `"create"`), resource("", "lab_key.g", "hashicorp/lab", `"create"`), resource("", "lab_key.h", "", `"create"`),
		}, want: []string{"x.f: uses the provider other", "lab_key.g: uses the provider hashicorp/lab", "lab_key.h: uses the provider "}},
		{name: "configured providers", rule: "providers=hashicorp/aws", more: `"configuration":{"provider_config":{"evil":{"name":"evil","full_name":"example.com/e/evil"}}}`, want: []string{"provider.evil: uses the provider example.com/e/evil"}},
		{name: "created", rule: "max-create=1", changes: []string{created, replaced}, want: []string{": 2 objects would be created, 1 are allowed"}},
		{name: "few enough", rule: "max-create=2", changes: []string{created, replaced}},
		{name: "updated", rule: "max-update=0", changes: []string{updated, replaced}, want: []string{": 1 objects would be updated, 0 are allowed"}},
		{name: "all deleted", rule: "max-delete=1", changes: []string{deleted, deposed, replaced, forgotten}, want: []string{": 3 objects would be deleted, 1 are allowed"}},
		{name: "all touched", rule: "max-changes=0", changes: []string{created, same, read, forgotten}, want: []string{": 2 objects would be touched, 0 are allowed"}},
		{name: "imports are touched", rule: "max-changes=0", changes: []string{imported}, want: []string{": 1 objects would be touched, 0 are allowed"}},
		{name: "actions do something", rule: "max-changes=0", changes: []string{same}, more: `"action_invocations":[{"address":"action.aws_x.y","type":"aws_x"}]`, want: []string{": 1 objects would be touched, 0 are allowed"}},
		{name: "imports are no updates", rule: "max-update=0", changes: []string{imported}},
		{name: "spaces in a list", rule: "no-delete=aws_x, aws_db_*", changes: []string{deleted}, want: []string{"aws_db_instance.old: would be deleted: delete because no resource config"}},
		{name: "postponed actions", rule: "no-postponed", more: `"deferred_action_invocations":[{"reason":"deferred_prereq","action_invocation":{"address":"action.aws_x.y","type":"aws_x"}}]`, want: []string{"action.aws_x.y: is put off: deferred_prereq"}},
		{name: "drift", rule: "no-drift", more: `"resource_drift":[` + updated + `,` + same + `]`, want: []string{"aws_instance.small: was changed outside (update)"}},
		{name: "checks", rule: "checks-pass", more: `"checks":[
			{"address":{"kind":"check","to_display":"check.health"},"status":"fail","instances":[{"status":"fail","problems":[{"message":"no answer"},{"message":"no light"}]}]},
			{"address":{"kind":"check","to_display":"check.other"},"status":"error"},
			{"address":{"kind":"check","to_display":"check.good"},"status":"pass"},
			{"address":{"kind":"check","to_display":"check.later"},"status":"unknown"}]`,
			want: []string{"check.health: no answer; no light", "check.other: status error"}},
		{name: "checks that are good but for an instance", rule: "checks-pass", more: `"checks":[
			{"address":{"kind":"check","to_display":"check.a"},"status":"pass","instances":[{"status":"pass"},{"status":"fail"}]},
			{"address":{"kind":"check","to_display":"check.b"},"status":"pass","instances":[{"status":"pass","problems":[{"message":"no light"}]}]},
			{"address":{"kind":"check","to_display":"check.c"},"status":"unknown","instances":[{}]},
			{"address":{"kind":"check","to_display":"check.d"},"status":"unknown","instances":[{"status":"pass"},{"status":"unknown"}]}]`,
			want: []string{"check.a: status fail", "check.b: no light", "check.c: status "}},
		{name: "deleted, of a type that is missing", rule: "no-delete=aws_db_*", changes: []string{strings.Replace(replaced, `"type":"aws_instance",`, "", 1)}, want: []string{"aws_instance.web: would be deleted"}},
		{name: "free by its name, of another registry", rule: "free", changes: []string{strings.Replace(free, "registry.terraform.io", "example.com", 1)}, want: []string{"random_pet.name: may cost money (create)"}},
		{name: "providers of actions and drift", rule: "providers=hashicorp/aws", more: `"resource_drift":[` + free + `],"action_invocations":[{"address":"action.x.y","type":"x","provider_name":"example.com/e/evil"}]`,
			want: []string{"random_pet.name: uses the provider registry.terraform.io/hashicorp/random", "action.x.y: uses the provider example.com/e/evil"}},
		{name: "postponed", rule: "no-postponed", more: `"deferred_changes":[{"reason":"instance_count_unknown","resource_change":` + created + `}],"complete":false`,
			want: []string{"aws_instance.new: is put off: instance_count_unknown", ": the plan is not complete"}},
		{name: "complete", rule: "no-postponed", more: `"complete":true`},
		{name: "an unknown action", rule: "no-drift", changes: []string{resource("", "a.b", aws, `"explode"`)}, want: []string{`a.b: an unknown action: "explode"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			more := test.more
			if more != "" {
				more = "," + more
			}
			text := `{"format_version":"1.2","resource_changes":[` + strings.Join(test.changes, ",") + `]` + more + `}`
			p, err := planjson.DecodePlan([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			r, err := Parse(test.rule)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range Judge(p, []Rule{r}) {
				got = append(got, o.Address+": "+o.Text)
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Errorf("objections (-want +got):\n%s", d)
			}
		})
	}
}

func TestRuleErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                  `unknown rule ""`,
		"no-fun":            `unknown rule "no-fun"`,
		"no-drift=1":        "the rule no-drift takes no argument",
		"no-delete=":        "the rule no-delete needs an argument: no-delete[=TYPES]",
		"only":              "the rule only needs an argument: only=TYPES",
		"no-delete=a,":      `the rule no-delete: "" is not a pattern of types`,
		"no-delete=aws_x.y": `the rule no-delete: "aws_x.y" is not a pattern of types`,
		"no-delete=a b":     `the rule no-delete: "a b" is not a pattern of types`,
		"only=a[":           `the rule only: "a[" is not a pattern of types`,
		"free=[":            `the rule free: "[" is not a pattern of types`,
		"max-create=many":   `the rule max-create: "many" is not a number`,
		"max-create=-1":     `the rule max-create: "-1" is not a number`,
		"providers=a/b/c/d": "the rule providers: addrs: ",
	} {
		if _, err := Parse(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if help := Help(); strings.Count(help, "\n  ") < len(kinds)-1 {
		t.Errorf("the help does not list all rules:\n%s", help)
	}
}
