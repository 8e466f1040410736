
variable "n" {
  type = number
  default = 7
  validation {
    condition = var.n > 0
    error_message = "n ${var.n} $${x}"
  }
}
resource "terraform_data" "a" {
  count = 2
  input = var.n + count.index
  lifecycle {
    postcondition {
      condition     = self.input < 100
      error_message = "too big"
    }
    precondition {
      condition     = var.n != 8 || count.index == 0
      error_message = "n is ${var.n} at ${count.index}"
    }
  }
}
check "health" {
  assert {
    condition     = terraform_data.a[0].input == 8
    error_message = <<-EOT
      Input is ${terraform_data.a[0].input},
        not $${8}.
    EOT
  }
  assert {
    condition = alltrue([for x in terraform_data.a : x.input > 0])
    error_message = join(" ", ["a", "b"])
  }
}
output "o" {
  value = terraform_data.a[*].input
  precondition {
    condition     = length(terraform_data.a) == 2
    error_message = "len"
  }
  precondition {
    condition     = var.n == 7
    error_message = "seven"
  }
}
