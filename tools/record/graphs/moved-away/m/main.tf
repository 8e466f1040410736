variable "in" {}
resource "terraform_data" "x" { input = var.in }
resource "terraform_data" "y" { input = terraform_data.x.output }
output "out" { value = terraform_data.y.id }
