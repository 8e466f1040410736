locals {
  a = 1
}

resource "terraform_data" "r" {
  input = "b"

  provisioner "local-exec" {
    command = "x"
  }

  provisioner "local-exec" {
    command = "y"
  }
}

output "o" {
  value = local.a
}
