terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
variable "n" {
  type    = number
  default = 3
  validation {
    condition     = var.n < 10
    error_message = "n is ${var.n}, which is too large."
  }
}
variable "secret" {
  type      = string
  default   = "hush"
  sensitive = true
}
resource "lab_switch" "s" {
  count = var.n
  name  = "s${count.index}"
  text  = "on"
  lifecycle {
    precondition {
      condition     = var.n > 0
      error_message = "n must be positive."
    }
    postcondition {
      condition     = self.text == "on" && self.serial != ""
      error_message = "Not on."
    }
  }
}
check "health" {
  data "lab_lookup" "probe" {
    query = "probe"
    fail  = var.n > 2 ? "read" : null
  }
  assert {
    condition     = length(data.lab_lookup.probe.results) > 5
    error_message = "Only ${length(data.lab_lookup.probe.results)}."
  }
  assert {
    condition     = var.secret == "hushed"
    error_message = "Secret is wrong."
  }
}
check "unknown" {
  assert {
    condition     = lab_switch.s[0].serial == "x"
    error_message = "Serial ${lab_switch.s[0].serial}."
  }
}
output "o" {
  value = var.n
  precondition {
    condition     = var.n != 5
    error_message = "Not five."
  }
}
