variable "gen" {
  type    = number
  default = 1
}
variable "pw" {
  default   = "secret"
  sensitive = true
}
resource "terraform_data" "a" { input = { user = "u", pass = "${var.pw}${var.gen}" } }
resource "terraform_data" "b" { input = terraform_data.a.output.user }
resource "terraform_data" "c" { triggers_replace = terraform_data.a.output.pass }
output "pass" {
  value     = terraform_data.a.output
  sensitive = true
}
