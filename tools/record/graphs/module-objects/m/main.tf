variable "settings" {}
variable "whole" {}
resource "terraform_data" "x" { input = var.settings.x }
resource "terraform_data" "y" { input = var.settings.y }
resource "terraform_data" "w" { input = var.whole.id }
output "x" { value = terraform_data.x.output }
output "y" { value = terraform_data.y.output }
