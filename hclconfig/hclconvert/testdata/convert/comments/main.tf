
# header of the file

# about the variable
variable "a" { # behind the brace
  # inside before
  default = 1 # behind default
  /* block
   * comment */
  type = number // behind type
  # at the end
} # behind the block

/* one */ /* two */
locals { x = 1 } # l
locals {
  # only a comment
}
// a # b /* c
output "o" {
  value = [
    # first
    var.a, # second
    # third
  ]
  # "quotes" ${x} \n
  description = "d" /* mid */ # end
}
resource "terraform_data" "r" {
  input = { # c1
    a = 1 # c2
    # c3
    b = upper( # c4
      "x" # c5
    )
  } # c6
  # before lifecycle
  lifecycle { # in lifecycle
    # in
    ignore_changes = [ # why
      input, # because
    ]
  }
  depends_on = [
    # nothing
  ]
}
# last
