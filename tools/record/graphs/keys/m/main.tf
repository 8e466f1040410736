variable "in" {}
resource "terraform_data" "x" { triggers_replace = var.in }
output "out" { value = terraform_data.x.id }
