bare = "b ${"x"}"
