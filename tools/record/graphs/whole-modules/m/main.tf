variable "in" {}
resource "terraform_data" "used" { input = var.in }
resource "terraform_data" "unused" { input = var.in }
module "n" {
  source = "./n"
  in     = "n-${var.in}"
}
output "out" { value = terraform_data.used.output }
output "late" {
  value      = "constant"
  depends_on = [module.n]
}
