variable "x" {
  type = list(string)
}
output "y" {
  value     = join(",", var.x)
  sensitive = true
}
