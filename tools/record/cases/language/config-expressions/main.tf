terraform {
  required_version = "~> 1.11, != 1.11.0"
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
variable "s" { default = "str" }
variable "l" { default = ["a", "b"] }
variable "m" { default = { a = { b = ["x"] }, "k 1" = { b = ["y"] } } }
variable "o" {
  type = object({ a = string, n = optional(number), ll = optional(list(string), ["q"]) })
  default = { a = 1, n = "7" }
}
variable "any" {
  type = any
  default = { x = 1 }
}
variable "maplegacy" {
  type = map
  default = { a = 1 }
}
variable "set" {
  type = set(number)
  default = [3, 1, "2", 3]
}
variable "tup" {
  type = tuple([string, number, bool])
  default = [1, "2", "true"]
}
variable "num" {
  type = number
  default = 1e3
}
variable "big" { default = 123456789012345678901234567890.123456789 }
variable "neg" { default = -0.0000000000000000000001 }
variable "multi" {
  description = <<-EOT
    First $${line}
      second
  EOT
  sensitive   = !true
  default     = null
}
locals {
  a = 1
  ünï-cødé = "x"
  b = local.a
}
resource "terraform_data" "a" { input = "x" }
resource "terraform_data" "c" {
  count = 1 + 2
  input = count.index
}
resource "terraform_data" "e" {
  for_each = var.m
  input = [each.key, each.value.b[0], each.value["b"]]
}
resource "terraform_data" "f" {
  for_each = { for k, v in { a = 1 } : k => v }
  input = "${each.key}"
  triggers_replace = [terraform_data.a.output]
  depends_on = [terraform_data.c[0], module.ms["k"], terraform_data.e["k 1"], var.s, local.b]
  lifecycle {
    ignore_changes = [input["x"], triggers_replace[0]]
    replace_triggered_by = [terraform_data.c[0].id, terraform_data.e[each.key]]
    create_before_destroy = !false
    prevent_destroy = 1 == 2
    precondition {
      condition = var.s != ""
      error_message = "m ${var.s}"
    }
    postcondition {
      condition = self.id != ""
      error_message = "m"
    }
  }
  connection {
    host = self.id
    user = "u"
  }
  provisioner "local-exec" {
    command = "echo ${self.id} ${each.key}"
    when = create
    on_failure = continue
    environment = { A = var.s }
    interpreter = ["sh", "-c"]
  }
  provisioner "local-exec" {
    when = destroy
    command = "true"
    working_dir = path.module
  }
}
module "m" {
  source = "./child"
  v = { (var.s) = var.l[0], "${var.s}x" = 1, lit = var.s }
  providers = {}
}
module "ms" {
  source = "./child"
  for_each = toset(["k", "l"])
  v = each.value
  opt = { a = null, b = null }
  depends_on = [terraform_data.a, module.m.list]
}
module "mc" {
  source = "./child"
  count = length(var.l)
  v = count.index
}
check "c" {
  data "terraform_remote_state" "r" {
    backend = "local"
    config = { path = "${path.module}/x.tfstate" }
    defaults = { a = var.s }
    depends_on = [terraform_data.a]
  }
  assert {
    condition = data.terraform_remote_state.r.outputs.x == 1
    error_message = "e"
  }
}
data "terraform_remote_state" "z" {
  count = 0
  backend = "local"
}
removed {
  from = terraform_data.gone
  lifecycle { destroy = true }
  provisioner "local-exec" {
    when = destroy
    command = "echo"
  }
}
moved {
  from = terraform_data.o["x"]
  to = module.m.terraform_data.q[1]
}
import {
  for_each = { c = "x" }
  to = terraform_data.imp[each.key]
  id = each.value
}
resource "terraform_data" "imp" {
  for_each = toset(["c"])
}
