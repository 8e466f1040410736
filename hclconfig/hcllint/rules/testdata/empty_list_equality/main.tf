locals {
  a = var.l == [] # want "Comparing a collection with an empty list is invalid. To detect an empty collection, check its length."
  b = [] != var.l # want "Comparing a collection"
  c = [] == [] # want "Comparing a collection"
  d = var.l == ([])
  e = var.l == {}
  f = var.l == tolist([])
  g = var.l == [1]
  h = var.a && var.l == [] || var.l != [] # want "Comparing a collection" "Comparing a collection"
  i = var.l == [ # want "Comparing a collection"
  ]
  j = (var.l) == [] ? 1 : 2 # want "Comparing a collection"
  k = [for x in var.l : x if x.y == []] # want "Comparing a collection"
  l = "%{if var.l == []}a%{endif}" # want "Comparing a collection"
  m = !var.l == [] # want "Comparing a collection"
  n = var.l > []
}
variable "l" {}
variable "a" {}
variable "b" {
  type = bool
}
locals {
  o = var.b == [] # want "Comparing a collection"
  p = null == [] # want "Comparing a collection"
  q = local.o != [] # want "Comparing a collection"
  s = tolist([])
  r = local.s == [] # want "Comparing a collection"
}
