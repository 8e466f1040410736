module "t" {
  source = "github.com/a/c"  # want "is not pinned"
}
