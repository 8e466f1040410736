variable "v" {
  type = number
  default = 5
}
variable "w" {
  type = object({ a = optional(string, "over") })
}
locals { x = [var.v, 2] }
output "o" { 
  value = local.y 
  description = ""
}
resource "terraform_data" "r" {
  for_each = toset(["a"])
  input = "over ${var.v}"
  provisioner "local-exec" { command = "over" }
  lifecycle { 
    ignore_changes = [input]
  }
}
module "m" {
  source = "./sub"
  n = 3
  providers = {}
}
