module github.com/tofuwire/tofuwire/registry/testdata // not part of the library's zip
