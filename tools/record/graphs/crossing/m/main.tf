variable "in" {}
resource "terraform_data" "x" { triggers_replace = var.in }
resource "terraform_data" "y" { input = terraform_data.x.id }
output "out" { value = terraform_data.y.output }
