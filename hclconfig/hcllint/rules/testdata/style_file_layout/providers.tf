provider "b" {}
