
variable "n" { default = 3 }
variable "m" {
  type = map(object({ a = optional(number), b = optional(list(string), ["x"]) }))
  default = { k = {}, "k 2" = { a = 1, b = [] } }
}
variable "any" { default = null }
variable "l" { default = [[1, 2], [3]] }
variable "s" { default = "ab" }
locals {
  arith = 1 + 2 * 3 - 4 / 5 % 6
  neg = -var.n
  negneg = - -1
  not = !(var.n > 1)
  logic = var.n > 1 && var.n < 5 || false
  cmp = [1 == 1, 1 != 2, 1 < 2, 1 <= 2, 1 > 2, 1 >= 2, "a" == "a", [] == [], null == null]
  par = (1 + 2) * 3
  cond = var.n > 2 ? { a = 1 } : null
  cond2 = true ? [1] : ["x"]
  cond3 = var.any == null ? "none" : var.any
  for_list = [for x in var.l : x]
  for_idx = [for i, x in var.l : "${i}:${length(x)}" if i >= 0]
  for_obj = { for k, v in var.m : k => v.b }
  for_group = { for x in ["a", "b", "ab"] : length(x) => x... }
  for_nested = [for x in var.l : [for y in x : y * 2 if y != 2]]
  for_keyexpr = { for k, v in var.m : "${k}-x" => { (k) = v } }
  splat1 = var.l[*]
  splat2 = var.m["k"].*.a
  splat3 = [{ a = { b = 1 } }, { a = { b = 2 } }][*].a.b
  splat4 = [{ a = [1] }, { a = [2] }].*.a
  splat5 = [{ a = [1] }, { a = [2] }][*].a[0]
  splat_null = null[*]
  splat_scalar = "x"[*]
  idx = [var.l[0][1], var.m["k"].b[0], var.l.0, var.m.k.a]
  idx_expr = var.l[length(var.l) - 1]
  idx_call = element(var.l, 1)[0]
  idx_tpl = var.m["${"k"}"]
  attr_call = merge({ a = 1 }, { b = 2 }).b
  expand = concat(var.l...)
  expand2 = max([1, 5, 3]...)
  typefn = [tonumber("1"), tostring(1), tobool("true"), tolist([1]), toset(["b", "a"]), tomap({ a = 1 })]
  fns = [length(var.m), lookup({ a = 1 }, "b", 2), try(var.any.x, "t"), can(var.any.x), coalesce(var.any, "c"), format("%s %%d ${var.n}", var.s), jsonencode({ a = [1, null, "x"] }), regex("[a-z]+", "ab1"), replace("a.b", "/\\./", "-"), templatefile("${path.module}/t.tpl", { x = var.n })]
  path = [path.module, path.root, terraform.workspace]
  obj_keys = { a = 1, "b" = 2, "c d" = 3, (var.s) = 4, "${var.s}x" = 5, 6 = 7, true = 8, null = 9, 1.5 = 10, for = 11, if = 12, "//" = "not a comment", "$${x}" = 13, "%%{y}" = 14, "" = 15 }
  obj_colon = { a : 1, b : 2, "c" : 3 }
  obj_dup = { a = 1, a = 2 }
  obj_dup2 = { (var.s) = 1, ab = 2 }
  obj_multi = {
    a = 1 # comment a
    b = 2, // comment b
    /* block */ c = 3
  }
  obj_nested = { a = { b = { c = [{ d = null }] } } }
  empty_obj = {}
  empty_list = []
  empty_str = ""
  nulls = [null, null]
  multi = (
    1
    + 2
  )
  multi_cond = (
    var.n > 1
    ? "a" # first
    : "b"
  )
  call_multi = merge(
    { a = 1 }, # one
    // two
    { b = 2 },
  )
  nums = [0, -0, 1.0, 1.10, 1e3, 1E+2, 1e-7, 123456789012345678901234567890, 0.1, 3.141592653589793238462643383279502884197, 9007199254740993, -9223372036854775809, 1e100]
  strnum = ["${1.0}", "${1e3}x", 1.50, "1.50", tostring(1e20), "${9007199254740993}"]
  bools = [true, false, !true, "true", "${true}"]
  uni = ["é", "e\u0301", "日本", "😀", "\U0001F600", "\u2028", "\u007f", "\u0000" == "" , "<>&"]
  legacy = "${var.n}"
  tpl_for = "%{ for i, x in var.l }${i}=${join(",", x)};%{ endfor }"
  tpl_if = "%{ if var.n > 2 }yes%{ endif }"
  tpl_nested = "%{ for x in ["a", "b"] }%{ if x == "a" }[${x}]%{ else }(${x})%{ endif }%{ endfor }"
  tpl_trim = "x   %{~ if true ~}   y   %{~ endif ~}   z"
  func_ns = core::upper("x")
  quoted_in = "say \"${upper("hi \"there\"")}\""
  bs_in = "C:\\${var.s}\\x"
  nl_in = "a\n${var.s}\nb\n"
  nl_only = "a\nb\nc\n"
  crlf_str = "a\r\nb"
  brace = "}{ ${"}"} {"
  hash = "# not // a /* comment */"
  comment_in = [ # c1
    1, # c2
    /* c3 */ 2,
  ] # c4
}
locals {
  unknown = terraform_data.u.id
}
resource "terraform_data" "u" { input = local.obj_nested }
output "all" { value = { for k, v in { a = local.arith, b = local.neg, c = local.negneg, d = local.not, e = local.logic, f = local.cmp, g = local.par, h = local.cond, i = local.cond2, j = local.cond3, k = local.for_list, l = local.for_idx, m = local.for_obj, n = local.for_group, o = local.for_nested, p = local.for_keyexpr } : k => jsonencode(v) } }
output "b" { value = [local.splat1, local.splat2, local.splat3, local.splat4, local.splat5, local.splat_null, local.splat_scalar, local.idx, local.idx_expr, local.idx_call, local.idx_tpl, local.attr_call, local.expand, local.expand2, local.typefn, local.fns, local.path] }
output "c" { value = [local.obj_keys, local.obj_colon, local.obj_dup, local.obj_dup2, local.obj_multi, local.obj_nested, local.empty_obj, local.empty_list, local.empty_str, local.nulls, local.multi, local.multi_cond, local.call_multi] }
output "d" { value = [local.nums, local.strnum, local.bools, local.uni, local.legacy, local.tpl_for, local.tpl_if, local.tpl_nested, local.tpl_trim, local.func_ns, local.quoted_in, local.bs_in, local.nl_in, local.nl_only, local.crlf_str, local.brace, local.hash, local.comment_in] }
output "u" { value = [local.unknown, "x${local.unknown}", { a = local.unknown }, [for x in [1] : local.unknown], local.unknown == "x" ? 1 : 2] }
output "v" { value = [var.m, var.any, var.l, var.s] }
