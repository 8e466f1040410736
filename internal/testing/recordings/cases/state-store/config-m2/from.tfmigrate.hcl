state_store_provider {
  lab = { source = "example/lab" }
}
from {
  state_store "lab_store" {
    provider "lab" {
      realm = "store"
    }
    dir = "keep-store"
  }
}
