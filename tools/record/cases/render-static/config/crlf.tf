resource "terraform_data" "crlf" {
  # filler
  input = [
    1,
    local.l.missing,
  ]
}
