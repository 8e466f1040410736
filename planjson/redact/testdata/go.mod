module github.com/tofuwire/tofuwire/planjson/redact/testdata // not part of the library's zip
