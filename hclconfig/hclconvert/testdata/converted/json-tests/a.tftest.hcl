variables {
  x = "g ${1 + 1} $${y}"
}

run "z" {
  command = plan

  plan_options {
    mode    = normal
    refresh = true
  }

  assert {
    condition     = terraform_data.r.input == "g 2 $${y}"
    error_message = "is ${terraform_data.r.input}"
  }
}

run "a" {
  variables {
    x = upper("q")
  }

  assert {
    condition     = output.o == "Q"
    error_message = "o"
  }

  assert {
    condition     = output.o != ""
    error_message = "e ${output.o}"
  }
}

run "m" {
  variables {
    x = "${run.a.o}${run.a.o}"
  }

  assert {
    condition     = output.o == "QQ"
    error_message = output.o
  }
}
