// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// Show what "validate -json" has found: as the CLI does without -json, and as
// an annotation of the line in a GitHub workflow.
func ExampleDiagnostic_show() {
	text, err := os.ReadFile("testdata/tofu-1.12.6/providers-data/validate.json")
	if err != nil {
		log.Fatal(err)
	}
	doc, err := planjson.DecodeValidate(text)
	if err != nil {
		log.Fatal(err)
	}
	for _, found := range doc.Diagnostics {
		text, err := json.Marshal(found)
		if err != nil {
			log.Fatal(err)
		}
		var d uijson.Diagnostic // the same JSON, with what shows it
		if err := json.Unmarshal(text, &d); err != nil {
			log.Fatal(err)
		}
		fmt.Print(uitrack.Renderer{Width: 78}.Diagnostic(&d))
		fmt.Print(uitrack.GitHubAnnotation(&d, "modules/lab"))
	}
	// Output:
	// Warning: Duplicate required provider
	//
	//   on main.tf line 4, in terraform:
	//    4:     lab    = { source = "example/lab", version = "~> 1.0, != 1.0.5" }
	//
	// Provider example/lab with the local name "lab" was previously required as
	// "renamed". A provider can only be required once within required_providers.
	// ::warning file=modules/lab/main.tf,line=4,endLine=4,col=14,endColumn=70,title=Duplicate required provider::Provider example/lab with the local name "lab" was previously required as "renamed". A provider can only be required once within required_providers.
}
