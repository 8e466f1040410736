from {
  backend "local" {
    path = "keep-local.tfstate"
  }
}
