# What becomes of them.

terraform {
  required_providers {
    lab = {
      source = "example/lab"
    }
  }
}

locals {
  documents = {
    members       = jsonencode({ a = 2, b = "x", come = {}, id = "i", name = [1, { k = 2 }], tags = { t = 2 }, long_name_unchanged = 1 })
    null_gone     = jsonencode({ a = 1 })
    null_comes    = jsonencode({ a = 1, z = null })
    null_value    = jsonencode({ n = "x", o = [1], p = null, q = null, same = null })
    kind          = jsonencode([1, { a = 1 }])
    kind_inside   = jsonencode({ a = [1], c = "t", d = { e = "x\ny" }, e = [], f = "1" })
    kind_empty    = jsonencode([])
    emptied       = jsonencode({ a = [], b = {} })
    space         = "{ \"a\": 1, \"b\": [ { \"c\": null }, \"t\\nu\" ], \"e\": {} }"
    space_empty   = "{ }"
    neighbours    = jsonencode(["a", "b", "C", "d", "e", "f", "g", "i", "j", "k"])
    containers    = jsonencode([{ a = 1, b = [1, null] }, [1, 2], null, "z", "y"])
    pairs         = jsonencode([{ k = 1, l = "same" }, { k = 2, m = 1 }, { k = 4 }])
    nested        = jsonencode({ a = jsonencode({ b = jsonencode([1, 3]) }), c = "[ 1 ]" })
    texts         = jsonencode({ a = "one\n2\nthree", b = ["x\nz", "u\nv"], c = "now\nmany" })
    odd_names     = jsonencode({ "a b" = 2, "c-d" = 3, "é" = 3, "1x" = 5 })
    no_json_after = "text"
    json_after    = jsonencode({ a = 1 })
    unchanged     = jsonencode({ a = 1 })
    deep          = jsonencode({ a = { b = { c = { d = [[[1, 4], [3]]] } } } })
  }
}

resource "terraform_data" "string" {
  for_each = local.documents
  input    = each.value
}

resource "terraform_data" "value" {
  for_each = { for k, v in local.documents : k => v if !contains(["space", "space_empty", "no_json_after", "json_after"], k) }
  input    = jsondecode(each.value)
}

resource "terraform_data" "added" {
  input = jsonencode({ a = [1, { b = null }], c = "x\ny", d = {}, e = [] })
}

resource "terraform_data" "added_empty" {
  input = ["[]", "{}", jsonencode({ a = 1 })]
}

resource "lab_thing" "all" {
  name     = "all"
  note     = jsonencode({ policy = [{ a = 1 }, { a = 3 }] })
  tags     = { a = "1", b = "3", d = "4" }
  labels   = ["p", "r", "s"]
  ports    = [1, 2, 4, 5, 6]
  shape    = { w = 1, h = 3, name = "s", meta = { x = true, y = true } }
  duo      = ["x", 2]
  anything = { a = [2], c = "x\ny" }
  secrets  = { k = "w" }
  settings = { mode = "m", password = "pw", limits = { cpu = 1, mem = 3 } }
  rules    = [{ port = 1 }, { port = 2, proto = "tcp" }, { port = 3 }]
  peers    = [{ host = "h1", weight = 2 }, { host = "h2" }]
  zones    = { z1 = { cidr = "c1", tags = { u = "2" } }, z3 = { cidr = "c3" } }
}

resource "lab_switch" "forces" {
  name = jsonencode({ a = 2 })
}

resource "lab_switch" "space_forces" {
  name = "{ \"a\": 1 }"
}

import {
  to = lab_thing.found
  identity = {
    name  = "found"
    realm = "here"
  }
}

resource "lab_thing" "found" {
  name  = "found"
  ports = [1, 2]
}

output "list" {
  value = [1, 3, 4, 5]
}

output "document" {
  value = jsonencode({ a = [1, 2, 3] })
}

output "kind_of_output" {
  value = [1]
}

output "come" {
  value = { a = [1], b = "[]" }
}

output "long_name_that_stays" {
  value = 1
}
