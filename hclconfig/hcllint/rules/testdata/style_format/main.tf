locals {
  a = 1 # want "the file is not formatted as fmt does"
  bb = 2
}
