resource "terraform_data" "over" {
  input            = "z native"
  triggers_replace = "z"
}
