variable "x" {
  type    = string
  default = "hello"
}

resource "terraform_data" "c" {
  lifecycle {
    precondition {
      condition     = var.x == "wrong"
      error_message = "This is a long error message which has got to be wrapped because it is longer than seventy-eight characters in all.\n\n  an indented paragraph that is long as well, and must not be wrapped, because it begins with spaces.\nLast ${var.x}."
    }
  }
}

resource "terraform_data" "d" {
  for_each = { one = 1, "two <&>" = 2 }
  input    = each.value
  lifecycle {
    postcondition {
      condition     = length(each.key) == 3 && formatdate("YYYY", var.x) != ""
      error_message = "No."
    }
  }
}

check "c" {
  assert {
    condition     = var.x == "wrong"
    error_message = "Only a warning, about averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongword."
  }
}
