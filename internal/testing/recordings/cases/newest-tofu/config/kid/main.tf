terraform {
  required_providers {
    lab = { source = "example/lab" }
  }
}
variable "old" {
  type       = string
  default    = null
  deprecated = "Use new."
}
output "old" {
  value      = var.old
  deprecated = "Nobody needs it."
}
