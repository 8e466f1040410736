terraform {
  required_providers {
    tf = { source = "terraform.io/builtin/terraform" }
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
provider "tf" {}
provider "tf" { alias = "x" }
provider "terraform" { alias = "y" }
resource "terraform_data" "r" { provider = tf.x }
resource "terraform_data" "s" { provider = terraform.y }
resource "terraform_data" "t" { provider = tf }
resource "terraform_data" "u" {}
module "a" {
  source = "./a"
  providers = { terraform = tf.x, terraform.more = terraform.y, q = tf }
}
module "j" { source = "./j" }
module "j2" {
  source = "./j"
  for_each = { for k in ["a"] : k => k }
  providers = { terraform = terraform.y }
}
