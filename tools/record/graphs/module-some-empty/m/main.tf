variable "n" {}
variable "id" {}
resource "terraform_data" "x" {
  count            = var.n
  triggers_replace = var.id
}
output "ids" { value = terraform_data.x[*].id }
