terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
    google = "~> 4.0" # want "Legacy version constraint for provider \"google\" in `required_providers`"
    random = { version = "1.0" } # want "Missing `source` for provider \"random\" in `required_providers`"
    null   = { source = "hashicorp/null" } # want "Missing version constraint for provider \"null\" in `required_providers`"
    tls    = {} # want "Missing `source` for provider \"tls\"" "Missing version constraint for provider \"tls\""
    time   = "1.0"
    built  = { source = "terraform.io/builtin/built" }
    alias = { # want "Missing version constraint for provider \"alias\""
      source                = "a/alias"
      configuration_aliases = [alias.x]
    }
  }
}
resource "aws_vpc" "a" {}
resource "google_x" "a" {}
resource "random_id" "a" {}
resource "null_resource" "a" {}
resource "tls_x" "a" {}
resource "built_x" "a" {}
resource "alias_x" "a" {}
resource "terraform_data" "a" {}
resource "azurerm_x" "a" {}
resource "azurerm_x" "b" {} # want "Missing version constraint for provider \"azurerm\" in `required_providers`"
resource "google_x" "b" { provider = google-beta.west } # want "Missing version constraint for provider \"google-beta\""
resource "google_x" "c" { provider = "quoted.west" } # want "Missing version constraint for provider \"quoted\""
data "http" "a" {} # want "Missing version constraint for provider \"http\""
ephemeral "eph_x" "a" {} # want "Missing version constraint for provider \"eph\""
check "c" {
  data "chk_x" "a" {} # want "Missing version constraint for provider \"chk\""
  assert {
    condition     = true
    error_message = "x"
  }
}
provider "prov" {} # want "Missing version constraint for provider \"prov\""
provider "aws" { # want "provider version constraint should be specified via `required_providers`"
  version = "1.0"
}
module "m" { # want "Missing version constraint for provider \"mod\"" "Missing version constraint for provider \"mod2\""
  source = "./x"
  providers = {
    aws   = mod.a
    aws.b = mod2
  }
}
resource "funcs_x" "a" {}
locals {
  a = provider::funcs::f(1) # want "Missing version constraint for provider \"funcs\""
  b = "x${provider::funcs2::f(provider::funcs3::g())}" # want "provider \"funcs2\"" "provider \"funcs3\""
}
