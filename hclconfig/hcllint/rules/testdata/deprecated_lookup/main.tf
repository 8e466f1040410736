locals {
  a = lookup(var.m, "k") # want "Lookup with 2 arguments is deprecated"
  b = lookup(var.m, "k", null)
  c = lookup(lookup(var.m, "k"), "l") # want "Lookup with 2" "Lookup with 2"
  d = core::lookup(var.m, "k")
  e = lookup(var.l...)
  f = lookup(var.m, var.l...) # want "Lookup with 2"
  g = "x${lookup(var.m, "k")}" # want "Lookup with 2"
  h = lookup(var.a ? var.m : {}, "k") # want "Lookup with 2"
  i = lookup({ a = 1 }, "a") # want "Lookup with 2"
  j = lookup(merge(var.m, {}), "a").b # want "Lookup with 2"
  k = lookup( # want "Lookup with 2"
    var.m, # the map
    "k"
  )
  l = lookup( # want "Lookup with 2"
    var.m ?
    var.m : {},
  "k")
}
variable "m" {}
variable "l" {}
variable "a" {}
