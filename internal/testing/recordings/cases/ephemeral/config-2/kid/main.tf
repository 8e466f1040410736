variable "t" {
  type      = string
  ephemeral = true
}
output "t" {
  value     = var.t
  ephemeral = true
}
