variable "in" {}
resource "terraform_data" "a" { input = var.in }
