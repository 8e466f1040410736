# A file that was written by hand, with odd forms.

# several
# lines
variable "s" {
  type    = string
  default = "a$${x}b"
}

variable "o" {
  type = object({ a = optional(string, "d$${x}") })
  default = {
    "$${k}" = 1
    "a%%{b" = "$${verbatim}"
  }
}

locals {
  plain     = "text"
  escaped   = "$${x} %%{y} $x %y $$ %% $${$${"
  backslash = "a\\nb\n"
}

# second
locals {
  sole       = var.s
  typed      = 3
  trim       = 3
  spaces     = "  ${~3~}  "
  string     = "${3}${""}"
  bom        = "x"
  cr         = "a\r$${var.s}"
  crlf       = "a\r\n${var.s}\r\n"
  quote      = "say \"${upper("x")}\""
  lines      = <<EOT
#!/bin/sh
echo "${var.s}" \
  $${HOME}

exit
EOT
  plainlines = <<EOT2
a
  EOT
b $${c}\t
EOT2
  directive  = <<EOT
%{for i in [1, 2]~}
  line ${i}
%{endfor~}
EOT
  multi = (var.s == "x"
    ? 1 : 2
  )
  comment = (var.s # why
  )
  heredoc = <<E
x ${var.s}
E
  number  = 1.50
  big     = 12345678901234567890.123456789
  exp     = 1E+2
  neg     = -0.5
  keys = {
    (var.s)      = 1
    "a ${var.s}" = 2
    "for"        = 3
    b-c          = 4
    "1x"         = 5
    ("lit")      = 6
    "$${e}"      = 7
    ""           = 8
    "//"         = 9
  }
  list = [
    var.s,
    ["a"],
    {
      b = null
    },
    true,
  ]
  empty   = []
  eo      = {}
  control = "\u0001\u007f\u2028"
  nul     = null
}

# about b
resource "terraform_data" "b" {
  count = "2"
  input = count.index
}

resource "terraform_data" "a" {
  input = {
    id     = terraform_data.b[0].id
    script = <<EOT
a
b
EOT
  }
  triggers_replace = [
    {
      x = 1
    },
  ]
  depends_on = [terraform_data.b]

  lifecycle {
    ignore_changes        = [input["a b"]]
    create_before_destroy = true
    prevent_destroy       = false

    precondition {
      condition     = local.typed == 3
      error_message = "x"
    }

    precondition {
      condition     = var.s != ""
      error_message = "y ${var.s}"
    }
  }

  provisioner "local-exec" {
    command = "echo ${self.id}"
    when    = destroy
  }

  provisioner "file" {
    content     = "a"
    destination = "b"

    connection {
      host = "h"
    }
  }

  provisioner "local-exec" {
    command = "x"
    environment = {
      "A B" = "$${c}"
    }
  }
}

moved {
  from = terraform_data.x[0]
  to   = terraform_data.b[0]
}

moved {
  from = terraform_data.y
  to   = terraform_data.a
}

output "all" {
  value       = local.keys
  description = "verbatim $${x}"
}

output "rest" {
  value = [
    local.plain,
    local.escaped,
    local.backslash,
    local.sole,
    local.typed,
    local.trim,
    local.spaces,
    local.string,
    local.bom,
    local.cr,
    local.crlf,
    local.quote,
    local.lines,
    local.plainlines,
    local.directive,
    local.multi,
    local.comment,
    local.heredoc,
    local.number,
    local.big,
    local.exp,
    local.neg,
    local.list,
    local.empty,
    local.eo,
    local.control,
    local.nul,
    var.o,
  ]
  depends_on = [terraform_data.a]
}

check "c" {
  assert {
    condition     = var.s != ""
    error_message = "e"
  }
}

terraform {
  required_version = ">= 1.5"

  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
