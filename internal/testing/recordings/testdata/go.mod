module github.com/tofuwire/tofuwire/internal/testing/recordings/testdata // not part of the library's zip
