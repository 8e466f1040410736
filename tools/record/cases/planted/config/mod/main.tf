variable "x" {
  type = string
  sensitive = true
}
variable "y" { type = string }
resource "terraform_data" "d" {
  input = { x = var.x, y = var.y }
}
output "o" {
  value     = var.x
  sensitive = true
}
