module github.com/tofuwire/tofuwire/lockfile/testdata // not part of the library's zip
