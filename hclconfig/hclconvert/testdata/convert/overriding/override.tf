
variable "v" { default = "over $${x}" }
locals { b = "over ${var.v}" }
resource "terraform_data" "r" {
  input = null
  lifecycle { create_before_destroy = true }
  provisioner "local-exec" { command = "over1" }
  provisioner "local-exec" { command = "over2" }
}
