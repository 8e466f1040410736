
variable "v" {
  type    = string
  default = "base"
}
locals {
  a = 1
  b = "base"
}
resource "terraform_data" "r" {
  input = "base"
  lifecycle { ignore_changes = [input] }
  provisioner "local-exec" { command = "base" }
}
module "m" {
  source = "./m"
  x      = "base"
}
output "o" {
  value       = local.a
  description = "base"
}
