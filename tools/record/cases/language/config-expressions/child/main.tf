variable "v" {
  type = any
  default = null
}
variable "opt" {
  type = object({
    a = optional(string, "x$${y}")
    b = optional(list(object({ c = optional(number, 1.50), d = optional(map(any)) })), [{ c = 2 }, {}])
    e = optional(tuple([bool, set(string)]))
  })
  default = {}
  nullable = false
}
output "list" { value = [1, { k = "x" }] }
output "map" { value = { "a b" = 1, k = { n = [1, 2] } } }
output "v" { value = var.v }
