// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/planfile"
)

// example returns a saved plan, and the schemas of its providers.
func example() (*planfile.File, *planjson.Schemas) {
	src, err := os.ReadFile("testdata/terraform-1.11.4/apply-trouble/plan.deposed.tfplan")
	if err != nil {
		log.Fatal(err)
	}
	file, err := planfile.Open(src, planfile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	zipped, err := os.Open("testdata/terraform-1.11.4/schemas.json.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer zipped.Close()
	text, err := gzip.NewReader(zipped)
	if err != nil {
		log.Fatal(err)
	}
	document, err := io.ReadAll(text)
	if err != nil {
		log.Fatal(err)
	}
	schemas, err := planjson.DecodeSchemas(document)
	if err != nil {
		log.Fatal(err)
	}
	return file, schemas
}

func Example() {
	file, schemas := example()
	plan, err := file.Plan(schemas)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range plan.ResourceChanges {
		if !c.Change.Actions.IsNoOp() {
			fmt.Println(c.Address, c.Change.Actions)
		}
	}
	// Output:
	// lab_switch.deleter delete, create
	// terraform_data.chatty update
	// terraform_data.quiet delete, create
	// terraform_data.shrug delete, create
	// terraform_data.sour delete, create
	// terraform_data.swap create, delete
}

// What show -json does not print.
func ExampleFile_Header() {
	file, _ := example()
	h, err := file.Header()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.Tool, h.Version, h.Mode, h.Backend.Type, h.Backend.Workspace)
	for _, p := range h.Providers {
		fmt.Println(p.Provider, p.Version)
	}
	// Output:
	// terraform 1.11.4 normal local default
	// registry.terraform.io/example/lab 1.0.0
	// registry.terraform.io/hashicorp/null 3.3.1
	// registry.terraform.io/hashicorp/time 0.14.0
}

// Without schemas, the error says which providers' are missing.
func ExampleFile_Partial() {
	file, _ := example()
	_, err := file.JSON(nil)
	var missing *planfile.MissingError
	if errors.As(err, &missing) {
		fmt.Println(missing)
	}
	text, types, err := file.Partial(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(types), "types are missing:", types[0])
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.ResourceChanges[0].Address, plan.ResourceChanges[0].Change.AfterSensitive)
	// Output:
	// no schemas for registry.terraform.io/example/lab 1.0.0, registry.terraform.io/hashicorp/time 0.14.0
	// 2 types are missing: registry.terraform.io/example/lab 1.0.0: lab_switch
	// lab_switch.deleter true
}
