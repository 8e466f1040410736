terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
variable "x" {}
resource "lab_switch" "in" {
  count = length(var.x)
  name  = var.x
}
