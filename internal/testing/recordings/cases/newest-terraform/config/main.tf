terraform {
  required_providers {
    lab = { source = "example/lab" }
  }
}
variable "src" {
  type    = string
  default = "./kid"
  const   = true
}
variable "old" {
  type       = string
  default    = null
  deprecated = "Use new."
}
variable "eph" {
  type      = string
  default   = "x"
  ephemeral = true
}
module "kid" {
  source = var.src
  old    = "set"
}
output "o" {
  value = module.kid.old
  type  = string
}
resource "lab_thing" "t" {
  name   = "t"
  legacy = "yes"
}
output "c" {
  value = convert({ a = "1" }, object({ a = number }))
}
