variable "x" {
  default = "d"
}

resource "terraform_data" "r" {
  input = var.x
}

output "o" {
  value = terraform_data.r.output
}
