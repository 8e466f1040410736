variable "gen" {
  type    = number
  default = 1
}
variable "net" { default = { subnets = [{ cidr = "a" }, { cidr = "b" }] } }
resource "terraform_data" "net" { input = merge(var.net, { gen = var.gen }) }
resource "terraform_data" "s" {
  count = length(var.net.subnets)
  input = terraform_data.net.output.subnets[count.index].cidr
}
resource "terraform_data" "second" { input = terraform_data.net.output.subnets[1].cidr }
resource "terraform_data" "cond" { input = var.gen == 1 ? terraform_data.s[0].id : terraform_data.s[1].id }
