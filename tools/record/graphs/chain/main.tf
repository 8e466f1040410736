variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" { input = var.gen }
resource "terraform_data" "b" { input = terraform_data.a.output }
resource "terraform_data" "c" {
  triggers_replace = [terraform_data.b.output]
}
output "end" { value = terraform_data.c.id }
