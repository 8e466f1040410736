variable "v" {
  type = string
  default = "base"
  description = "base"
  sensitive = true
}
variable "w" {
  type = object({ a = optional(string, "base") })
  default = {}
}
locals {
  x = 1
  y = var.v
}
output "o" {
  value = local.x
  description = "d"
  sensitive = true
}
output "p" { 
  value = 1 
}
resource "terraform_data" "r" {
  count = 2
  input = var.v
  triggers_replace = [1]
  depends_on = [terraform_data.s]
  provisioner "local-exec" { command = "base1" }
  provisioner "local-exec" { command = "base2" }
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "s" { input = 1 }
module "m" {
  source = "./nowhere"
  n = 1
  k = local.y
  depends_on = [terraform_data.s]
}
data "terraform_remote_state" "d" {
  backend = "local"
  count = 1
  config = { path = "a" }
}
