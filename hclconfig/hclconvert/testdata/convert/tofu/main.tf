# OpenTofu does not read this: main.tofu is in its place.
output "wrong" {
  value = "${nothing}"
}
