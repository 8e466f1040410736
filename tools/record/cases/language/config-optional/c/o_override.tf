variable "a" {
  type = object({ x = optional(string, "over") })
}
variable "b" {
  default = {}
}
variable "c" {
  type = object({ x = optional(string, "over"), y = optional(string, "over") })
}
variable "d" {
  type = object({ x = optional(string, "over") })
  default = {}
}
variable "e" {
  type = object({ x = optional(string, "over") })
  default = {}
}
variable "f" {
  type = object({ x = optional(string, "over") })
}
