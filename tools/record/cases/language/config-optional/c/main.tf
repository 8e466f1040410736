variable "a" {
  type = object({ x = optional(string, "base") })
  default = {}
}
variable "b" {
  type = object({ x = optional(string, "base") })
}
variable "c" {
  type = object({ x = optional(string, "base") })
}
variable "d" {}
variable "e" {
  type = object({ x = optional(string, "base") })
  default = {}
}
variable "f" {
  default = {}
}
output "o" { value = { a = var.a, b = var.b, c = var.c, d = var.d, e = var.e, f = var.f } }
