variable "x" {}

variable "y" {
  default = "d"
}

output "o" {
  value = [var.x, var.y]
}
