module "a" { source = "git::https://example.com/vpc.git" } # want "Module source \"git::https://example.com/vpc.git\" is not pinned"
module "b" { source = "git::https://example.com/vpc.git?ref=v1.2.0" }
module "c" { source = "git::https://example.com/vpc.git?ref=main" } # want "uses a default branch as ref \\(main\\)"
module "d" { source = "github.com/hashicorp/example" } # want "is not pinned"
module "e" { source = "github.com/hashicorp/example?ref=develop" } # want "uses a default branch as ref \\(develop\\)"
module "f" { source = "github.com/hashicorp/example//sub/dir?ref=v1" }
module "g" { source = "github.com/hashicorp/example/sub/dir?ref=v1" }
module "h" { source = "github.com/hashicorp/example//sub/dir" } # want "is not pinned"
module "i" { source = "git@github.com:hashicorp/example.git" } # want "is not pinned"
module "j" { source = "git@github.com:hashicorp/example.git?ref=master" } # want "default branch as ref \\(master\\)"
module "k" { source = "git::ssh://git@example.com/vpc.git?rev=default" } # want "default branch as rev \\(default\\)"
module "l" { source = "hg::http://example.com/vpc.hg" } # want "is not pinned"
module "m" { source = "hg::http://example.com/vpc.hg?rev=default" } # want "default branch as rev \\(default\\)"
module "n" { source = "hg::http://example.com/vpc.hg?rev=v1" }
module "o" { source = "git://example.com/vpc.git" } # want "is not pinned"
module "p" { source = "git::/srv/vpc.git" } # want "Module source \"git::/srv/vpc.git\" is not a valid URL"
module "q" { source = "git::file:///srv/vpc.git?ref=v1" } # want "is not a valid URL"
module "r" { source = "ssh://git@example.com/vpc.git" }
module "s" { source = "https://example.com/vpc.zip" }
module "t" { source = "./local" }
module "u" { source = "terraform-aws-modules/vpc/aws" }
module "v" { source = "s3::https://s3-eu-west-1.amazonaws.com/b/vpc.zip" }
module "w" { source = "gcs::https://www.googleapis.com/storage/v1/m/vpc.zip" }
module "x" { source = "git::https://example.com/vpc.git?ref=" } # want "is not pinned"
module "y" { source = "git::${var.host}/vpc.git" } # want "Module source \"git::https://example.org/vpc.git\" is not pinned"
module "z" { source = "git::https://${var.unknown}/vpc.git" }
module "aa" { source = "git::git@github.com:hashicorp/example.git" } # want "is not pinned"
module "ab" { source = "git::ssh://git@github.com:hashicorp/example.git" } # want "is not a valid URL"
module "ac" { source = "git::https://example.com/vpc.git//sub?ref=main" } # want "default branch as ref \\(main\\)"
module "ad" { source = "git::https://example.com/vpc.git?depth=1&ref=v1" }
module "ae" { source = "git::https://example.com/vpc.git?ref=v1&rev=main" }
module "af" { source = "example.com/vpc.git" }
module "ag" { source = "github.com/hashicorp/example.git" } # want "is not pinned"
module "ah" { source = "https://github.com/hashicorp/example.git" }
module "ai" { source = "user@example.com:x/y.git" }
module "aj" { source = "git::example.com/vpc.git" } # want "is not a valid URL"
module "ak" { source = "git::https://example.com/vpc.git?ref=${var.branch}" } # want "default branch as ref \\(main\\)"
module "al" { source = "git@github.com:hashicorp/example.git//sub?ref=v1.0" }
variable "host" { default = "https://example.org" }
variable "branch" { default = "main" }
variable "unknown" {}
