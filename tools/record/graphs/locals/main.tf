variable "gen" {
  type    = number
  default = 1
}
locals {
  a   = terraform_data.a.output
  ab  = { a = local.a, b = terraform_data.b.output }
  non = "constant"
}
resource "terraform_data" "a" { input = var.gen }
resource "terraform_data" "b" { input = local.non }
resource "terraform_data" "c" { input = local.ab.a }
module "m" {
  source = "./m"
  in     = local.ab
}
output "o" { value = module.m.out }
