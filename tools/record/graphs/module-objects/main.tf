variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" { input = var.gen }
resource "terraform_data" "b" { input = "fixed" }
module "m" {
  source   = "./m"
  settings = { x = terraform_data.a.output, y = terraform_data.b.output }
  whole    = terraform_data.b
}
resource "terraform_data" "c" { input = module.m.y }
resource "terraform_data" "d" { input = module.m }
