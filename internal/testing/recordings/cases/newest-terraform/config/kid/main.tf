variable "old" {
  type       = string
  default    = null
  deprecated = "Use new."
}
output "old" {
  value      = var.old
  deprecated = "Nobody needs it."
}
