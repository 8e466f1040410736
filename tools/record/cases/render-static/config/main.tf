variable "x" {
  type    = string
  default = "hello"
}

locals {
  l = { a = 1, b = [1, 2] }
  pict = "😀 é combining e\u0301"
}

resource "terraform_data" "a" {
  input = tobool(var.x)
}

resource "terraform_data" "b" {
	input = "tab" + 1 # after a tab
}

resource "terraform_data" "b2" {
  input = "${"😀é👩‍👩‍👧 🇨🇭"}${local.l.nothing}"
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
  for_each = toset(["one", "two"])
  input = substr(each.key, 1, 2, 3)
}

resource "terraform_data" "e" {
  for_each = toset(["one"])
  lifecycle {
    postcondition {
      condition     = length(self.id) == length(each.key) && formatdate("x y", var.x) == "" 
      error_message = "No."
    }
  }
  input = merge("a", {
    b = 1
  })
}
