module github.com/tofuwire/tofuwire/hclconfig/hcllsp

go 1.26.0

replace github.com/tofuwire/tofuwire => ../..

require (
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/hashicorp/hcl/v2 v2.25.0
	github.com/tofuwire/tofuwire v0.0.0-00010101000000-000000000000
	github.com/zclconf/go-cty v1.19.0
)

require (
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

require (
	github.com/agext/levenshtein v1.2.1 // indirect
	github.com/apparentlymart/go-textseg/v15 v15.0.0
	github.com/apparentlymart/go-textseg/v17 v17.0.1 // indirect
	github.com/google/go-cmp v0.7.0
	github.com/mitchellh/go-wordwrap v1.0.1 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	github.com/zclconf/go-cty-yaml v1.2.0 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
)
