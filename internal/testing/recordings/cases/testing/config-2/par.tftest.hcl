test {
  parallel = true
}
run "p1" {
  state_key = "a"
}
run "p2" {
  state_key = "b"
  parallel  = true
}
run "err" {
  state_key = "c"
  command   = plan
  assert {
    condition     = lab_switch.s[9].id == ""
    error_message = "x"
  }
}
