key_provider "external" "e" {
  command = ["sh", "{case}/programs/keys.sh"]
}
method "aes_gcm" "m" {
  keys = key_provider.external.e
}
state {
  method = method.aes_gcm.m
}
plan {
  method = method.aes_gcm.m
}
