variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "before" { input = var.gen }
resource "terraform_data" "apart" { input = var.gen }
module "m" {
  source     = "./m"
  for_each   = toset(["x", "y"])
  in         = "${each.key}-${var.gen}"
  depends_on = [terraform_data.before]
}
resource "terraform_data" "splat" { input = values(module.m)[*].out }
resource "terraform_data" "one" { input = module.m["x"].out }
resource "terraform_data" "loop" { input = { for k, m in module.m : k => m.late } }
resource "terraform_data" "after" {
  input      = terraform_data.apart.output
  depends_on = [module.m]
}
