module "a" { source = "git::https://example.com/vpc.git?ref=v1.2.0" } # want "Module source \"git::https://example.com/vpc.git\\?ref=v1.2.0\" should enable shallow cloning by adding \"depth=1\" parameter"
module "b" { source = "git::https://example.com/vpc.git?depth=1&ref=v1.2.0" }
module "c" { source = "git::https://example.com/vpc.git?ref=0123456789abcdef0123456789abcdef01234567" }
module "d" { source = "git::https://example.com/vpc.git?ref=beef" }
module "e" { source = "git::https://example.com/vpc.git" }
module "f" { source = "git::https://example.com/vpc.git?ref=ABCD" } # want "shallow cloning"
module "g" { source = "git::https://example.com/vpc.git?ref=v1&depth=2" } # want "shallow cloning"
module "h" { source = "github.com/a/b?ref=v1" } # want "shallow cloning"
module "i" { source = "github.com/a/b//sub?ref=v1" } # want "shallow cloning"
module "j" { source = "github.com/a/b/sub?ref=v1" }
module "k" { source = "git@github.com:a/b.git?ref=v1" } # want "shallow cloning"
module "l" { source = "hg::http://example.com/vpc.hg?ref=v1" }
module "m" { source = "git::/srv/vpc.git?ref=v1" }
module "n" { source = "git::https://example.com/vpc.git?ref=${var.v}" } # want "shallow cloning"
module "o" { source = "git@github.com:a/b.git//sub?ref=v1" } # want "shallow cloning"
variable "v" { default = "v1" }
