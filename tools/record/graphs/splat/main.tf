variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" {
  count = 4 - var.gen
  input = count.index
}
resource "terraform_data" "all" { input = terraform_data.a[*].output }
resource "terraform_data" "first" { input = one(slice(terraform_data.a[*].id, 0, 1)) }
resource "terraform_data" "fors" { input = [for a in terraform_data.a : a.output if a.output > 0] }
resource "terraform_data" "both" { input = concat([terraform_data.a[0].id], terraform_data.a[*].id, [var.gen]) }
