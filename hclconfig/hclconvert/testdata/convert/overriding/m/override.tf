output "y" { value = "o-${var.x}" }
