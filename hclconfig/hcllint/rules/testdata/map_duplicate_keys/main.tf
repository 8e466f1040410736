locals {
  a = { a = 1, b = 2, a = 3 } # want "Duplicate key: \"a\", first defined at .*main.tf:2,9-10"
  b = { a = 1, "a" = 2, ("a") = 3 } # want "Duplicate key: \"a\"" "Duplicate key: \"a\""
  c = { 1 = 1, "1" = 2 } # want "Duplicate key: \"1\""
  d = { true = 1, "true" = 2 } # want "Duplicate key: \"true\""
  e = { (var.s) = 1, s = 2 } # want "Duplicate key: \"s\""
  f = { (var.unknown) = 1, (var.unknown) = 2 }
  g = { (local.k) = 1, k = 2, "${local.k}" = 3 } # want "Duplicate key: \"k\"" "Duplicate key: \"k\""
  h = { (upper("a")) = 1, A = 2 } # want "Duplicate key: \"A\""
  i = { (var.secret) = 1, (var.secret) = 2 }
  j = { for k in ["a"] : k => { (k) = 1, (k) = 2 } }
  k = "k"
  l = [{ a = 1 }, { a = 1 }]
  m = {
    a = { x = 1, x = 2 } # want "Duplicate key: \"x\""
    a = 1 # want "Duplicate key: \"a\""
  }
  n = { a : 1, a : 2 } # want "Duplicate key: \"a\""
  o = { "a${1}" = 1, a1 = 2 } # want "Duplicate key: \"a1\""
  p = { (null) = 1, (null) = 2 }
  q = { (each.key) = 1, (each.key) = 2 }
  r = { (terraform.workspace) = 1, default = 2 } # unknown without a selected workspace
  t = { (a_b.c.id) = 1, (a_b.c.id) = 2 }
  u = { 1.0 = 1, 1 = 2 } # want "Duplicate key: \"1\""
  v = merge({ a = 1 }, { a = 2 })
  w = { "a.b" = 1, (join(".", ["a", "b"])) = 2 } # want "Duplicate key: \"a.b\""
  x = { (var.n) = 1, 5 = 2 } # want "Duplicate key: \"5\""
  y = { (var.l) = 1, (var.l) = 2 }
  z = { (var.set_by_file) = 1, file = 2 } # want "Duplicate key: \"file\""
}
variable "s" { default = "s" }
variable "n" { default = 5 }
variable "l" { default = ["a"] }
variable "unknown" {}
variable "secret" {
  default   = "s"
  sensitive = true
}
resource "a_b" "c" {
  for_each = { a = 1, a = 2 } # want "Duplicate key: \"a\""
  x {
    y = { a = 1, a = 2 } # want "Duplicate key: \"a\""
  }
}
variable "set_by_file" {}
