// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

const actionPlan = `{"format_version":"1.2","terraform_version":"1.14.0","planned_values":{"root_module":{}},
"resource_changes":[
{"address":"t.gone","mode":"managed","type":"t","name":"gone","provider_name":"p","change":{"actions":["forget"],"before":{"id":"1","x":2,"pw":"hush"},"after":null,"after_unknown":{},"before_sensitive":{"pw":true},"after_sensitive":false}},
{"address":"t.found","mode":"managed","type":"t","name":"found","provider_name":"p","change":{"actions":["no-op"],"before":{"id":"2","x":2},"after":{"id":"2","x":2},"after_unknown":{},"before_sensitive":{},"after_sensitive":{},"importing":{"id":"i"},"generated_config":"resource"}}],
"action_invocations":[
{"address":"action.run.a[\"k\"]","type":"run","name":"a","config_values":{"cmd":"ls","env":{"A b":"1"},"token":"hush","opts":[{"deep":true}],"pin":"hush"},"config_sensitive":{"token":true},"config_unknown":{"later":true},"provider_name":"p","lifecycle_action_trigger":{"triggering_resource_address":"t.x","action_trigger_event":"AfterCreate","action_trigger_block_index":0,"actions_list_index":0}},
{"address":"action.run.b","type":"run","name":"b","config_values":{"cmd":"hush"},"config_sensitive":true,"provider_name":"p","invoke_action_trigger":{"calling_resource_address":"t.y"}},
{"address":"action.run.c","type":"run","name":"c","provider_name":"p","lifecycle_action_trigger":{"triggering_resource_address":"t.x","action_trigger_event":"OnMonday","action_trigger_block_index":0,"actions_list_index":0}}],
"deferred_action_invocations":[{"reason":"deferred_prereq","action_invocation":{"address":"action.run.d","type":"run","name":"d","provider_name":"p","lifecycle_action_trigger":{"triggering_resource_address":"t.x","action_trigger_event":"BeforeUpdate","action_trigger_block_index":0,"actions_list_index":0}}}],
"configuration":{"root_module":{}},"errored":false}`

const actionText = `This is a partial plan: parts of it can only be known in the next plan / apply cycle.

The following actions are planned:

  # t.gone will be removed from the state, but not destroyed
  . resource "t" "gone" {
        id = "1"
        # (2 unchanged attributes hidden)
    }

  # t.found will be imported
  # (imported from "i")
  # (the configuration is generated)
    resource "t" "found" {
        id = "2"
        x  = 2
    }

The following actions are invoked:

  # action.run.a["k"] will be invoked after create of t.x
    action "run" "a" {
        cmd   = "ls"
        env   = {
            "A b" = "1"
        }
        later = (known after apply)
        pin   = (sensitive value)
        token = (sensitive value)

        opts {
            deep = true
        }
    }

  # action.run.b will be invoked for t.y, as requested
    action "run" "b" {
        # (all of it is sensitive)
    }

  # action.run.c will be invoked on OnMonday of t.x
    action "run" "c" {
    }

  # action.run.d will be invoked by a later plan before update of t.x
  # (something that it needs is deferred)
    action "run" "d" {
    }

Plan: 1 to import, 0 to add, 0 to change, 0 to destroy, 1 to forget, 3 to invoke.
`

// What a plan does besides changing resources.
func TestDiffActions(t *testing.T) {
	schemas, err := planjson.DecodeSchemas([]byte(`{"provider_schemas":{"p":{"action_schemas":{"run":{"block":{
		"attributes":{"cmd":{"type":"string"},"env":{"type":["map","string"]},"token":{"type":"string"},"pin":{"type":"string","sensitive":true},"later":{"type":"string"}},
		"block_types":{"opts":{"nesting_mode":"list","block":{"attributes":{"deep":{"type":"bool"}}}}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planjson.DecodePlan([]byte(actionPlan))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	d := plandiff.Plan(plan, plandiff.Options{Schemas: schemas})
	if err := d.WriteText(&b, plandiff.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(actionText, b.String()); diff != "" {
		t.Error(diff)
	}
	for _, write := range []func(*strings.Builder) error{
		func(b *strings.Builder) error { return d.WriteMarkdown(b, plandiff.MarkdownOptions{}) },
		func(b *strings.Builder) error { return d.WriteHTML(b, plandiff.TextOptions{}) },
	} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "hush") || strings.Count(b.String(), "action.run.") < 8 {
			t.Errorf("got %s", b.String())
		}
	}
	if i := d.Invocations[0]; i.Resource != "t.x" || i.Event != planjson.EventAfterCreate || i.Requested || i.Config.Status != plandiff.Added {
		t.Errorf("got %+v", i)
	}
	if (&plandiff.Diff{Invocations: d.Invocations[:1]}).IsEmpty() {
		t.Error("a plan that invokes an action is empty")
	}

	// The redactor hides what the schema of the action calls sensitive.
	r := redact.Redactor{Schemas: schemas, Text: "-"}
	if _, err := r.Plan(plan); err != nil {
		t.Fatal(err)
	}
	text, err := planjson.Encode(plan)
	if err != nil || strings.Contains(string(text), "hush") || !strings.Contains(string(text), `{"cmd":"ls"`) {
		t.Errorf("got %s, %v", text, err)
	}
}

// Nested blocks are rendered as the command "show" renders them, with a schema;
// without one they look like attributes.
func TestDiffBlocks(t *testing.T) {
	schemas, err := planjson.DecodeSchemas([]byte(strings.Replace(diffSchema, `"attributes":{`, `"attributes":{"tags":{"type":["map","string"]},`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","terraform_version":"1","planned_values":{"root_module":{}},"resource_changes":[{"address":"t.x","mode":"managed","type":"t","name":"x","provider_name":"p","change":{"actions":["update"],
		"before":{"a":1,"tags":{"Env":"a","same":"s"},"b":[{"x":1},{"x":2}],"m":{"k 1":{"x":1},"k2":{"x":2}},"one":{"x":1},"sb":[{"x":1}]},
		"after":{"a":1,"tags":{"Env":"b","same":"s"},"b":[{"x":1},{"x":3},{"x":4}],"m":{"k 1":{"x":9},"k2":{"x":2}},"one":{"x":1},"sb":[{"x":2}]},
		"after_unknown":{},"before_sensitive":{"sb":true},"after_sensitive":{"sb":true}}}],"configuration":{"root_module":{}},"errored":false}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		options plandiff.Options
		want    string
	}{
		{plandiff.Options{Schemas: schemas}, `  # t.x will be updated in-place
  ~ resource "t" "x" {
      ~ tags = {
          ~ "Env"  = "a" -> "b"
            "same" = "s"
        }
        # (1 unchanged attribute hidden)

      ~ b {
          ~ x = 2 -> 3
        }
      + b {
          + x = 4
        }

      ~ m "k 1" {
          ~ x = 1 -> 9
        }

      - sb {
          # At least one attribute in this block is (or was) sensitive,
          # so its contents will not be displayed.
        }
      + sb {
          # At least one attribute in this block is (or was) sensitive,
          # so its contents will not be displayed.
        }

        # (3 unchanged blocks hidden)
    }
`},
		{plandiff.Options{}, `  # t.x will be updated in-place
  ~ resource "t" "x" {
      ~ b    = [
            # (1 unchanged element hidden)
          ~ {
              ~ x = 2 -> 3
            },
          + {
              + x = 4
            },
        ]
      ~ m    = {
          ~ "k 1" = {
              ~ x = 1 -> 9
            }
            # (1 unchanged attribute hidden)
        }
      ~ sb   = (sensitive value)
      ~ tags = {
          ~ Env  = "a" -> "b"
            same = "s"
        }
        # (2 unchanged attributes hidden)
    }
`},
	} {
		got := plandiff.Change(plan.ResourceChanges[0], row.options).Text()
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Error(diff)
		}
	}
}
