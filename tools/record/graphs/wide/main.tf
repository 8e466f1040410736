variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" {
  count = 12
  input = var.gen
}
resource "terraform_data" "b" {
  count            = 12
  triggers_replace = terraform_data.a[*].output
}
resource "terraform_data" "c" { input = join(",", terraform_data.b[*].id) }
