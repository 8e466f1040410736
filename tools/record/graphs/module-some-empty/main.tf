variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" { input = var.gen }
module "m" {
  source   = "./m"
  for_each = { on = 1, off = 0 }
  n        = each.value
  id       = terraform_data.a.id
}
resource "terraform_data" "b" {
  for_each = toset(["on", "off"])
  input    = module.m[each.key].ids
}
output "on" { value = module.m["on"].ids }
