terraform {
  required_version = ">= 0.13"
  required_providers {
    random = { source = "hashicorp/random", version = ">= 3.1.0, != 3.2.0" }
    null   = { source = "hashicorp/null" }
    local  = { source = "hashicorp/local" }
  }
}
variable "key" {
  type      = string
  default   = "k3y"
  sensitive = true
}
variable "shape" {
  type    = object({ w = number, tags = map(string), l = list(object({ a = string })) })
  default = { w = 1.5e3, tags = { "a b" = "c", "\u00fc" = "\u2028<>&" }, l = [{ a = "x" }, { a = null }] }
  validation {
    condition     = var.shape.w > 0
    error_message = "The width must be positive."
  }
}
locals {
  keys = toset(["one", "t w o", "drei.3", "\"q\"", "$${x}"])
}
resource "random_pet" "p" {
  length  = 2
  keepers = { shape = jsonencode(var.shape) }
}
resource "random_password" "secret" {
  length = 12
}
resource "null_resource" "n" {
  count    = 2
  triggers = { secret = random_password.secret.result, key = var.key }
  provisioner "local-exec" {
    command = "echo hello; echo world"
  }
}
resource "local_file" "keyed" {
  for_each = local.keys
  filename = "out/${length(each.key)}.txt"
  content  = "pet ${random_pet.p.id}"
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [file_permission]
  }
}
data "local_file" "late" {
  filename   = local_file.keyed["one"].filename
  depends_on = [null_resource.n]
}
module "kid" {
  source   = "./kid"
  for_each = { "x y" = 1, z = 2 }
  n        = each.value
}
output "secret" {
  value     = random_password.secret.result
  sensitive = true
}
output "files" {
  value      = { for k, f in local_file.keyed : k => f.content }
  depends_on = [null_resource.n]
}
output "all" {
  description = "Everything <of> one & \"all\"."
  value       = [var.shape, null, 1.0, data.local_file.late.content]
}
