module github.com/tofuwire/tofuwire/planjson/plangraph/testdata // not part of the library's zip
