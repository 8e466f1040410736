output "o" { value = var.in_override }
