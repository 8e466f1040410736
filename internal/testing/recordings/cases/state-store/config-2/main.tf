terraform {
  required_providers {
    lab = { source = "example/lab" }
  }
  backend "local" {
    path = "keep-local.tfstate"
  }
}
resource "lab_switch" "s" {
  name = "s"
}
output "id" {
  value = lab_switch.s.id
}
