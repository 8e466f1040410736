// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"fmt"
	"strings"
)

// lifelikeConfig makes a file as public modules have them: little of it is plain
// values. Arguments are conditionals, calls, templates and for expressions, most of
// them over var and local.
func lifelikeConfig(parts int) string {
	var b strings.Builder
	for i := range parts {
		fmt.Fprintf(&b, `################################################################################
# Part %[1]d
################################################################################

locals {
  create_part_%[1]d = var.create && var.parts["p%[1]d"].enabled && length(var.parts) > %[1]d
  zones_%[1]d       = [for z in var.zones : z if !contains(var.excluded_zones, z) && z != ""]
  by_name_%[1]d = {
    for k, v in var.parts : k => merge(
      { name = try(v.name, "${var.prefix}-${k}") },
      v,
    ) if try(v.enabled, true)
  }
}

resource "lab_part" "this_%[1]d" {
  count = local.create_part_%[1]d ? (var.single ? 1 : length(local.zones_%[1]d)) : 0

  name            = var.use_prefix ? null : try(coalesce(var.names[count.index], var.name), format("${var.name}-%%s", element(local.zones_%[1]d, count.index)))
  zone            = length(regexall("^[a-z]{2}-", element(var.zones, count.index))) > 0 ? element(var.zones, count.index) : null
  address         = cidrsubnet(var.address, 8, count.index + %[1]d * 2)
  assign_on_start = var.assign && var.public || !var.closed
  other_id        = lab_other.that_%[1]d[0].id
  parent_id       = try(lab_part.this_%[1]d[count.index - 1].id, "")

  tags = merge(
    {
      Name = try(
        var.names[count.index],
        format("${var.name}-${var.suffix}-%%s", element(var.zones, count.index))
      )
    },
    var.tags,
    var.part_tags,
    lookup(var.tags_of_zones, element(var.zones, count.index), {})
  )

  dynamic "rule" {
    for_each = { for k, v in var.rules : k => v if v.part == %[1]d && var.with_rules }

    content {
      action      = try(rule.value.action, "allow")
      from        = lookup(rule.value, "from", null)
      to          = lookup(rule.value, "to", null)
      description = "Rule ${rule.key} of ${var.name}"
    }
  }

  timeouts {
    create = lookup(var.timeouts, "create", "10m")
    delete = lookup(var.timeouts, "delete", "10m")
  }

  lifecycle {
    ignore_changes = [tags["created"]]

    precondition {
      condition     = length(var.zones) >= %[1]d || !var.strict
      error_message = "There must be %[1]d zones, not ${length(var.zones)}."
    }
  }
}

resource "lab_other" "that_%[1]d" {
  for_each = var.create ? toset(flatten([for p in var.parts : p.others[*].name])) : toset([])

  name   = each.key
  region = data.lab_region.current.name
  size   = max(1, floor(var.size / 2)) + %[1]d
  owner  = one(data.lab_owner.this[*].id)

  tags = merge({ Name = "${var.name}-${each.key}" }, var.tags)

  depends_on = [lab_part.this_%[1]d]
}

output "ids_%[1]d" {
  description = "The IDs of part %[1]d"
  value       = compact(lab_part.this_%[1]d[*].id)
}

`, i)
	}
	return b.String()
}
