// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"maps"
	"slices"
)

// table has the public packages, the packages of this module that each may
// import besides addrs and what is below internal/, and the third-party modules.
// A wing is a folder below a package: it imports that package, and other wings
// only if the table says so. Packages of the programs' own modules are outside.
var table = map[string]imports{
	"addrs":                         {nil, []string{"golang.org/x/net", "golang.org/x/text"}},
	"planjson":                      {nil, []string{"github.com/zclconf/go-cty"}},
	"planjson/plandiff":             {[]string{"planjson"}, nil},
	"planjson/plangraph":            {[]string{"planjson"}, nil},
	"planjson/redact":               {[]string{"planjson", "planjson/statefile"}, []string{"github.com/zclconf/go-cty"}},
	"planjson/statefile":            {[]string{"planjson"}, []string{"github.com/zclconf/go-cty"}},
	"planjson/planfile":             {[]string{"planjson", "planjson/statefile", "hclconfig", "hclconfig/hclnames", "lockfile"}, []string{"google.golang.org/protobuf", "github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty"}},
	"uijson":                        {nil, nil},
	"uijson/uitrack":                {[]string{"uijson"}, nil},
	"uijson/uirun":                  {[]string{"uijson", "uijson/uitrack", "planjson"}, nil},
	"lockfile":                      {nil, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty"}},
	"checksum":                      {nil, nil},
	"registry":                      {[]string{"registry/cliconfig"}, []string{"github.com/ProtonMail/go-crypto"}},
	"registry/cliconfig":            {nil, nil},
	"registry/registrytest":         {[]string{"registry"}, []string{"github.com/ProtonMail/go-crypto"}},
	"registry/install":              {[]string{"checksum", "lockfile", "registry"}, nil},
	"hclconfig":                     {nil, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty", "github.com/apparentlymart/go-textseg/v15"}},
	"hclconfig/hclcheck":            {[]string{"hclconfig", "hclconfig/hclnames"}, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty", "github.com/apparentlymart/go-textseg/v15"}},
	"hclconfig/hclnames":            {[]string{"hclconfig"}, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty"}},
	"hclconfig/hcllint":             {[]string{"hclconfig", "hclconfig/hclcheck", "hclconfig/hcledit", "hclconfig/hclnames"}, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty"}},
	"hclconfig/hcllint/rules":       {[]string{"hclconfig", "hclconfig/hcledit", "hclconfig/hcllint", "hclconfig/hclnames"}, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty"}},
	"hclconfig/hcllint/hcllinttest": {[]string{"hclconfig", "hclconfig/hcllint", "hclconfig/hclnames"}, nil},
	"hclconfig/hcledit":             {[]string{"hclconfig"}, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty"}},
	"hclconfig/hclfuncs":            {[]string{"hclconfig"}, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty", "github.com/zclconf/go-cty-yaml", "golang.org/x/crypto"}},
	"hclconfig/hclrename":           {[]string{"hclconfig", "hclconfig/hclcheck", "hclconfig/hclnames", "hclconfig/hcledit"}, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty"}},
	"hclconfig/hclconvert":          {[]string{"hclconfig"}, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty"}},
	"hclconfig/hclbridge":           {[]string{"hclconfig"}, []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty"}},
}

// imports are what a package may import.
type imports struct{ own, modules []string }

// alongWith has the modules that come along with a module or a package that may be
// imported, because its own packages import them.
var alongWith = map[string][]string{
	"golang.org/x/net":                {"golang.org/x/text"},
	"github.com/zclconf/go-cty":       {"github.com/apparentlymart/go-textseg/v15", "github.com/apparentlymart/go-textseg/v17", "golang.org/x/text"},
	"github.com/hashicorp/hcl/v2":     {"github.com/agext/levenshtein", "github.com/google/go-cmp", "github.com/apparentlymart/go-textseg/v15", "github.com/apparentlymart/go-textseg/v17", "github.com/mitchellh/go-wordwrap", "golang.org/x/text"},
	"github.com/ProtonMail/go-crypto": {"github.com/cloudflare/circl", "golang.org/x/crypto", "golang.org/x/sys"},
	"addrs":                           {"golang.org/x/net", "golang.org/x/text"},
	"hclconfig/hclnames":              {"github.com/zclconf/go-cty-yaml"},                      // in internal/langfuncs
	"hclconfig/hcllint":               {"github.com/rogpeppe/go-internal", "golang.org/x/sys"}, // in internal/unifieddiff, internal/terminal
	"hclconfig/hclfuncs":              {"github.com/zclconf/go-cty-yaml"},
	"planjson/planfile":               {"github.com/vmihailenco/msgpack/v5", "github.com/vmihailenco/tagparser/v2"}, // of go-cty's msgpack
}

// sortedPackages returns the public packages in order.
func sortedPackages() []string { return slices.Sorted(maps.Keys(mayImport)) }
