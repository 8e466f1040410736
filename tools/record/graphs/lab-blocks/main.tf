terraform {
  required_providers {
    lab = { source = "example/lab" }
  }
}
variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "kind" {
  count = 2
  input = "k${count.index}-${var.gen}"
}
resource "lab_switch" "s" {
  for_each = toset(["l", "r"])
  name     = "s-${each.key}"
}
resource "lab_blocks" "b" {
  title = "b-${var.gen}"
  disk {
    kind = terraform_data.kind[0].output
    partition { fs = terraform_data.kind[1].output }
  }
  disk { kind = "fixed" }
  dynamic "network" {
    for_each = [lab_switch.s["r"].name]
    content { vlan = 7 }
  }
  zone "left" { cidr = lab_switch.s["l"].name }
}
resource "terraform_data" "c" { input = [for d in lab_blocks.b.disk : d.kind] }
