terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
resource "lab_switch" "quick" {
  name = "quick"
}
data "lab_lookup" "crash" {
  query = lab_switch.quick.id
  fail  = "crash"
}
