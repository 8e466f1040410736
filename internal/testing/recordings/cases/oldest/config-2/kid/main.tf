variable "n" {
  type = number
}
resource "random_id" "r" {
  count       = var.n
  byte_length = 4
}
output "hex" {
  value = random_id.r[*].hex
}
