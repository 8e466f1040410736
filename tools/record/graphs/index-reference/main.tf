variable "gen" {
  type    = number
  default = 1
}
variable "pick" { default = 1 }
resource "terraform_data" "a" {
  count = 3
  input = count.index + var.gen
}
resource "terraform_data" "n" { input = 2 }
resource "terraform_data" "by_var" { input = terraform_data.a[var.pick].output }
resource "terraform_data" "by_other" { input = terraform_data.a[terraform_data.n.output].output }
resource "terraform_data" "by_const" { input = terraform_data.a[1 + 1].output }
