
variable "bare" {}
variable "str" {
  type        = string
  default     = "a$${x} %%{y} \n \"q\""
  description = <<-EOT
    Several lines, $${x},
      and "quotes" %%{if}
  EOT
  nullable    = false
}
variable "kw" {
  type      = bool
  default   = "true"
  sensitive = true
}
variable "map" { default = { "$${k}" = 1, "%%{k}" = 2, "a b" = [null, true], "//" = "x" } }
variable "complex" {
  type = object({
    name = string           # the name
    n    = optional(number, 1.50)
    s    = optional(string, "d$${x}\t\"q\"")
    l    = optional(list(object({ a = optional(string), b = optional(map(any), {}) })), [])
    t    = optional(tuple([string, number]), ["a", 1])
    set  = optional(set(string))
    any  = optional(any)
  })
  default = { name = "x", l = [{ a = "1" }, { b = { k = 1 } }] }
}
variable "list" {
  type    = list
  default = ["a"]
}
variable "anything" {
  type    = any
  default = null
}
variable "mapped" {
  type    = map(map(list(number)))
  default = { a = { b = [1, 2.50, 1e3] } }
}
variable "folded" {
  default = { for x in ["a", "b"] : x => "${x}$${y}" }
}
variable "cond" { default = true ? "x" : "y" }
variable "neg" { default = -1.50 }
variable "big" { default = 123456789012345678901234567890.123456789 }
variable "doc" {
  default = <<EOT
text $${not} \n
EOT
}
variable "unicode" { default = "e\u0301 \u2028 日本" }
variable "emptyobj" { default = {} }
variable "valid" {
  type    = number
  default = 5
  validation {
    condition     = var.valid > 1 && var.valid < 10
    error_message = "Must be ${1} to 10, not ${var.valid}."
  }
  validation {
    condition     = can(regex("^\\d+$", var.valid))
    error_message = "A number, $${x}."
  }
}
variable "eph" {
  type      = string
  default   = "e"
  ephemeral = true
}
variable "tern" {
  sensitive = !false
  default   = 1 == 1
}
output "all" { value = jsonencode([var.bare, var.str, var.map, var.complex, var.list, var.anything, var.mapped, var.folded, var.cond, var.neg, var.doc, var.unicode, var.emptyobj, var.valid]) }
output "typed" { value = [var.complex, var.mapped, var.map, var.big] }
output "sens" {
  value     = [var.kw, var.tern]
  sensitive = true
}
