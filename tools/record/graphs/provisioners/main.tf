variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" { input = var.gen }
resource "terraform_data" "b" {
  triggers_replace = var.gen
  provisioner "local-exec" {
    command = "echo ${self.id} ${terraform_data.a.output}"
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.id}"
  }
}
