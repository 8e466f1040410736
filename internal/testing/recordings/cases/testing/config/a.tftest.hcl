variables {
  n = 2
}
run "first" {
  assert {
    condition     = length(output.ids) == 2
    error_message = "Two."
  }
}
run "differs" {
  command = plan
  assert {
    condition     = output.obj == { a = [1, 2, { b = "d" }], n = 3 }
    error_message = "Objects <differ> & \"so\" on."
  }
  assert {
    condition     = length(output.ids) > 3
    error_message = "More."
  }
}
run "after" {
  command = plan
}
