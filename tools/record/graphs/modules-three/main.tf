variable "gen" {
  type    = number
  default = 1
}
module "l1" {
  source   = "./l1"
  for_each = toset(["p", "q"])
  name     = each.key
  gen      = var.gen
}
output "deep" { value = { for k, m in module.l1 : k => m.ids } }
resource "terraform_data" "after" { input = module.l1["p"].ids }
resource "terraform_data" "one" { input = module.l1["q"].first }
