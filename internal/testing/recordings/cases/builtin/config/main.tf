resource "terraform_data" "a" {
  input            = { n = 1, big = 123456789012345678901234567890, f = 0.1, s = "\u2028<&>\t\u0001", e = [], o = {}, nul = null }
  triggers_replace = ["x"]
}
resource "terraform_data" "b" {
  count = 2
  input = terraform_data.a.output
  provisioner "local-exec" {
    command = "printf 'one\\ntwo \\033[31mred\\033[0m\\n'; echo err >&2; sleep 1"
  }
}
data "terraform_remote_state" "other" {
  backend = "local"
  config  = { path = "other.tfstate" }
  defaults = { x = 1 }
}
output "r" {
  value = data.terraform_remote_state.other.outputs
}
output "in" {
  value = terraform_data.b[*].output
}
