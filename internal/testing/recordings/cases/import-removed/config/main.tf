terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
resource "lab_thing" "by_id" {
  name = "imp"
}
resource "lab_switch" "gone" {
  name = "gone"
}
resource "lab_switch" "kept" {
  name = "kept"
}
resource "lab_switch" "many" {
  for_each = toset(["a", "b c"])
  name     = each.key
}
resource "lab_legacy" "l" {
  key = "l"
}
import {
  to = lab_thing.by_id
  id = "r1/imp"
}
