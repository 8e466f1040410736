variable "used" {}
variable "unused" {} # want "variable \"unused\" is declared but not used"
variable "self" { # want "variable \"self\" is declared but not used"
  validation {
    condition     = var.self != "" && var.other != ""
    error_message = "bad ${var.self}"
  }
}
variable "other" {}
variable "in_override" {}
variable "in_key" {}
variable "bare_key" {} # want "variable \"bare_key\""
variable "in_index" {}
variable "in_heredoc" {}
variable "in_depends" {}
variable "indexed" {} # want "variable \"indexed\""
locals {
  a = var.used
  b = local.b
  c = local.d # want "local.c is declared but not used"
  d = 1
  e = { bare_key = 1, (var.in_key) = 2 } # want "local.e is declared but not used"
  f = local.a[var.in_index] # want "local.f"
  g = <<-EOT
    ${var.in_heredoc} ${var["indexed"]}
  EOT
  h = [for local in [1] : local.i] # want "local.h"
  i = 1
}
data "a_b" "used" {}
data "a_b" "unused" {} # want "data \"a_b\" \"unused\" is declared but not used"
data "a_b" "self" { x = data.a_b.self.y }
data "a_b" "depends" {}
data "a_b" "splat" {}
data "a_b" "index" { count = 2 }
check "c" {
  data "a_b" "check" {} # want "data \"a_b\" \"check\""
  assert {
    condition     = true
    error_message = "x"
  }
}
provider "aws" { alias = "used" }
provider "aws" { alias = "unused" } # want "provider \"aws\" with alias \"unused\" is declared but not used"
provider "aws" { alias = "mod" }
provider "aws" { alias = "quoted" }
provider "aws" { alias = "any" }
provider "aws" { alias = "longer" } # want "provider \"aws\" with alias \"longer\""
provider "aws" { alias = "eph" }
provider "aws" {}
resource "x_y" "z" {
  provider   = aws.used
  a          = data.a_b.used
  b          = [local.g, data.a_b.splat[*].id, data.a_b.index[0].id, aws.longer.x]
  depends_on = [data.a_b.depends, var.in_depends]
}
resource "x_y" "q" { provider = "aws.quoted" }
ephemeral "x_y" "q" { provider = aws.eph }
module "m" {
  source    = "./x"
  providers = { aws = aws.mod }
  z         = aws.any
}
output "o" { value = { y = local.undeclared } }
