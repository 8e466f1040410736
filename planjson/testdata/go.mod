module github.com/tofuwire/tofuwire/planjson/testdata // not part of the library's zip
