terraform {
  required_providers {
    lab = { source = "example/lab" }
  }
}
locals {
  realms = { a = "ra", b = "rb" }
}
provider "lab" {
  alias    = "by"
  for_each = local.realms
  realm    = each.value
}
variable "old" {
  type       = string
  default    = null
  deprecated = "Use new."
}
resource "lab_switch" "s" {
  for_each = local.realms
  provider = lab.by[each.key]
  name     = each.key
}
module "kid" {
  source   = "./kid"
  old      = "set"
  providers = { lab = lab.by["a"] }
}
output "o" {
  value = module.kid.old
}
output "d" {
  value      = 1
  deprecated = "Not any more."
}
