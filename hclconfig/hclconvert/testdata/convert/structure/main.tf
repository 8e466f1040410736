/* A header
 * of two lines. */

terraform {
  required_version = ">= 1.5" # everywhere
  required_providers {
    # the built-in one
    terraform = {
      # inside of an entry
      source = "terraform.io/builtin/terraform"
    }
  }
}

terraform {
}

provider "terraform" {
}

variable "n" {
  default     = 2
  description = "A ${"constant"} $${text}."
  nullable    = "false"
  validation {
    condition     = var.n > 0
    error_message = "n is ${var.n}, not \"positive\"."
  }
  validation {
    condition     = var.n < 100 # less
    error_message = <<-EOT
      n is ${var.n}.
    EOT
  }
}

locals { one = 1 }
locals {
  two = local.one + 1
}

resource "terraform_data" "b" {
  count = var.n
  input = "b${count.index}"
}

resource "terraform_data" "c" {
  for_each = toset(["x", "y z", "$${q}"])
  input    = each.key
}

// about a
resource "terraform_data" "a" { # same line
  input            = { nested = { deep = [1, [2]] } }
  triggers_replace = terraform_data.b[0].id
  provider         = terraform
  depends_on       = [terraform_data.b, terraform_data.c["y z"], terraform_data.c["$${q}"]]

  lifecycle {
    create_before_destroy = !false
    prevent_destroy       = 1 == 2
    ignore_changes        = [input["a b"], triggers_replace[0], output.0]
    replace_triggered_by  = [terraform_data.b[0], terraform_data.c["x"].id]
    precondition {
      condition     = length(terraform_data.b) == var.n
      error_message = "first"
    }
    postcondition {
      condition     = self.output != null
      error_message = "post ${self.id}"
    }
    precondition {
      condition     = var.n != 7
      error_message = "second"
    }
  }

  # order matters
  provisioner "local-exec" {
    when       = destroy
    on_failure = continue
    command    = "echo ${self.id}"
  }
  provisioner "file" {
    content     = "x"
    destination = "/tmp/y"
    connection {
      type = "ssh"
      host = "h"
    }
  }
  provisioner "local-exec" {
    command     = "b"
    interpreter = ["sh", "-c"]
    environment = { A = "$${B}", "C D" = "%%{e}" }
  }
  connection {
    host = self.id
  }
  # the end
}

resource "terraform_data" "all" {
  count = 0
  lifecycle { ignore_changes = all }
}

data "terraform_remote_state" "off" {
  count   = 0
  backend = "local"
  config = {
    path = "x.tfstate"
  }
}

check "health" {
  assert {
    condition     = var.n == 2
    error_message = "n"
  }
  assert {
    condition     = terraform_data.a.id != ""
    error_message = "unknown"
  }
}

moved {
  from = terraform_data.old[0]
  to   = terraform_data.b[0]
}

moved {
  from = terraform_data.older
  to   = terraform_data.a
}

removed {
  from = terraform_data.gone
  lifecycle {
    destroy = false
  }
}

import {
  to = terraform_data.imported
  id = "some-${var.n}"
}

resource "terraform_data" "imported" {}

output "o" {
  value       = [for k, v in terraform_data.c : "${k}=${v.input}"]
  description = <<EOT
Several
lines, $${literal}.
EOT
  depends_on  = [terraform_data.a]
  precondition {
    condition     = var.n > 1
    error_message = "too few"
  }
}

# at the end
