variable "gen" {
  type    = number
  default = 1
}
variable "odd" { default = ["a b", "q\"uote", "dot.dot", "br[0]", "$${x}", "ü"] }
resource "terraform_data" "a" {
  for_each = toset(var.odd)
  input    = "${each.key}${var.gen}"
}
resource "terraform_data" "b" { input = [terraform_data.a["q\"uote"].output, terraform_data.a["br[0]"].id] }
module "m" {
  source   = "./m"
  for_each = toset(var.odd)
  in       = terraform_data.a[each.key].id
}
resource "terraform_data" "c" { input = module.m["a b"].out }
