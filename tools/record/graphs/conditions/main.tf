variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "a" { input = var.gen }
resource "terraform_data" "b" {
  input = "b"
  lifecycle {
    precondition {
      condition     = terraform_data.a.output > 0
      error_message = "a must be positive"
    }
  }
}
check "c" {
  assert {
    condition     = terraform_data.b.output == "b"
    error_message = "b"
  }
}
