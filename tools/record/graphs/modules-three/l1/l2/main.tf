variable "name" {}
variable "up" {}
module "l3" {
  source = "./l3"
  count  = 2
  up     = "${var.up}/${var.name}/${count.index}"
}
output "id" { value = module.l3[1].id }
