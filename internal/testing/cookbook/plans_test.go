// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cookbook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// Gate: refuse a plan that destroys or replaces something that holds data.
func Example_refuseDestroys() {
	stateful := map[string]bool{"aws_db_instance": true, "random_pet": true}
	plan, err := planjson.DecodePlan(planText)
	if err != nil {
		log.Fatal(err)
	}
	if err := planjson.Judgeable(plan); err != nil {
		log.Fatal(err) // it failed, is incomplete, has another format version, or is not a plan
	}
	// A misspelt resource_changes is an error above; planjson.Extras lists all unknown members.
	for _, rc := range plan.ResourceChanges {
		if a := rc.Change.Actions; stateful[rc.Type] && (a.Destroys() || a.Forgets() || !a.IsKnown()) {
			fmt.Println("refused:", rc.Address, a, rc.ActionReason)
		}
	}
	// Output: refused: random_pet.mascot delete, create replace_because_cannot_update
}

// Policy: require an attribute, and distinguish wrong values from unknown ones.
func Example_requireAttribute() {
	plan, err := planjson.DecodePlan(planText)
	if err != nil {
		log.Fatal(err)
	}
	if err := planjson.Judgeable(plan); err != nil {
		log.Fatal(err)
	}
	for _, rc := range plan.ResourceChanges {
		c := &rc.Change
		if rc.Type != "lab_switch" || c.After.IsNull() {
			continue
		}
		if c.IsUnknown("serial") {
			fmt.Println(rc.Address, "serial is known after apply")
		} else if text, ok := c.After.Get("text").Text(); !ok || text == "" {
			fmt.Println(rc.Address, "has no text")
		}
	}
	// Output:
	// lab_switch.imported has no text
}

// Read a part of every resource, at a path given as text.
func Example_readPath() {
	plan, err := planjson.DecodePlan(planText)
	if err != nil {
		log.Fatal(err)
	}
	path, err := planjson.ParsePath(`input.names[2]`) // or keepers.season, tags["a b"]
	if err != nil {
		log.Fatal(err)
	}
	for r := range plan.PlannedValues.AllResources() {
		if v := r.Values.Get(path...); v != nil {
			fmt.Println(r.Address, v)
		}
	}
	// Output: terraform_data.inplace "barbara"
}

// List what a plan changes, in the tool's own words.
func Example_listChanges() {
	plan, err := planjson.DecodePlan(planText)
	if err != nil {
		log.Fatal(err)
	}
	diff := plandiff.Plan(plan, plandiff.Options{})
	for _, r := range diff.ByUrgency() {
		fmt.Println(r.Symbol(), r.Address, r.Headline())
	}
	fmt.Println(diff.Summary())
	// Output:
	// - lab_switch.doomed will be destroyed
	// -/+ local_file.roster must be replaced
	// -/+ null_resource.trigger must be replaced
	// -/+ random_pet.mascot must be replaced
	// +/- terraform_data.cbd must be replaced
	// . lab_switch.forgotten will be removed from the state, but not destroyed
	// ~ lab_switch.main will be updated in-place
	// ~ lab_switch.moved_and_changed["x"] will be updated in-place
	// ~ lab_thing.adopted will be updated in-place
	// ~ terraform_data.inplace will be updated in-place
	// + random_integer.berth[3] will be created
	//   lab_switch.imported will be imported
	//   lab_switch.new_name has moved to this address
	// <= data.local_file.roster will be read during apply
	// 2 to import, 5 to add, 4 to change, 5 to destroy, 1 to forget, 2 to move
}

// Comment on a pull request, within the size that GitHub allows.
func Example_commentOnPullRequest() {
	plan, err := planjson.DecodePlan(bytes.Clone(planText))
	if err != nil {
		log.Fatal(err)
	}
	// The comment shows no value that is marked as sensitive. This also hides copies of it.
	if _, err := (redact.Redactor{}).Plan(plan); err != nil {
		log.Fatal(err)
	}
	var comment bytes.Buffer
	options := plandiff.MarkdownOptions{MaxBytes: 65536}
	if err := plandiff.Plan(plan, plandiff.Options{}).WriteMarkdown(&comment, options); err != nil {
		log.Fatal(err)
	}
	title, _, _ := strings.Cut(comment.String(), "\n")
	fmt.Println(title)
	fmt.Println(comment.Len() <= 65536)
	// Output:
	// ## Plan
	// true
}

// Show a plan that HCP Terraform serves in its own form.
func Example_servedPlan() {
	served, err := planjson.DecodeRendererPlan([]byte(`{"plan_format_version":"1.2","resource_changes":[{"address":"vm.web","mode":"managed","type":"vm","name":"web",
		"provider_name":"registry.terraform.io/acme/vm","change":{"actions":["update"],"before":{"zones":["a","b"]},"after":{"zones":["b","c"]},"after_unknown":{}}}],
		"provider_format_version":"1.0","provider_schemas":{"registry.terraform.io/acme/vm":{"resource_schemas":{"vm":{"version":0,
		"block":{"attributes":{"zones":{"type":["set","string"],"optional":true}}}}}}}}`))
	if err != nil {
		log.Fatal(err)
	}
	plan := &planjson.Plan{ResourceChanges: served.ResourceChanges, ResourceDrift: served.ResourceDrift, OutputChanges: served.OutputChanges,
		DeferredChanges: served.DeferredChanges, ActionInvocations: served.ActionInvocations}
	schemas := &planjson.Schemas{ProviderSchemas: served.ProviderSchemas}
	for _, r := range plandiff.Plan(plan, plandiff.Options{Schemas: schemas}).Resources {
		fmt.Print(r.Text())
	}
	// Output:
	//   # vm.web will be updated in-place
	//   ~ resource "vm" "web" {
	//       ~ zones = [
	//           - "a",
	//           + "c",
	//             # (1 unchanged element hidden)
	//         ]
	//     }
}

// Remove the secrets of a plan before it is stored.
func Example_storeWithoutSecrets() {
	plan, err := planjson.DecodePlan(bytes.Clone(planText))
	if err != nil {
		log.Fatal(err)
	}
	hidden, err := redact.Redactor{}.Plan(plan)
	if err != nil {
		log.Fatal(err)
	}
	text, err := planjson.Encode(plan)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hidden > 0, bytes.Contains(text, []byte("(sensitive value)")))
	// Output: true true
}

// Read a plan of any size in flat memory.
func Example_countActionsOfHugePlan() {
	file, err := os.Open(planFile)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	counts := map[string]int{}
	for rc, err := range planjson.ResourceChanges(file) {
		if err != nil {
			log.Fatal(err)
		}
		counts[rc.Change.Actions.String()]++
	}
	fmt.Println(counts)
	// Output:
	// map[create:1 create, delete:1 delete:1 delete, create:3 forget:1 no-op:6 read:1 update:4]
}

// Read several plans from one stream, as terragrunt prints them.
func Example_readSeveralPlans() {
	plans := io.MultiReader(bytes.NewReader(planText), strings.NewReader("\n"), bytes.NewReader(planText)) // in your program: a file
	units := 0
	for d := json.NewDecoder(plans); ; units++ {
		var plan planjson.Plan
		if err := d.Decode(&plan); errors.Is(err, io.EOF) {
			break // do not use the method More: it also returns false at a stray bracket
		} else if err != nil {
			log.Fatal(err)
		}
		if err := planjson.Judgeable(&plan); err != nil {
			log.Fatal(err)
		}
		fmt.Println(plandiff.Plan(&plan, plandiff.Options{}).Summary())
	}
	if units != 2 { // in your program: how many there are
		log.Fatal("not as many plans as units")
	}
	// Output:
	// 2 to import, 5 to add, 4 to change, 5 to destroy, 1 to forget, 2 to move
	// 2 to import, 5 to add, 4 to change, 5 to destroy, 1 to forget, 2 to move
}

// Split the addresses in a state into provider, module and key.
func Example_takeAddressesApart() {
	state, err := planjson.DecodeState([]byte(`{"format_version":"1.0","values":{"root_module":{"child_modules":[{"address":"module.net[\"eu\"]",
		"resources":[{"address":"module.net[\"eu\"].aws_subnet.a[0]","mode":"managed","type":"aws_subnet","name":"a","index":0,
		"provider_name":"registry.opentofu.org/hashicorp/aws","values":{"id":"subnet-1"}}]}]}}}`))
	if err != nil {
		log.Fatal(err)
	}
	for r := range state.AllResources() {
		address, err := r.Addr()
		if err != nil {
			log.Fatal(err)
		}
		provider, err := addrs.ParseProvider(r.ProviderName)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(provider.ForDisplay(), address.Module(), address.Key(), r.Values.Get("id"))
	}
	// Output:
	// hashicorp/aws module.net["eu"] [0] "subnet-1"
}

// Compare two states.
func Example_compareStates() {
	state := func(size string) *planjson.State {
		s, err := planjson.DecodeState([]byte(`{"values":{"root_module":{"resources":[
			{"address":"vm.web","mode":"managed","type":"vm","name":"web","values":{"size":"` + size + `"}}]}}}`))
		if err != nil {
			log.Fatal(err)
		}
		return s
	}
	for _, r := range plandiff.CompareStates(state("small"), state("large"), plandiff.Options{}).Changed {
		for a := range r.Object.Leaves() {
			fmt.Println(r.Address, a, a.Before, "->", a.After)
		}
	}
	// Output: vm.web size "small" -> "large"
}

// Find what an instance depends on.
func Example_whatFeedsAnInstance() {
	plan, err := planjson.DecodePlan(planText)
	if err != nil {
		log.Fatal(err)
	}
	graph := plangraph.NewInstances(plan, plangraph.InstancesOptions{})
	for link := range graph.Needs(graph.Instance("local_file.roster"), "") {
		fmt.Printf("%s needs %q of %s\n", link.At, link.Path, link.To.Address)
	}
	// Output:
	// content needs "" of var.crew
	// content needs "id" of random_pet.mascot
}

// Check that a plan does what was approved.
func Example_approve() {
	approved, err := planjson.DecodePlan(planText)
	if err != nil {
		log.Fatal(err)
	}
	planned, err := planjson.DecodePlan(bytes.ReplaceAll(planText, []byte(`"v2"`), []byte(`"v3"`))) // in your program: the new plan
	if err != nil {
		log.Fatal(err)
	}
	for _, plan := range []*planjson.Plan{approved, planned} {
		if err := planjson.Judgeable(plan); err != nil {
			log.Fatal(err)
		}
	}
	differences := plandiff.ComparePlans(approved, planned, plandiff.Options{}).Differences
	for _, d := range differences {
		fmt.Println(d)
	}
	fmt.Println("approved:", len(differences) == 0)
	// Output:
	// lab_switch.moved_and_changed: configuration.expressions.text.constant_value: (not shown) -> (not shown)
	// lab_switch.moved_and_changed["x"]: after.text: "v2" -> "v3"
	// approved: false
}

// Change one member of a plan, and keep every other byte.
func Example_editPlan() {
	text := []byte(`{"format_version":"1.2",  "applyable":true, "resource_changes":[], "new_member":1.50}`)
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		log.Fatal(err)
	}
	plan.FormatVersion = "1.3"
	edited, err := planjson.Encode(plan)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(edited))
	// Output: {"format_version":"1.3",  "applyable":true, "resource_changes":[], "new_member":1.50}
}

// Find out from a schema which arguments of a resource type are sensitive.
func Example_findSensitiveArguments() {
	schemas, err := planjson.DecodeSchemas([]byte(`{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/acme/vault":{"resource_schemas":{"vault_key":{
		"version":0,"block":{"attributes":{"name":{"type":"string","required":true},"value":{"type":"string","optional":true,"sensitive":true}}}}}}}}`))
	if err != nil {
		log.Fatal(err)
	}
	schema := schemas.Resource("registry.opentofu.org/acme/vault", addrs.Managed, "vault_key")
	for name, attribute := range schema.Block.Attributes {
		if attribute.Sensitive {
			fmt.Println(name)
		}
	}
	// Output: value
}
