terraform {
  required_version = ">= 1.5.0, < 9.0.0"
}
variable "enabled" {
  type        = bool
  default     = true
  description = <<-EOT
    Whether.
      "quoted" \n ${"x"}
  EOT
  validation {
    condition     = can(tobool(var.enabled))
    error_message = "Must be ${true ? "a" : "b"} bool."
  }
}
variable "nested" {
  type = object({
    list = list(object({
      name = string
      opts = optional(map(string), { "k$${e}" = "v" })
      n    = optional(number, -1.5)
    }))
    any = any
  })
  default = {
    list = [{ name = "a" }, { name = "b", opts = null }]
    any  = { x = [1, { y = "%%{ z" }] }
  }
}
locals {
  flat = flatten([for i, o in var.nested.list : [for k, v in o.opts : { i = i, k = k, v = v }] if o.opts != null])
  by   = { for o in local.flat : "${o.i}-${o.k}" => o }
  grp  = { for o in local.flat : o.k => o.v... }
  spl  = var.nested.list[*].name
  spl2 = var.nested.list.*.name
  nul  = null
  e1   = ""
  e2   = []
  e3   = {}
  deep = { a = { b = { c = [[], {}, [{}]] } } }
  esc  = "tab\there \"q\" back\\slash dollar$ percent% $${a} %%{b} $$$${c}"
  path = "${path.module}/${path.root}"
  tpl  = "%{ for k, v in local.by ~}\n${k}=${v.v}\n%{ endfor ~}\n"
  md5  = md5("x")
  rx   = regexall("[a-z]+\\.(\\d+)", "abc.12")
  yml  = yamlencode({ a = [1, "b"], "c d" = null })
  cond = length(local.flat) > 0 ? local.flat[0].k : "none"
  tern = true ? "a" : false ? "b" : "c"
  neg  = !var.enabled
  arith = 1 + 2 * 3 - 4 / 2 % 3
  cmp  = 1 < 2 && 2 <= 2 || !(3 != 3)
  idx  = { a = [10, 20] }["a"][1]
  idx2 = [[1, 2], [3, 4]][1][0]
  func = merge({ a = 1 }, { b = 2 }, [{ c = 3 }, { d = 4 }]...)
  uni  = "日本語 \u00e9 🎉 e\u0301"
  win  = "C:\\path\\${var.enabled}\\x"
  jsn  = "{\"a\": \"$${b}\", \"c\": ${jsonencode([1])}}"
  hd1 = [<<-A
    one ${var.enabled}
    A
    , <<-B
      two
    B
  ]
  hd2 = { k = <<-A
    in object
    A
    l = 1 }
  ind = <<-A
	tab
	  ${var.enabled}

	end ~
  A
  trm = <<-A
    a ${~ 1 ~} b
    %{~ if true ~}
    c
    %{~ endif ~}
    d
  A
}
resource "terraform_data" "a" {
  for_each = local.by
  input    = each.value
}
resource "terraform_data" "b" {
  count            = var.enabled ? 2 : 0
  input            = { i = count.index, a = [for x in terraform_data.a : x.output] }
  triggers_replace = count.index == 0 ? null : terraform_data.a["0-k$${e}"].id
  depends_on       = [terraform_data.a]
  lifecycle {
    ignore_changes = [input]
    postcondition {
      condition     = self.input.i >= 0
      error_message = "neg ${self.input.i}"
    }
  }
}
module "m" {
  source = "./mod"
  count  = 1
  x      = terraform_data.b[*].id
  y      = { (var.enabled ? "k" : "l") = "v" }
}
check "c" {
  assert {
    condition     = length(local.flat) > 0
    error_message = "r"
  }
}
output "all" {
  value = [local.flat, local.by, local.grp, local.spl, local.spl2, local.nul, local.e1, local.e2, local.e3, local.deep, local.esc, local.tpl, local.md5, local.rx, local.yml, local.cond, local.tern, local.neg, local.arith, local.cmp, local.idx, local.idx2, local.func, local.uni, local.win, local.jsn, local.hd1, local.hd2, local.ind, local.trm, var.nested]
}
output "m" {
  value     = module.m[*].o
  sensitive = "true"
}
