terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
resource "lab_thing" "by_id" {
  name = "imp"
}
removed {
  from = lab_switch.gone
  lifecycle {
    destroy = true
  }
}
removed {
  from = lab_switch.kept
  lifecycle {
    destroy = false
  }
}
resource "lab_switch" "renamed" {
  for_each = toset(["a", "c"])
  name     = each.key
}
moved {
  from = lab_switch.many
  to   = lab_switch.renamed
}
resource "lab_switch" "from_legacy" {
  name = "moved"
}
moved {
  from = lab_legacy.l
  to   = lab_switch.from_legacy
}
