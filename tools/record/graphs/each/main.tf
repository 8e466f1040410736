variable "gen" {
  type    = number
  default = 1
}
variable "sets" { default = { x = { size = 1 }, "y.z" = { size = 2 } } }
resource "terraform_data" "a" {
  for_each = var.sets
  input    = each.value.size + var.gen
}
resource "terraform_data" "b" {
  for_each = terraform_data.a
  input    = each.value.output
}
resource "terraform_data" "c" { input = terraform_data.a["y.z"].output }
resource "terraform_data" "d" {
  for_each         = var.sets
  triggers_replace = [terraform_data.a[each.key].id, each.value.size * var.gen]
}
output "all" { value = { for k, v in terraform_data.d : k => v.id } }
