variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" { input = var.gen }
module "m" {
  count  = var.gen == 1 ? 2 : 1
  source = "./m"
  in     = terraform_data.a.id
}
resource "terraform_data" "b" { input = module.m[0].out }
