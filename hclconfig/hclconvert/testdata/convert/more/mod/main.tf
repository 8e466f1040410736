variable "x" { type = list(string) }
variable "y" { type = map(string) }
output "o" { value = { x = var.x, y = var.y } }
