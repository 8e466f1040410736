terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
variable "n" {
  type    = number
  default = 1
  validation {
    condition     = var.n < 5
    error_message = "n too large: ${var.n}"
  }
}
resource "lab_switch" "s" {
  count = var.n
  name  = "s${count.index}"
  fail  = "delete"
}
data "lab_lookup" "d" {
  query = "x"
}
output "ids" {
  value = lab_switch.s[*].id
}
output "obj" {
  value = { a = [1, 2, { b = "c" }], n = var.n }
}
