terraform {
  required_providers {
    lab    = { source = "example/lab", version = "> 1" }
    random = { source = "hashicorp/random", version = ">= 3.0.0, ~> 3" }
    null   = { source = "hashicorp/null", version = "~> 3.0, != 3.0.9" }
  }
}
resource "terraform_data" "x" {}
