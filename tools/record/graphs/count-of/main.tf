variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" {
  for_each = toset(["x", "y"])
  input    = each.key
}
resource "terraform_data" "b" {
  count = length(terraform_data.a)
  input = var.gen
}
resource "terraform_data" "c" {
  for_each = { for k, v in terraform_data.a : k => k }
  input    = "${each.value}-${var.gen}"
}
module "m" {
  source = "./m"
  count  = length(terraform_data.b)
}
