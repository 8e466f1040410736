from {
  nope {}
}
