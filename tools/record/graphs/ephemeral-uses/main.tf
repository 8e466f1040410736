variable "gen" {
  type    = number
  default = 1
}
variable "token" {
  default   = "t"
  ephemeral = true
}
resource "terraform_data" "a" { input = var.gen }
output "o" { value = terraform_data.a.output }
