terraform {
  required_providers {
    lab = { source = "example/lab", version = ">= 1.0, < 2.0" }
  }
}
resource "lab_thing" "ident" {
  name = "byident"
}
import {
  to = lab_thing.ident
  identity = {
    realm = "main"
    name  = "byident"
  }
}
resource "lab_switch" "bad" {
  name = "unimportable"
}
import {
  to = lab_switch.bad
  id = "unimportable"
}
