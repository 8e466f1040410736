resource "terraform_data" "over" {
  input = "a native"
}
