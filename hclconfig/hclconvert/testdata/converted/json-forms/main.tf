# several
# lines

variable "a" {
  type = list(object({ x = optional(number, 2) }))
  default = [
    {},
    {
      x = 1e2
    },
  ]
  description = "not $${a} template %%{x}"
}

variable "m" {
  default = {
    "$${k}" = "$${v}"
    "//"    = 1
  }
}

variable "t" {
  type    = map(string)
  default = {}

  validation {
    condition     = length(var.t) < 5
    error_message = "too ${1}"
  }
}

variable "f" {
  default   = <<EOT
line1
line2
EOT
  sensitive = false
}

locals {
  s1  = "x${var.a[0].x}y"
  s2  = "$${x} %%{y} $x %y $$ %% $${$${"
  s3  = "a\\nb\n\ttab \"q\" # no // no"
  s4  = <<EOT
multi
line
${var.f}end
EOT
  s5  = <<E
heredoc ${1}
E
  s6  = [for x in var.a : x.x]
  s7  = "  ${~3~}  "
  s8  = 3
  s9  = "${3}${""}"
  s10 = "%{for x in var.a}${x.x},%{endfor}"
  s11 = "a\r$${var.f}"
  s12 = "a\r\n${var.f}"
  s13 = "x"
  s14 = var.f
  s15 = ( # c
    var.f // d
  )
  s16 = (var.a
    [0].x
  )
  s17 = (true
    ? 1 : 2
  )
  s18 = <<EOT2
multi
line with EOT
EOT
EOT2
  s19 = <<EOT

leading
EOT
  s20 = <<EOT
trail 
  spaces  
EOT
  s21 = "$"
  s22 = "a$${"
  s23 = "\u0000\u0001\u007f\u2028"
  s24 = "quo\"ted"
  s25 = <<EOT
${1}
${2}
EOT
  n   = [0, -0, 1.50, 1e3, 1E+2, 123456789012345678901234567890, 1e-7]
  k = {
    "a b"   = 1
    "for"   = 2
    null    = 3
    "1"     = 4
    (var.f) = 5
    "x${1}" = 6
    ""      = 7
    "$${e}" = 8
    "a.b"   = 9
    true    = 10
    é       = 11
    "%%{x}" = 12
  }
  z = [
    null,
    true,
    false,
    [],
    {},
    [[]],
    [{}],
    {
      a = []
    },
  ]
}

# c
resource "terraform_data" "a" {
  input = local.s1
  triggers_replace = {
    a    = local.k
    "//" = "data"
  }
}

resource "terraform_data" "b" {
  count = 2
  input = {
    x = [
      1,
      {
        y = count.index
      },
    ]
  }
}

resource "terraform_data" "c" {
  for_each   = toset(["x"])
  input      = each.key
  depends_on = [terraform_data.a, terraform_data.b[0]]

  lifecycle {
    ignore_changes        = all
    create_before_destroy = true
    replace_triggered_by  = [terraform_data.b[0], terraform_data.a.id]

    precondition {
      condition     = each.key == "x"
      error_message = "x"
    }
  }

  connection {
    host = "h"
    type = "ssh"
  }

  provisioner "local-exec" {
    command = "one"
  }

  provisioner "file" {
    content     = "c"
    destination = "d"
  }

  provisioner "local-exec" {
    command    = "two ${self.id}"
    when       = destroy
    on_failure = continue
  }
}

resource "terraform_data" "d" {}

resource "terraform_data" "e" {}

data "terraform_remote_state" "r" {
  backend = "local"
  config = {
    path = "none"
  }
  defaults = {
    a = 1
  }
}

module "m" {
  source = "./m"
  x = {
    k = [local.s2, null]
  }
  y = null
}

output "all" {
  value = local.k
}

output "s" {
  value = [local.s2, local.s3, local.s4, local.s5, local.s6, local.s7, local.s8, local.s9, local.s10, local.s11, local.s12, local.s13, local.s14, local.s15, local.s16, local.s17, local.s18, local.s19, local.s20, local.s21, local.s22, local.s23, local.s24, local.s25, local.n, local.z]
}

output "o" {
  value = {
    "//" = "kept"
    a    = var.m
  }
  description = "$${d}"
  depends_on  = []
}

moved {
  from = terraform_data.q
  to   = terraform_data.a
}

moved {
  from = terraform_data.b2["$${z}"]
  to   = terraform_data.c["x"]
}

import {
  to = terraform_data.d
  id = "i-${1 + 1}"
}

removed {
  from = terraform_data.zz

  lifecycle {
    destroy = false
  }
}

check "c" {
  assert {
    condition     = length(var.t) == 0
    error_message = "m"
  }

  assert {
    condition     = length(var.t) == 1
    error_message = "n ${1}"
  }
}

terraform {
  required_version = ">= 1.0"
}

terraform {
  backend "local" {
    path = "s.tfstate"
  }
}
