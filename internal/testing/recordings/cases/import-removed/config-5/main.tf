terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
locals { ids = { one = { realm = "r", name = "n1" }, two = { realm = "s", name = "n2" } } }
resource "lab_thing" "ident" {
  for_each = local.ids
  name     = each.value.name
}
import {
  for_each = local.ids
  to       = lab_thing.ident[each.key]
  identity = each.value
}
