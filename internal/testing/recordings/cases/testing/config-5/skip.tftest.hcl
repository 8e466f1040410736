test {
  skip_cleanup = true
}
run "left" {}
run "own" {
  state_key    = "k"
  skip_cleanup = false
}
