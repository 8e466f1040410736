# Every form of expression, with the traps of each.

variable "s" {
  type    = string
  default = "va$${l}ue"
}

variable "list" {
  type    = list(string)
  default = ["a", "b$${c}", "%%{d}"]
}

variable "map" {
  # a comment inside of a literal
  default = {
    "k$${" = 1.50
    (1 == 1 ? "computed" : "never") = [for i in [1, 2] : i * 2]
    for    = "for" // trailing
    null   = null
    "//"   = true
  }
}

variable "secret" {
  type      = string
  default   = "hidden"
  sensitive = !false
}

variable "typed" {
  type = object({ # kept in the type
    a = optional(string, "d$${x}")
    b = optional(list(number), [1, 2.0])
  })
  default = {}
}

locals {
  number      = 12345678901234567890123456789.000000000000000000001
  small       = 1e-400
  negative    = -5
  minus       = -(-5)
  zero        = 0.10
  escaped     = "x${var.s}\u0024{no}\n\"q\" $${esc} %%{esc} \\ \t \U0001F600"
  dollar      = "\u0024${var.s}"
  percent     = "100%${var.s}%"
  dollars     = "$ $$ $${ $$${ % %% %%{"
  bom         = "\ufeffx"
  bom_t       = "\ufeff${var.s}"
  cr          = "a\rb"
  cr_t        = "a\r${var.s}\r\n"
  control     = "\u0000\u0001\u007f\u2028"
  spaces      = "  ${~ var.s ~}  "
  only        = "${var.list}"
  only_string = "${"quoted"}"
  cond        = "%{if var.s != ""}yes%{else}no%{endif}"
  loop        = "%{for i, v in var.list~}  ${i}=${v}, %{endfor}"
  heredoc     = <<EOT
heredoc ${var.s} $${x} %%{y}
  \n stays "as it is"
EOT
  flush       = <<-EOT
      flush ${var.s}
        more
    ${var.s} less

      %{if true~}
      yes
      %{endif~}
    end
  EOT
  trimmed     = <<EOT
    a

    ${~var.s~}

    b
EOT
  single      = <<-E
    one line
  E
  empty       = <<E
E
  script = <<-EOT
    #!/bin/sh
    echo "$${HOME}" | sed 's/\/x/' # not a comment
    cat <<EOF
    EOF
  EOT
  call    = max([1, 2]...)
  nested  = upper(format("%s-%s", var.s, "${"in"}ner"))
  heredoc_call = concat(["a"], [<<E
in a call ${var.s}
E
  ])
  heredoc_cond = var.s == "" ? "x" : <<E
last
E
  paren   = (1 + 2) * 3
  multi = (
    var.s == "x" # a comment in parentheses
    ? "a"
    : "b"
  )
  list = [ # first
    1, /* second */ "two", # third
    [true, null], { x = var.s },
    -1,
  ]
  object = {
    a = 1, "b" = 2
    c : 3
    1.50       = "number key"
    true       = "bool key"
    "d$${e}"   = "escaped key"
    "with \"q" = "quoted"
    "//"       = "no comment"
  }
  computed   = { (var.s) = 1, "x${var.s}" = 2 }
  secret     = { (var.secret) = "sensitive key" }
  duplicate  = { a = 1, a = 2 }
  bom_key    = { "\ufeffk" = 1 }
  for_list   = [for v in var.list : upper(v) if v != "a"]
  for_object = { for i, v in var.list : v => i... }
  splat      = [{ a = 1 }, { a = 2 }][*].a
  legacy     = [{ a = [1] }, { a = [2] }].*.a
  index      = var.list.0
  index2     = var.list[0]
  index3     = var.list[length(var.list) - 1]
  attr       = local.object["d$${e}"]
  logic      = !(true && false) || 1 >= 2 && 3 % 2 != 0
  try        = try(var.map.nothing, "default")
  unicode    = "é e\u0301 日本"
  slashes    = "http://example.com/#fragment"
  fn_slashes = upper("http://example.com/#fragment")
}

resource "terraform_data" "a" {
  input            = local.flush
  triggers_replace = [{ a = 1 }, { b = [] }]
}

resource "terraform_data" "unknown" {
  input = { id = terraform_data.a.id, s = "x${terraform_data.a.output}y", n = null }
}

output "locals" {
  value = {
    number = local.number, negative = local.negative, minus = local.minus, zero = local.zero, escaped = local.escaped
    dollar = local.dollar, percent = local.percent, dollars = local.dollars, bom = local.bom, bom_t = local.bom_t
    cr = local.cr, cr_t = local.cr_t, control = local.control, spaces = local.spaces, only = local.only
    only_string = local.only_string, cond = local.cond, loop = local.loop, heredoc = local.heredoc, flush = local.flush
    trimmed = local.trimmed, single = local.single, empty = local.empty, script = local.script, call = local.call
    nested = local.nested, heredoc_call = local.heredoc_call, heredoc_cond = local.heredoc_cond, paren = local.paren
    multi = local.multi, list = local.list, object = local.object, computed = local.computed, duplicate = local.duplicate
    bom_key = local.bom_key, for_list = local.for_list, for_object = local.for_object, splat = local.splat
    legacy = local.legacy, index = local.index, index2 = local.index2, index3 = local.index3, attr = local.attr
    logic = local.logic, try = local.try, unicode = local.unicode, slashes = local.slashes, fn_slashes = local.fn_slashes
    small = local.small
  }
}

output "defaults" {
  value = [var.s, var.list, var.map, var.typed]
}

output "secret" {
  value     = local.secret
  sensitive = true
}

output "negative" {
  value = -1.5
}
