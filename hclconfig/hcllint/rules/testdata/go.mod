module github.com/tofuwire/tofuwire/hclconfig/hcllint/rules/testdata // not part of the library's zip
