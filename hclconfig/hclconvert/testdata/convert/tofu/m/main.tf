variable "x" {}
resource "terraform_data" "i" {
  input = "i-${var.x}"
}
