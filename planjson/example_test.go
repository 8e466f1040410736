// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/tofuwire/tofuwire/planjson"
)

// Fail the build when a thing that holds data would be replaced or destroyed.
func ExamplePlan_guardDatabase() {
	text, err := os.ReadFile("testdata/tofu-1.12.6/reasons/plan.2.json")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		log.Fatal(err)
	}
	if err := planjson.CheckVersion(plan); err != nil {
		log.Fatal(err)
	}
	holdsData := map[string]bool{"lab_blocks": true, "lab_thing": true}
	for _, rc := range plan.ResourceChanges {
		actions := rc.Change.Actions
		switch {
		case !actions.IsKnown():
			fmt.Printf("%s: cannot judge %s\n", rc.Address, actions)
		case holdsData[rc.Type] && actions.Destroys():
			fmt.Printf("%s would lose its data: %s\n", rc.Address, rc.ActionReason)
		}
	}
	// Output:
	// lab_blocks.cannot_update would lose its data: replace_because_cannot_update
	// lab_thing.cannot_update would lose its data: replace_because_cannot_update
}

// List everything that a plan destroys, with the reason.
func ExampleActions_listDestroyed() {
	text, err := os.ReadFile("testdata/tofu-1.12.6/actions/plan.change.json")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		log.Fatal(err)
	}
	for _, rc := range plan.ResourceChanges {
		what := ""
		switch actions := rc.Change.Actions; {
		case actions.IsReplace():
			what = "replaced"
		case actions.Destroys():
			what = "destroyed"
		case actions.Forgets():
			what = "forgotten"
		default:
			continue
		}
		if rc.Deposed != "" {
			what += " (deposed object " + rc.Deposed + ")"
		}
		fmt.Printf("%-26s %s: %s\n", rc.Address, what, rc.ActionReason)
	}
	// Output:
	// lab_switch.doomed          destroyed: delete_because_no_resource_config
	// lab_switch.forgotten       forgotten: delete_because_no_resource_config
	// local_file.roster          replaced: replace_because_cannot_update
	// null_resource.trigger      replaced: replace_because_cannot_update
	// random_pet.mascot          replaced: replace_because_cannot_update
	// terraform_data.cbd         replaced: replace_because_cannot_update
}

// Find secrets that are written into the configuration: arguments that the
// provider calls sensitive and that have a constant value.
func ExampleConfig_findHardCodedSecrets() {
	text, err := os.ReadFile("testdata/tofu-1.12.6/sensitive-unknown/plan.2.json")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		log.Fatal(err)
	}
	text, err = os.ReadFile("testdata/tofu-1.12.6/commands/providers-schema.json")
	if err != nil {
		log.Fatal(err)
	}
	schemas, err := planjson.DecodeSchemas(text)
	if err != nil {
		log.Fatal(err)
	}
	config := plan.Config()
	for address, r := range config.AllResources() {
		schema := schemas.Resource(config.ProviderConfig[r.ProviderConfigKey].FullName, r.Mode, r.Type)
		if schema == nil {
			continue
		}
		for name, e := range r.Expressions {
			attribute := schema.Block.Attributes[name]
			if attribute != nil && attribute.Sensitive && e.IsConstant() {
				fmt.Printf("%s.%s is written into the configuration\n", address, name)
			}
		}
	}
	// Output:
	// lab_thing.s.secret is written into the configuration
}

// Add a field of one's own to a plan. Everything else stays as it was.
func ExampleSetExtra() {
	text, err := os.ReadFile("testdata/tofu-1.12.6/actions/plan.json")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := planjson.DecodePlan(bytes.Clone(text))
	if err != nil {
		log.Fatal(err)
	}
	approval, err := planjson.ValueOf(map[string]any{"by": "ops", "ticket": 4711})
	if err != nil {
		log.Fatal(err)
	}
	if err := planjson.SetExtra(plan, "x_approval", approval); err != nil {
		log.Fatal(err)
	}
	out, err := planjson.Encode(plan)
	if err != nil {
		log.Fatal(err)
	}
	i := bytes.Index(out, []byte(`,"x_approval"`))
	fmt.Printf("%s\n", bytes.TrimSpace(out[i:]))
	fmt.Println("rest unchanged:", bytes.HasPrefix(text, out[:i]))
	// Output:
	// ,"x_approval":{"by":"ops","ticket":4711}}
	// rest unchanged: true
}

// Change one value of a plan and see that nothing else moves, not even the
// white space.
func ExampleEncode_editInPlace() {
	plan, err := planjson.DecodePlan([]byte(`{
    "format_version": "1.2",
    "resource_changes": [
        {"address": "aws_instance.web", "change": {"actions": ["create"], "after": {"ami": "\u0061", "n": 1.50}}}
    ],
    "from_the_future": true
}`))
	if err != nil {
		log.Fatal(err)
	}
	plan.ResourceChanges[0].Address = "aws_instance.app"
	text, err := planjson.Encode(plan)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", text)
	// Output:
	// {
	//     "format_version": "1.2",
	//     "resource_changes": [
	//         {"address": "aws_instance.app", "change": {"actions": ["create"], "after": {"ami": "\u0061", "n": 1.50}}}
	//     ],
	//     "from_the_future": true
	// }
}

// Refuse documents that hold something this program does not know.
func ExampleExtras() {
	plan, err := planjson.DecodePlan([]byte(`{"format_version":"1.9","planned_values":{"root_module":{"weather":"fine"}}}`))
	if err != nil {
		log.Fatal(err)
	}
	for at, extra := range planjson.Extras(plan) {
		fmt.Println("newer than this program:", at, extra)
	}
	// Output:
	// newer than this program: /planned_values/root_module/weather "fine"
}

// Search all values of a plan for something that looks like a key, without
// building anything.
func ExampleCursor() {
	plan, err := planjson.DecodePlan([]byte(`{"resource_changes":[{"address":"a.b","change":{"after":{
		"env":[{"name":"ID","value":"AKIA0000EXAMPLE"}],"size":9007199254740993}}}]}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, change := range plan.AllChanges() {
		for c := change.Change.After.Cursor(); c.Next(); {
			if s, ok := c.Value().Text(); ok && strings.HasPrefix(s, "AKIA") {
				fmt.Println(change.Address, c.Pointer())
			}
		}
	}
	// Output:
	// a.b /env/0/value
}

// Look into values by path. A null is a value; a member that is missing is nil.
func ExampleValue_Get() {
	v := planjson.Value(`{"id":12345678901234567890,"tags":{"team":null},"zones":["a","b"]}`)
	id, _ := v.Get("id").Number()
	fmt.Println(id)
	fmt.Println(v.Get("zones", 1))
	fmt.Println(v.Get("tags", "team").Kind(), v.Get("tags", "cost").Kind())
	// Output:
	// 12345678901234567890
	// "b"
	// null absent
}

// Turn the planned object of a resource into a cty value, with its unknown and
// sensitive parts, by the schema of the provider.
func ExampleChange_AfterCty() {
	schema := planjson.Block{Attributes: map[string]*planjson.Attribute{
		"id":    {Type: planjson.Value(`"string"`)},
		"token": {Type: planjson.Value(`"string"`)},
		"ports": {Type: planjson.Value(`["set","number"]`)},
	}}
	change := planjson.Change{
		After:          planjson.Value(`{"ports":[80,443],"token":"hush"}`),
		AfterUnknown:   planjson.Value(`{"id":true,"ports":[false,false]}`),
		AfterSensitive: planjson.Value(`{"ports":[false,false],"token":true}`),
	}
	t, err := schema.ImpliedType()
	if err != nil {
		log.Fatal(err)
	}
	v, err := change.AfterCty(t)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("id known:", v.GetAttr("id").IsKnown())
	fmt.Println("token sensitive:", v.GetAttr("token").HasMark(planjson.Sensitive))
	fmt.Println("ports:", v.GetAttr("ports").LengthInt())
	// Output:
	// id known: false
	// token sensitive: true
	// ports: 2
}

// Follow a change to the block that asked for it, and what that refers to.
func ExamplePlanIndex_Config() {
	text, err := os.ReadFile("testdata/tofu-1.12.6/actions/plan.json")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		log.Fatal(err)
	}
	index := planjson.NewPlanIndex(plan)
	block := index.Config().OfInstance("local_file.roster")
	for name, e := range planjson.AllExpressions(block.Expressions) {
		for ref, err := range e.Refs() {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%s refers to %s\n", name, ref)
		}
	}
	// Output:
	// content refers to var.crew
	// content refers to random_pet.mascot.id
	// filename refers to path.module
}
