variable "gen" {
  type    = number
  default = 1
}
module "names" {
  source   = "./names"
  for_each = toset(["a", "b"])
  prefix   = "${each.key}-${terraform_data.a.output}"
}
resource "terraform_data" "a" { input = var.gen }
resource "terraform_data" "b" { input = module.names["a"].name }
resource "terraform_data" "c" {
  for_each = toset(["a", "b"])
  input    = module.names[each.key].name
}
