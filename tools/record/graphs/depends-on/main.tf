variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" {
  count = 2
  input = var.gen
}
module "m" {
  source     = "./m"
  gen        = var.gen
  depends_on = [terraform_data.a]
}
resource "terraform_data" "b" {
  triggers_replace = var.gen
  depends_on       = [module.m, terraform_data.a[0]]
}
