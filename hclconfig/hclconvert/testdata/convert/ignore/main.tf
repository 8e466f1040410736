
resource "terraform_data" "a" {
  input = { k = { "a b" = [1, 2] }, l = 3 }
  lifecycle {
    ignore_changes = [input.k["a b"][0], input.l, input["x.y"], triggers_replace]
  }
}
resource "terraform_data" "b" {
  lifecycle {
    ignore_changes       = []
    replace_triggered_by = []
  }
  depends_on = []
}
resource "terraform_data" "d" {
  count = 3
  depends_on = [
    terraform_data.a, # c
    terraform_data.b,
  ]
  lifecycle {
    replace_triggered_by = [
      terraform_data.a.output.k["a b"],
      terraform_data.e[count.index],
      terraform_data.e[count.index].id,
      terraform_data.f["x"],
    ]
  }
}
resource "terraform_data" "e" { count = 3 }
resource "terraform_data" "f" { for_each = toset(["x"]) }
