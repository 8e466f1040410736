output "x" {
  value = "sub of crate 3.1.0"
}
