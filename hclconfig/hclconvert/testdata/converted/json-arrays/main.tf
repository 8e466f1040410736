variable "a" {
  default = [
    1,
    {
      "$${x}" = "%%{y}"
    },
  ]
}

variable "b" {
  type    = any
  default = null
}

locals {
  x = 1
}

locals {
  y = local.x
}

resource "terraform_data" "one" {
  input = local.y
}

resource "terraform_data" "two" {
  input = {
    a = var.a
  }
}

resource "terraform_data" "three" {
  input            = 1
  triggers_replace = [terraform_data.two.id]

  lifecycle {
    ignore_changes = [input]
  }
}

output "o" {
  value = terraform_data.one
}

# x
check "c" {
  assert {
    condition     = local.x == 1
    error_message = local.y
  }
}

terraform {
  required_version = ">= 1.0"

  required_providers {}
}
