module github.com/tofuwire/tofuwire/internal/langfuncs/testdata // not part of the library's zip
