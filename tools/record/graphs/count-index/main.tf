variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" {
  count = 3
  input = var.gen + count.index
}
resource "terraform_data" "b" {
  count = 3
  input = terraform_data.a[count.index].output
}
resource "terraform_data" "c" {
  count            = var.gen == 1 ? 3 : 2
  triggers_replace = terraform_data.a[(count.index + 1) % 3].output
}
output "last" { value = terraform_data.b[2].id }
