// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// text is a state as Terraform saves it.
const text = `{
  "version": 4,
  "terraform_version": "1.11.4",
  "serial": 7,
  "lineage": "5a0fcfe8-6ee0-0b6b-2a2b-0c9b6b9a4a0d",
  "outputs": {},
  "resources": [
    {
      "mode": "managed",
      "type": "terraform_data",
      "name": "token",
      "provider": "provider[\"terraform.io/builtin/terraform\"]",
      "instances": [
        {
          "index_key": 0,
          "schema_version": 0,
          "attributes": {
            "id": "d6d4a6d8",
            "input": {
              "value": "hunter2",
              "type": "string"
            },
            "output": null,
            "triggers_replace": null
          },
          "sensitive_attributes": [
            [
              {
                "type": "get_attr",
                "value": "input"
              }
            ]
          ]
        }
      ]
    }
  ],
  "check_results": null
}
`

// The addresses of all resource instances, as "state list" prints them. A deposed object
// repeats the address of its instance.
func ExampleFile_All() {
	file, err := statefile.Decode([]byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	var last addrs.AbsResourceInstance
	for i := range file.All() {
		if i.Address != last {
			fmt.Println(i.Address)
		}
		last = i.Address
	}
	// Output:
	// terraform_data.token[0]
}

// Which parts of an instance are sensitive, without the provider.
func ExampleShow() {
	file, err := statefile.Decode([]byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	shown, err := statefile.Show(file, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for r := range shown.AllResources() {
		if r.Address == "terraform_data.token[0]" {
			fmt.Println(r.Values)
			fmt.Println(r.SensitiveValues)
		}
	}
	// Output:
	// {"id":"d6d4a6d8","input":"hunter2","output":null,"triggers_replace":null}
	// {"input":true}
}

// A large state, read from a stream.
func ExampleInstances() {
	for i, err := range statefile.Instances(strings.NewReader(text)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(i.Address, i.Object.Attributes.Get("id"))
	}
	// Output:
	// terraform_data.token[0] "d6d4a6d8"
}

// An edit changes only its own bytes.
func ExampleEncode() {
	file, err := statefile.Decode([]byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	i, ok := statefile.NewIndex(file).Instance(addrs.MustParseAbsResourceInstance("terraform_data.token[0]"), "")
	if !ok {
		return
	}
	i.Object.Status = "tainted"
	file.Serial++
	out, err := statefile.Encode(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	lines := strings.Split(text, "\n")
	for line := range strings.SplitSeq(string(out), "\n") {
		if len(lines) > 0 && line == lines[0] {
			lines = lines[1:]
			continue
		}
		fmt.Fprintln(os.Stdout, strings.TrimSpace(line))
		if strings.Contains(line, "serial") {
			lines = lines[1:]
		}
	}
	// Output:
	// "serial": 8,
	// "status": "tainted",
}
