terraform {
  required_providers {
    lab = { source = "example/lab" }
  }
  state_store "lab_store" {
    provider "lab" {
      realm = "store"
    }
    dir = "keep-store2"
    key = "k3y"
  }
}
resource "lab_switch" "s" {
  name = "s"
}
output "id" {
  value = lab_switch.s.id
}
