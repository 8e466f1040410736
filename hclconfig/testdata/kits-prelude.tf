terraform {
  required_providers {
    kit = { source = "example/kit" }
    sdk = { source = "example/sdk" }
  }
}
locals {
  secret = sensitive("s")
}
resource "terraform_data" "u" {
}
ephemeral "kit_token" "t" {
}
