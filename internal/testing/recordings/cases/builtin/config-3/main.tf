resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "echo about to fail; exit 3"
  }
}
