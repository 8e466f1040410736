variable "up" {}
resource "terraform_data" "leaf" {
  input            = var.up
  triggers_replace = var.up
}
output "id" { value = terraform_data.leaf.id }
