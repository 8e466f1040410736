variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" { triggers_replace = var.gen }
resource "terraform_data" "b" { triggers_replace = terraform_data.a.id }
resource "terraform_data" "c" {
  count            = 2
  triggers_replace = terraform_data.b.id
}
resource "terraform_data" "d" { input = terraform_data.c[*].id }
