variable "gen" {
  type    = number
  default = 1
}
module "m" {
  source = "./m"
  gen    = var.gen
}
resource "terraform_data" "b" { input = module.m.plain }
