terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.2" }
  }
}
variable "n" {
  type = number
}
variable "thing" {}
resource "lab_switch" "s" {
  count = var.n
  name  = "s${count.index}"
  value = var.thing.size
}
module "grand" {
  source = "./grand"
  x      = lab_switch.s[*].id
}
output "ids" {
  value       = lab_switch.s[*].id
  description = "ids"
}
