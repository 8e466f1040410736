
variable "n" { default = 3 }
variable "list" { default = ["a", "b", "c"] }
variable "empty" { default = "" }
locals {
  plain = <<EOT
line \n not escaped "quoted" $${x} %%{y} $ % $$ %% #{no} // no
	tab
EOT
  flush = <<-EOT
      six
    four ${var.n}
	    tab first
      %{ for x in var.list ~}
        item ${x}
      %{ endfor ~}
    end
  EOT
  flush2 = <<-EOT
    a

      b
   
    c
    EOT
  flush_interp = <<-EOT
    ${var.n} first
      ${var.n} second
  EOT
  flush_start = <<-EOT
${var.n} at zero
    four
  EOT
  flush_dir = <<-EOT
    %{ if var.n > 2 }
    big
    %{ else }
    small
    %{ endif }
  EOT
  flush_trim = <<-EOT
    %{~ if var.n > 2 ~}
      big
    %{~ else ~}
      small
    %{~ endif ~}
    tail
  EOT
  flush_trim2 = <<-EOT
      a
      ${~ var.n ~}
    b
      %{ for x in var.list }${x}%{ endfor }
    c
  EOT
  empty_doc = <<EOT
EOT
  empty_flush = <<-EOT
  EOT
  only_interp = <<EOT
${var.n}
EOT
  only_interp_flush = <<-EOT
    ${var.n}
    EOT
  nested = <<OUTER
before ${join(",", [for x in var.list : <<INNER
inner ${x}
INNER
])} after
OUTER
  in_call = upper(<<EOT
shout ${var.n}
EOT
  )
  in_list = [<<A
one
A
  , <<B
two
B
  ]
  in_obj = {
    a = <<A
one
A
    b = <<-B
      two
        three
    B
    "k${var.n}" = <<C
four
C
  }
  cond = (var.n > 2 ? <<A
yes
A
 : <<B
no
B
  )
  bs = <<EOT
\\ \" \t \u0041 C:\dir\${var.n}
EOT
  dollar = <<EOT
$$${var.n} $$$${var.n} $${var.n} %%{ if true }x%%{ endif } %%{ if } $$ $ ${"$"}{x}
EOT
  trailing_dollar = "a$"
  trailing_dd = "a$$"
  pct = "100%"
  mixed = "$${a}${var.n}%%{b}%{ if var.n == 3 }three%{ else }other%{ endif }"
  escapes = "tab\tnl\nquote\"bs\\ u\u00e9 U\U0001F600 cr\r nul-less"
  uni_dollar = "\u0024{x} \u0025{y} \u0024${var.n}"
  ws_wrap = "${ var.n }"
  ws_wrap2 = " ${ var.n }"
  trim_wrap = "  ${~ var.n ~}  "
  trim_sole = "${~ var.n ~}"
  two = "${var.n}${var.empty}"
  null_lit = "${null}"
  nested_q = "a${"b${"c${var.n}"}"}"
  indent = indent(2, <<-EOT
    a
      b
    EOT
  )
}
output "all" { value = local.plain }
output "rest" { value = [local.flush, local.flush2, local.flush_interp, local.flush_start, local.flush_dir, local.flush_trim, local.flush_trim2, local.empty_doc, local.empty_flush, local.only_interp, local.only_interp_flush, local.nested, local.in_call, local.in_list, local.in_obj, local.cond, local.bs, local.dollar] }
output "rest2" { value = [local.trailing_dollar, local.trailing_dd, local.pct, local.mixed, local.escapes, local.uni_dollar, local.ws_wrap, local.ws_wrap2, local.trim_wrap, local.trim_sole, local.two, local.null_lit, local.nested_q, local.indent] }
resource "terraform_data" "h" {
  input = <<-EOT
    #!/bin/sh
    set -e
    for f in $(ls); do echo "$f" "$${f}" %{ if true }x%{ endif }; done
    cat <<EOF
      ${var.n}
    EOF
  EOT
  triggers_replace = {
    x = <<T
${terraform_data.o.id}
T
  }
}
resource "terraform_data" "o" {}
