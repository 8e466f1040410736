terraform {
  required_providers {
    terraform = {
      source                = "terraform.io/builtin/terraform"
      configuration_aliases = [terraform.other]
    }
  }
}

variable "text" {}
variable "list" { type = list(object({ a = number, b = optional(string, "q${"r"}") })) }
variable "map" {}
variable "none" {
  default  = "not this"
  nullable = true
}

resource "terraform_data" "x" {
  provider = terraform.other
  input    = var.list
}

output "all" {
  value = [var.text, var.list, var.map, var.none, path.module]
}
