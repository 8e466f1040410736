module github.com/tofuwire/tofuwire/planjson/plandiff/testdata // not part of the library's zip
