locals {
  Over-there = 1 # want "local value name `Over-there` must match"
}
