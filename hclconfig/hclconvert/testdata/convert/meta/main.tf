
variable "on" { default = true }
resource "terraform_data" "dep" {}
resource "terraform_data" "a" {
  input      = "x"
  depends_on = [terraform_data.dep, module.m, data.terraform_remote_state.none]
  lifecycle {
    create_before_destroy = true
    prevent_destroy       = false
    ignore_changes        = [input, triggers_replace["a b"], triggers_replace[0]]
    replace_triggered_by  = [terraform_data.dep, terraform_data.dep.id, terraform_data.each["k"], terraform_data.cnt[0].output]
    precondition {
      condition     = var.on
      error_message = "off: ${var.on} $${x}"
    }
    precondition {
      condition     = length("x") == 1 || var.on
      error_message = <<-EOT
        Long message,
        ${var.on}.
      EOT
    }
    postcondition {
      condition     = self.input == "x"
      error_message = "bad ${self.id}"
    }
  }
}
resource "terraform_data" "all" {
  lifecycle { ignore_changes = all }
}
resource "terraform_data" "each" {
  for_each = { k = 1 }
  lifecycle {
    replace_triggered_by = [terraform_data.each2[each.key]]
  }
}
resource "terraform_data" "cnt" {
  count = 2
}
resource "terraform_data" "old" {
  depends_on = ["terraform_data.dep"]
  lifecycle { ignore_changes = ["input"] }
}
data "terraform_remote_state" "none" {
  backend = "local"
  config  = { path = "${path.module}/x.tfstate" }
  defaults = { a = 1 }
}
resource "terraform_data" "prov" {
  connection {
    type     = "ssh"
    host     = self.id
    user     = "${"u"}"
    password = "$${p}"
    port     = 22
    timeout  = "1s"
  }
  provisioner "local-exec" { command = "echo one" }
  provisioner "file" {
    content     = "x"
    destination = "/tmp/none"
    connection {
      host = "h"
      bastion_host = "b"
    }
  }
  provisioner "local-exec" {
    when        = destroy
    on_failure  = continue
    command     = "echo two ${self.id}"
    interpreter = ["/bin/sh", "-c"]
    environment = { A = "b", "c d" = self.id }
  }
  provisioner "remote-exec" { inline = ["a", "b ${self.id}"] }
  provisioner "local-exec" {
    command = <<-EOT
      echo "three" $${HOME}
      echo "%%{x}"
    EOT
  }
}
module "m" {
  source = "./m"
  count  = 1
  a      = null
  b      = ["x", 1]
  c      = { k = "v" }
}
module "n" {
  for_each   = toset(["x", "y"])
  source     = "./m"
  depends_on = [terraform_data.dep]
  b          = each.key
}
moved {
  from = terraform_data.gone
  to   = terraform_data.a
}
moved {
  from = terraform_data.gone2.0
  to   = terraform_data.cnt[1]
}
moved {
  from = module.o["x y"].terraform_data.z
  to   = module.n["x"].terraform_data.inner
}
import {
  to = terraform_data.each["k"]
  id = "imp-${1 + 1}"
}
removed {
  from = terraform_data.nowhere
  lifecycle { destroy = false }
}
check "c" {
  data "terraform_remote_state" "inner" {
    backend = "local"
    config  = { path = "none.tfstate" }
    defaults = {}
  }
  assert {
    condition     = var.on
    error_message = "c1"
  }
  assert {
    condition     = terraform_data.dep.id != ""
    error_message = "c2 ${terraform_data.dep.id}"
  }
}
check "only" {
  assert {
    condition     = !var.on
    error_message = "must be off"
  }
}
output "o" {
  value = module.m[0].out
  precondition {
    condition     = var.on
    error_message = "o"
  }
}
resource "terraform_data" "each2" {
  for_each = { k = 1 }
}
