// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"fmt"
	"log"

	"github.com/tofuwire/tofuwire/uijson"
)

// Look inside an output without a type for it.
func ExampleValue_Get() {
	m, err := uijson.Decode([]byte(`{"@level":"info","@message":"Outputs: 1","@module":"tofu.ui","@timestamp":"2026-08-26T16:20:04.692816Z","outputs":{"net":{"sensitive":false,"type":["object",{"cidrs":["list","string"]}],"value":{"cidrs":["10.0.0.0/16"]}}},"type":"outputs"}`))
	if err != nil {
		log.Fatal(err)
	}
	cidr, ok := m.Outputs["net"].Value.Get("cidrs", 0).Text()
	fmt.Println(cidr, ok)
	// Output: 10.0.0.0/16 true
}
