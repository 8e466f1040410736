variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" { input = var.gen }
resource "terraform_data" "b" {
  input = "b"
  lifecycle { replace_triggered_by = [terraform_data.a] }
}
resource "terraform_data" "c" { input = terraform_data.b.id }
