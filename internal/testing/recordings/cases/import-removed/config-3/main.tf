terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
locals { wanted = { x = "id-x", y = "id-y" } }
resource "lab_switch" "each" {
  for_each = local.wanted
  name     = each.value
}
import {
  for_each = local.wanted
  to       = lab_switch.each[each.key]
  id       = each.value
}
import {
  to = lab_thing.generated
  id = "gen"
}
