locals { a = 1 }
output "a" { value = [local.a, local.b, local.c] }
