# Strings that hold JSON, values of any type, and every nesting of the lab
# provider, before they change.

terraform {
  required_providers {
    lab = {
      source = "example/lab"
    }
  }
}

locals {
  documents = {
    members       = jsonencode({ a = 1, b = "x", gone = true, id = "i", name = [1, { k = 2 }], tags = { t = 1 }, long_name_unchanged = 1 })
    null_gone     = jsonencode({ a = 1, z = null })
    null_comes    = jsonencode({ a = 1 })
    null_value    = jsonencode({ n = null, o = null, p = "x", q = { r = 1 }, same = null })
    kind          = jsonencode({ a = 1 })
    kind_inside   = jsonencode({ a = { b = 1 }, c = [1, 2], d = "text", e = {}, f = 1 })
    kind_empty    = jsonencode({})
    emptied       = jsonencode({ a = [1, 2], b = { c = 1 } })
    space         = "{\"a\":1,\"b\":[{\"c\":null},\"t\\nu\"],\"e\":{}}"
    space_empty   = "{}"
    neighbours    = jsonencode(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"])
    containers    = jsonencode([{ a = 1, b = [1, null] }, { a = 2 }, [1, 2], { a = 3 }, null, "x", "y"])
    pairs         = jsonencode([{ k = 1, l = "same" }, { k = 2 }, { k = 3 }])
    nested        = jsonencode({ a = jsonencode({ b = jsonencode([1, 2, 3]) }), c = "[1]" })
    texts         = jsonencode({ a = "one\ntwo\nthree", b = ["x\ny", "u\nv"], c = "single" })
    odd_names     = jsonencode({ "a b" = 1, "c-d" = 2, "é" = 3, "1x" = 4 })
    no_json_after = jsonencode({ a = 1 })
    json_after    = "text"
    unchanged     = jsonencode({ a = 1 })
    deep          = jsonencode({ a = { b = { c = { d = [[[1, 2], [3]]] } } } })
  }
}

resource "terraform_data" "string" {
  for_each = local.documents
  input    = each.value
}

# The same documents as values of any type.
resource "terraform_data" "value" {
  for_each = { for k, v in local.documents : k => v if !contains(["space", "space_empty", "no_json_after", "json_after"], k) }
  input    = jsondecode(each.value)
}

resource "terraform_data" "removed" {
  input = jsonencode({ a = [1, { b = null }], c = "x\ny", d = {}, e = [] })
}

resource "terraform_data" "removed_empty" {
  input = ["[]", "{}", jsonencode({ a = 1 })]
}

resource "lab_thing" "all" {
  name     = "all"
  size     = 5
  note     = jsonencode({ policy = [{ a = 1 }, { a = 2 }] })
  tags     = { a = "1", b = "2", c = "3" }
  labels   = ["p", "q", "r"]
  ports    = [1, 2, 3, 4, 5]
  shape    = { w = 1, h = 2, name = "s", meta = { x = true, y = false } }
  duo      = ["x", 1]
  anything = { a = [1, 2], b = null }
  secrets  = { k = "v" }
  settings = { mode = "m", password = "pw", limits = { cpu = 1, mem = 2 } }
  rules    = [{ port = 1 }, { port = 2, proto = "udp" }]
  peers    = [{ host = "h1", weight = 1 }, { host = "h2" }]
  zones    = { z1 = { cidr = "c1", tags = { u = "1" } }, z2 = { cidr = "c2" } }
}

resource "lab_thing" "gone" {
  name     = "gone"
  note     = "[]"
  tags     = { a = "1" }
  labels   = ["p"]
  ports    = [1]
  shape    = { w = 1, h = 2, name = "s", meta = { x = true } }
  anything = { a = [1, { b = 2 }] }
  settings = { mode = "m", limits = { cpu = 1 } }
  rules    = [{ port = 1 }]
  peers    = [{ host = "h1" }]
  zones    = { z1 = { cidr = "c1" } }
}

resource "lab_switch" "forces" {
  name = jsonencode({ a = 1 })
}

resource "lab_switch" "space_forces" {
  name = "{\"a\":1}"
}

output "list" {
  value = [1, 2, 3, 4]
}

output "document" {
  value = jsonencode({ a = [1, 2], z = null })
}

output "kind_of_output" {
  value = { a = 1 }
}

output "gone" {
  value = { a = [1], b = "[]" }
}

output "long_name_that_stays" {
  value = 1
}
