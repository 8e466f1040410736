
variable "count_" { default = 1 }
resource "terraform_data" "a" {
  _ {
    input = "escaped ${var.count_}"
  }
  triggers_replace = { count = 1, lifecycle = 2, dynamic = 3, provider = 4 }
}
module "m" {
  source = "./m"
  _ { x = 1 }
}
