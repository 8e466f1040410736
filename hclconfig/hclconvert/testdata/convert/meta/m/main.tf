
variable "a" { default = "d" }
variable "b" {}
variable "c" {
  type    = map(string)
  default = {}
}
resource "terraform_data" "inner" { input = [var.a, var.b, var.c] }
output "out" { value = terraform_data.inner.input }
