variable "names" {
  type    = set(string)
  default = ["a", "b"]
}
variable "size" { default = 3 }
locals {
  pick = terraform_data.one.output
}
resource "terraform_data" "one" {
  input = var.size
}
resource "terraform_data" "many" {
  count = 3
  input = "${terraform_data.one.id}-${count.index}"
}
resource "terraform_data" "byindex" {
  count = 3
  input = terraform_data.many[count.index].id
}
resource "terraform_data" "first" { input = terraform_data.many[0].output }
resource "terraform_data" "splat" { input = terraform_data.many[*].id }
resource "terraform_data" "each" {
  for_each = var.names
  input    = { k = each.key, v = module.net[each.key].id, x = local.pick }
}
resource "terraform_data" "key" { input = terraform_data.each["a"].output.v }
module "net" {
  source   = "./net"
  for_each = var.names
  cidr     = terraform_data.first.id
  label    = each.value
}
module "flat" {
  source = "./net"
  cidr   = "10.0.0.0/8"
  label  = module.net["b"].id
}
resource "terraform_data" "dep" {
  depends_on = [module.flat]
  triggers_replace = [var.size]
}
output "all" { value = { for k, m in module.net : k => m.id } }
output "flat" { value = module.flat.id }
