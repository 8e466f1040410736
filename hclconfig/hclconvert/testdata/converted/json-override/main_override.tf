locals {
  a = 2
}

resource "terraform_data" "r" {
  input = null

  provisioner "local-exec" {
    command = self.id
  }
}
