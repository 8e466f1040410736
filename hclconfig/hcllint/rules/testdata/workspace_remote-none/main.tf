terraform {
  backend "remote" {}
}
locals { a = terraform.workspace }
