variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "name" { input = "${path.module}/main.tf" }
data "local_file" "now" { filename = "${path.module}/main.tf" }
data "local_file" "each" {
  for_each = toset(["main.tf"])
  filename = "${path.module}/${each.key}"
}
data "local_file" "later" { filename = terraform_data.name.output }
resource "terraform_data" "a" { input = "${length(data.local_file.now.content)}-${var.gen}" }
resource "terraform_data" "b" { input = length(data.local_file.each["main.tf"].content) }
resource "terraform_data" "c" { input = length(data.local_file.later.content) }
resource "terraform_data" "d" { input = [for f in data.local_file.each : length(f.content)] }
