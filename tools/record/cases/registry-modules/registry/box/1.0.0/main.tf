variable "label" {
  type    = string
  default = "box 1.0.0"
}
resource "terraform_data" "box" {
  input = var.label
}
output "label" {
  value = terraform_data.box.output
}
