output "o" {
  value = "a"
  description = "a"
}
