module github.com/tofuwire/tofuwire/hclconfig/hclconvert/testdata // not part of the library's zip
