
variables {
  x = "glob $${a}"
}
run "zeta" {
  command = plan
  plan_options {
    mode    = normal
    refresh = true
    target  = [terraform_data.r]
  }
  assert {
    condition     = terraform_data.r.input == "glob $${a}"
    error_message = "is ${terraform_data.r.input}"
  }
}
run "alpha" {
  variables {
    x = upper("${"ab"}c")
  }
  assert {
    condition     = output.o == "ABC"
    error_message = "o is ${output.o}"
  }
}
run "beta" {
  variables { x = "prev ${run.alpha.o}" }
  assert {
    condition     = output.o == "prev ABC"
    error_message = "no"
  }
  assert {
    condition     = output.o == "no"
    error_message = <<-EOT
      fails on purpose ${output.o}
    EOT
  }
}
run "fails" {
  command = plan
  variables { x = "bad" }
  expect_failures = [terraform_data.r]
}
run "checks" {
  variables { x = "warn" }
  expect_failures = [
    check.c, # here
  ]
}
run "mod" {
  module { source = "./helper" }
  variables { y = [1, null] }
}
