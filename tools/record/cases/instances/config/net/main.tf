variable "cidr" { type = string }
variable "label" { type = string }
resource "terraform_data" "vpc" { input = { cidr = var.cidr, label = var.label } }
resource "terraform_data" "sub" {
  count = 2
  input = terraform_data.vpc.output.cidr
}
output "id" { value = terraform_data.sub[1].id }
