terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}

variable "p" {
  default = null
}

module "child" {
  source    = "./child"
  for_each  = { a = 1, "b.c" = 2 }
  providers = { terraform.other = terraform.aliased, terraform = terraform }
  text      = "x${each.key}"
  list      = [{ a = each.value }, { a = null }]
  map       = { "//" = "key", b = "$${c}" }
  none      = null
  depends_on = [terraform_data.first]
}

provider "terraform" {}

provider "terraform" {
  alias = "aliased"
}

resource "terraform_data" "first" {
  input = var.p
}

resource "terraform_data" "over" {
  input = "base"
}

output "child" {
  value = module.child["b.c"].all
}
