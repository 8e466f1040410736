
variable "x" { default = "d" }
resource "terraform_data" "r" { 
  input = var.x 
  lifecycle {
    precondition {
      condition = var.x != "bad"
      error_message = "bad"
    }
  }
}
output "o" { value = terraform_data.r.output }
check "c" {
  assert {
    condition     = var.x != "warn"
    error_message = "warned"
  }
}
