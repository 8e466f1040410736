module github.com/tofuwire/tofuwire/planjson/statefile/testdata // not part of the library's zip
