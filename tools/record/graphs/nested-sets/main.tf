# Blocks of a set are in another order in a plan than in the configuration.
terraform {
  required_providers {
    lab = { source = "example/lab" }
  }
}
variable "gen" {
  type    = number
  default = 1
}
resource "terraform_data" "port" {
  count = 3
  input = 9000 - 7 * count.index
}
resource "terraform_data" "later" {
  input = "l-${var.gen}"
}
# Known values: each block is found by its port.
resource "lab_blocks" "known" {
  title = "known"
  listener { port = terraform_data.port[0].input }
  listener { port = terraform_data.port[1].input }
  listener { port = terraform_data.port[2].input }
}
# Constants tell the blocks apart, and the certificates are not known.
resource "lab_blocks" "constants" {
  title = "constants"
  listener {
    port = 9443
    cert = terraform_data.port[0].output
  }
  listener {
    port = 80
    cert = terraform_data.port[1].output
  }
  listener {
    port = 8080
    cert = terraform_data.port[2].output
  }
}
# Nothing tells them apart.
resource "lab_blocks" "unknown" {
  title = "unknown"
  listener { port = terraform_data.port[0].output }
  listener { port = terraform_data.port[1].output }
  disk {
    kind = terraform_data.later.output
    partition {
      fs   = "ext4"
      size = terraform_data.port[0].input
    }
    partition {
      fs   = "xfs"
      size = terraform_data.port[1].input
    }
    partition {
      fs   = "btrfs"
      size = terraform_data.port[2].input
    }
  }
}
resource "terraform_data" "user" {
  input = one([for l in lab_blocks.known.listener : l.port if l.port == 8986])
}
