variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" {
  count = var.gen == 1 ? 1 : 0
  input = "a"
}
resource "terraform_data" "b" {
  count = var.gen == 1 ? 0 : 1
  input = "b"
}
resource "terraform_data" "c" { input = try(terraform_data.a[0].output, terraform_data.b[0].output) }
resource "terraform_data" "d" { input = one(terraform_data.b[*].output) }
