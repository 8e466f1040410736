terraform { # want "the terraform block should be in terraform.tf"
  required_version = ">= 1.0"
}
terraform {
  backend "local" {}
}
provider "a" {} # want "the provider block should be in providers.tf"
