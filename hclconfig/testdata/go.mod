module github.com/tofuwire/tofuwire/hclconfig/testdata // not part of the library's zip
