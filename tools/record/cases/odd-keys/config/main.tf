locals {
  keys = toset(["", "a.b[0]", "q\"z", "$${x}", "%%{if}", "$$$${", "\u00a0", "\U000e0001", "line\nbreak", "é", "e\u0301", "\u007f", "\u0001", "tab\t", "$", "$$", "\u200b", "\ufeff", "a\\u0041", "\ufffd", "%%", "%{ if true }x%{ endif }"])
  m = { "a$${x}" = { "b\u0001" = [1,2,3], "é\"" = {x=1} }, n = range(12) }
}
resource "terraform_data" "r" {
  for_each = local.keys
  input = each.key
}
resource "terraform_data" "c" { count = 2 }
output "refs" {
  value = [local.m["a$${x}"]["b\u0001"][1], local.m["a$${x}"]["é\""].x, local.m.n[10], terraform_data.r["$${x}"].output, terraform_data.r["line\nbreak"].output["a$${x}"], terraform_data.c[1].output, terraform_data.c.0.id, try(local.m.n[12345678901],0), try(local.m.n[1.5],0), try(local.m.n[1e30],0), path.module, terraform.workspace, try(local.m["\u00a0"],0), try(local.m["\U000e0001"],0), try(local.m["\u007f"],0), try(local.m["💩"],0)]
}
