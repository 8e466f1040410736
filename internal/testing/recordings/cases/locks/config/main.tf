terraform {
  required_providers {
    lab    = { source = "example/lab", version = ">=1.0 , < 2.0.0,!=1.1" }
    random = { source = "hashicorp/random", version = "~> 3.0" }
    null   = { source = "hashicorp/null" }
  }
}
resource "terraform_data" "x" {}
