method "external" "m" {
  encrypt_command = ["sh", "{case}/programs/method.sh"]
  decrypt_command = ["sh", "{case}/programs/method.sh"]
}
state {
  method = method.external.m
}
plan {
  method = method.external.m
}
