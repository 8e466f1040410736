variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" {
  count = var.gen == 1 ? 3 : 1
  input = count.index
}
resource "terraform_data" "b" {
  for_each = var.gen == 1 ? toset(["k", "l"]) : toset(["l"])
  input    = { all = terraform_data.a[*].output, k = each.key }
}
resource "terraform_data" "c" { input = [for b in terraform_data.b : b.id] }
