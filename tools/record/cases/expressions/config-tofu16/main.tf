terraform {
  required_version = ">= 1.6"
  required_providers {
    lab    = { source = "example/lab", version = "~> 1.2, < 9" }
    random = { source = "hashicorp/random" }
    null   = { source = "hashicorp/null", version = "3.3.1" }
  }
}

variable "plain" {}
variable "described" {
  type        = string
  description = "Two\nlines & <html>."
  default     = "d"
  sensitive   = true
  nullable    = false
}
variable "typed" {
  type = object({
    a = list(map(string))
    b = optional(tuple([string, number, bool]))
    c = optional(set(any), [])
    d = map(object({ e = optional(number, 1.5) }))
  })
  default = { a = [{ x = "y" }], d = { k = {} } }
}
variable "num" { default = 1e3 }
variable "nothing" { default = null }
variable "rules" {
  type    = list(object({ port = number, note = optional(string) }))
  default = [{ port = 1 }, { port = 2, note = "two" }]
}
locals {
  chain = { a = { b = [{ c = var.num }] } }
  ref   = local.chain.a.b[0].c
}

resource "random_pet" "a" {}
resource "random_integer" "n" {
  for_each = toset(["x", "y z"])
  min      = 1
  max      = 2
}
resource "lab_thing" "consts" {
  name    = "const"
  size    = 1 + 2 * 3
  ratio   = -0.5
  enabled = !false
  note    = <<EOT
multi
  line
EOT
  tags    = { a = "b", (upper("c")) = "d", "e-f" = null }
  labels  = ["x", "y"]
  matrix  = [[1], []]
  duo     = ["t", 3]
}
resource "lab_thing" "refs" {
  name    = "${var.plain}-${random_pet.a.id}"
  size    = random_integer.n["y z"].result
  ratio   = local.ref
  enabled = var.typed.b != null ? var.typed.b[2] : length(var.rules) > 0
  note    = join(",", [for k, v in random_integer.n : "${k}=${v.result}" if v.min > 0])
  tags    = merge({ for r in var.rules : r.port => coalesce(r.note, "none") }, { w = terraform.workspace })
  labels  = toset(values(random_integer.n)[*].id)
  ports   = var.rules[*].port
  matrix  = [for r in var.rules : [r.port, r.port % 2]]
  shape   = { w = var.typed.d["k"].e, h = local.chain["a"]["b"][0]["c"], name = basename(path.module), meta = {} }
  secret  = var.described
  anything = {
    data  = data.lab_lookup.q[0].results[1].labels["rank"]
    splat = data.lab_lookup.q.*.id
    mod   = module.net["a"].ids[0]
    whole = module.net
    each  = { for k, m in module.net : k => m.ids }
    each2 = module.counted[*].ids
    cond  = var.nothing == null ? var.num : var.plain
    idx   = var.typed.a[0].x
    esc   = "$${literal} %%{x} ${"nested ${"deep ${var.plain}"}"}"
    direc = "%{if var.num > 1}${var.plain}%{else}no%{endif}"
  }
  settings = {
    mode     = var.plain
    password = random_pet.a.id
    limits   = { cpu = var.num }
  }
  rules = [for r in var.rules : { port = r.port, proto = var.plain }]
  zones = { (var.plain) = { cidr = cidrsubnet("10.0.0.0/8", 8, var.num % 256) } }
  depends_on = [random_pet.a, module.net, data.lab_lookup.q]
}
resource "lab_blocks" "static" {
  title = "static"
  disk {
    kind = "ssd"
    gb   = var.num
    partition { fs = "ext4" }
    partition {
      fs   = var.plain
      size = random_integer.n["x"].result
    }
  }
  disk { kind = var.plain }
  listener { port = 80 }
  network { vlan = var.num % 4096 }
  zone "left" { cidr = "l" }
  zone "right" { cidr = var.plain }
  policy {
    level = "x"
  }
}
resource "lab_blocks" "dynamic" {
  title = "dynamic"
  dynamic "disk" {
    for_each = var.rules
    iterator = r
    content {
      kind = r.value.note
      gb   = r.key
      dynamic "partition" {
        for_each = toset([r.value.port])
        content { fs = partition.value }
      }
    }
  }
  disk { kind = "after dynamic" }
  dynamic "zone" {
    for_each = { p = 1 }
    labels   = [zone.key]
    content { cidr = zone.value }
  }
}
resource "null_resource" "provisioned" {
  count    = var.num > 1 ? 2 : 0
  triggers = { i = count.index, all = jsonencode(lab_thing.consts.tags) }
  connection {
    host     = "198.51.100.1"
    password = self.id
  }
  provisioner "local-exec" {
    command     = "true ${self.id == "" ? var.plain : ""} ${count.index}"
    working_dir = path.module
    environment = { A = var.plain, B = "const" }
    interpreter = ["/bin/sh", "-c"]
  }
  provisioner "local-exec" {
    when       = destroy
    command    = "true ${self.triggers.i}"
    on_failure = continue
  }
  lifecycle {
    create_before_destroy = true
    ignore_changes        = [triggers["all"]]
    replace_triggered_by  = [random_pet.a.id, lab_thing.consts]
  }
}
resource "lab_switch" "each" {
  for_each = { for r in var.rules : "k${r.port}" => r }
  name     = each.key
  text     = each.value.note
  value    = each.value
}
data "lab_lookup" "q" {
  count = length(var.rules)
  query = "q${count.index}"
  filter {
    name   = "f"
    values = [var.plain, "const"]
  }
}
module "net" {
  source   = "./net"
  for_each = { a = 1, "b.c" = 2 }
  name     = each.key
  obj      = { w = each.value, v = var.plain }
}
module "counted" {
  source     = "./net"
  count      = 2
  name       = "c${count.index}"
  depends_on = [module.net, random_pet.a]
}
output "o_const" { value = { a = [1, "x"] } }
output "o_ref" {
  value       = lab_thing.refs.id
  description = "With \"quotes\"."
  depends_on  = [lab_blocks.static, module.net]
}
output "o_sens" {
  value     = var.described
  sensitive = true
}
output "o_fn" { value = join("-", [var.plain, random_pet.a.id, module.net["b.c"].ids[0]]) }
output "o_index" { value = lab_switch.each["k1"].value.port }
output "o_dyn_index" { value = lab_switch.each["k${var.rules[1].port}"].id }
output "o_attr_splat" { value = null_resource.provisioned.*.triggers.i }
output "o_full_splat" { value = null_resource.provisioned[*].triggers["i"] }
output "o_unknown_idx" { value = null_resource.provisioned[length(random_pet.a.id) - length(random_pet.a.id)].id }
