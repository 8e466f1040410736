module github.com/tofuwire/tofuwire/uijson/testdata // not part of the library's zip
