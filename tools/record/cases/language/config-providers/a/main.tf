terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
      configuration_aliases = [terraform.more]
    }
    q = { source = "terraform.io/builtin/terraform" }
  }
}
resource "terraform_data" "d" {}
resource "terraform_data" "m" { provider = terraform.more }
data "terraform_remote_state" "q" {
  provider = q
  backend = "local"
  count = 0
}
module "b" {
  source = "./b"
  providers = { terraform = terraform.more }
}
module "b2" { source = "./b" }
