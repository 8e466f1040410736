output "o" {
  value = "n-${local.a}"
}
