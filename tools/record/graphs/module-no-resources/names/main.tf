variable "prefix" {}
output "name" { value = "${var.prefix}-x" }
output "other" { value = "other" }
