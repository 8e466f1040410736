locals {
  a = 1e308
  b = 123456789012345678901234567890123456789012345678901234567890
  c = 0.1 + 0.2
  d = 1 / 3
  e = 10000000000000000000000.5
  f = 1.7976931348623157e308
  g = 4.9e-324
  h = -0.0
  i = 00012
  j = 1.0e0
  k = 1E+2
  l = [for i in [1, 2, 3] : i * 1.10]
  m = "${1.50} ${1e20} ${9007199254740993}"
  n = 1e400
  o = -1e-400
}

variable "v" {
  default = 3.141592653589793238462643383279502884197169399375105820974944592307816406286
}

variable "w" {
  type    = number
  default = "1.50"
}

variable "folded" {
  default = 1e3 * 10 + 0.5
}

output "all" {
  value = [local.a, local.b, local.c, local.d, local.e, local.f, local.g, local.h, local.i, local.j, local.k, local.l, local.m, local.n, local.o]
}

output "variables" {
  value = [var.v, var.w, var.folded]
}
