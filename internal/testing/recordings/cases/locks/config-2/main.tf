terraform {
  required_providers {
    lab    = { source = "example/lab", version = "1.5.0" }
    random = { source = "hashicorp/random", version = "= 3.9.0" }
    null   = { source = "hashicorp/null", version = ">= 2" }
  }
}
resource "terraform_data" "x" {}
module "kid" {
  source = "./kid"
}
