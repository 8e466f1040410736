run "expected" {
  command = plan
  variables {
    n = 7
  }
  expect_failures = [var.n]
}
run "unexpected" {
  command = plan
  variables {
    n = 8
  }
}
run "missing" {
  command         = plan
  expect_failures = [var.n]
}
