variable "y" {}
output "z" { value = var.y }
