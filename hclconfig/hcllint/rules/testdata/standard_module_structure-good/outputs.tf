output "y" { value = var.x }
