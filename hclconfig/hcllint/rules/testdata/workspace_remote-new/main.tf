terraform {
  required_version = ">= 1.1"
  backend "remote" {}
}
locals { a = terraform.workspace }
