terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
resource "lab_switch" "a" {
  name = nope.x
}
resource "lab_nothing" "b" {}
