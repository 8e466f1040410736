variable "name" {}
variable "gen" {}
resource "terraform_data" "top" { input = "${var.name}-${var.gen}" }
module "l2" {
  source   = "./l2"
  for_each = toset(["r", "s"])
  name     = each.value
  up       = terraform_data.top.output
}
output "ids" { value = [for m in module.l2 : m.id] }
output "first" { value = module.l2["r"].id }
