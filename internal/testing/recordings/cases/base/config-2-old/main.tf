terraform {
  required_version = ">= 1.0"
  required_providers {
    lab    = { source = "example/lab", version = "~> 1.4" }
    random = { source = "hashicorp/random", version = ">= 3.1.0, != 3.2.0" }
    null   = { source = "hashicorp/null" }
    local  = { source = "hashicorp/local" }
  }
}
provider "lab" {
  realm   = "base"
  api_key = var.key
  headers = { "x-a" = "1" }
  retry {
    attempts = 3
    codes    = [500, 502]
  }
}
provider "lab" {
  alias = "east"
  realm = "east"
}
variable "key" {
  type      = string
  default   = "k3y"
  sensitive = true
}
variable "shape" {
  type = object({ w = number, tags = map(string), l = list(object({ a = string })) })
  default = { w = 1.5e3, tags = { "a b" = "c", "\u00fc" = "\u2028<>&" }, l = [{ a = "x" }, { a = null }] }
  validation {
    condition     = var.shape.w > 0
    error_message = "The width must be positive."
  }
}
variable "empty" {
  type    = list(string)
  default = []
}
locals {
  keys = toset(["one", "new", "drei.3", "\"q\"", "$${x}"])
}
resource "random_pet" "p" {
  length = 2
}
resource "random_password" "moved" {
  length = 12
}
resource "null_resource" "n" {
  count    = 2
  triggers = { i = tostring(count.index), pet = random_pet.p.id }
  provisioner "local-exec" {
    command = "echo provisioned ${count.index}; echo to stderr >&2"
  }
  provisioner "local-exec" {
    when       = destroy
    command    = "false"
    on_failure = continue
  }
}
resource "local_file" "f" {
  filename = "out/f.txt"
  content  = "pet ${random_pet.p.id}"
}
resource "lab_thing" "keyed" {
  for_each = local.keys
  name     = each.key
  size     = 7
  ratio    = 0.1
  tags     = { k = each.value }
  secret   = random_password.moved.result
  shape    = { w = 1, h = 2, name = "n", meta = { t = true } }
  anything = { deep = [1, "two", null, { three = [3.0, 1e100] }] }
  settings = { mode = "auto", password = var.key, limits = { cpu = 2 } }
  rules    = [{ port = 81 }, { port = 443, secret = "s" }]
  peers    = [{ host = "a" }, { host = "b", weight = 2 }]
  zones    = { "z.1" = { cidr = "10.0.0.0/8" } }
}
resource "lab_blocks" "b" {
  provider = lab.east
  title    = random_pet.p.id
  disk {
    kind = "ssd"
    key  = var.key
    partition {
      fs    = "ext4"
      flags = ["boot"]
    }
  }
  dynamic "zone" {
    for_each = { a = 1, b = 2 }
    labels   = [zone.key]
    content {
      cidr = "10.${zone.value}.0.0/16"
    }
  }
  listener {
    port = 80
  }
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [title]
  }
}
data "lab_lookup" "early" {
  query = "known"
}
data "lab_lookup" "late" {
  query      = random_pet.p.id
  depends_on = [null_resource.n]
}
module "kid" {
  source   = "./kid"
  for_each = { "x y" = 1, z = 2 }
  n        = each.value
  thing    = lab_thing.keyed["one"]
  providers = {
    lab = lab.east
  }
}
output "secret" {
  value     = random_password.moved.result
  sensitive = true
}
output "things" {
  value     = { for k, t in lab_thing.keyed : k => t.id }
  depends_on = [null_resource.n]
}
output "all" {
  description = "Everything <of> one & \"all\"."
  value       = [var.shape, null, 1.0, data.lab_lookup.early.results[*].score]
}
output "null" {
  value = null
}
