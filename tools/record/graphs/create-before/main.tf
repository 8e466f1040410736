variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" {
  triggers_replace = var.gen
  lifecycle { create_before_destroy = true }
}
resource "terraform_data" "b" {
  input = terraform_data.a.id
}
resource "terraform_data" "c" {
  triggers_replace = terraform_data.a.id
}
resource "terraform_data" "d" {
  triggers_replace = [terraform_data.c.id]
  lifecycle { create_before_destroy = true }
}
