variable "label" {
  type    = string
  default = "box 1.2.3"
}
resource "terraform_data" "box" {
  input = var.label
}
output "label" {
  value = terraform_data.box.output
}
