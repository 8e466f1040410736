terraform {
  required_version = ">= 1.0"
  backend "remote" {}
}
locals {
  a = terraform.workspace # want "terraform.workspace should not be used with a 'remote' backend"
  b = "x-${terraform.workspace}-${terraform.workspace}" # want "terraform.workspace" "terraform.workspace"
  c = terraform.other
  d = { (terraform.workspace) = terraform.workspace } # want "terraform.workspace" "terraform.workspace"
  e = terraform["workspace"]
}
