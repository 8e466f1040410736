variable "gen" {
  type    = number
  default = 1
}
resource "random_pet" "name" {
  length  = 2
  keepers = { gen = var.gen }
}
resource "random_password" "pw" {
  length  = 12
  keepers = { name = random_pet.name.id }
}
resource "local_file" "out" {
  filename = "${path.module}/out.txt"
  content  = "${random_pet.name.id} ${var.gen}"
}
resource "local_sensitive_file" "secret" {
  filename = "${path.module}/secret.txt"
  content  = random_password.pw.result
}
resource "null_resource" "done" {
  triggers = { a = local_file.out.id, b = local_sensitive_file.secret.id }
}
output "pw" {
  value     = random_password.pw.result
  sensitive = true
}
