variable "a" { default = "x" }
output "a" { value = "${var.a}" }
output "b" { value = "${"${var.a}"}" }
output "c" { value = "${var.a}${""}" }
output "d" { value = ["${var.a}", " ${var.a}", "${[1]}", "${{ a = 1 }}", "${null}", "${true}"] }
output "e" { value = { a = "${{ "${var.a}" = 1 }}" } }
output "f" { value = "${ /* c */ var.a }" }
output "g" { value = "${
  var.a
}" }
output "h" { value = "a${
  # comment
  var.a
}b" }
output "i" { value = (("x")) }
output "j" { value = ("${var.a}") }
output "k" { value = -(1) }
output "l" { value = (-1) }
output "m" { value = !!true }
output "n" { value = 1 == 1 ? 2 : 3 }
output "o" { value = var.a == "x" ? { a = 1, b = 2 } : { a = 3, b = 4 } }
output "p" { value = [for s in ["a"] : s if s != "b"] }
output "q" { value = "\\" }
output "r" { value = "\"" }
output "s" { value = "$" }
output "t" { value = "$$" }
output "u" { value = "$$$${" }
output "v" { value = "%%%%{ if true }y" }
output "w" { value = "$${" }
output "x" { value = "{{ }} ${"{{"}" }
output "y" { value = "\u0041\n" }
output "z" { value = "\ufeffbom" }
output "z2" { value = { "\ufeffk" = 1 } }
output "z3" { value = "a\rb${var.a}" }
output "z4" { value = { "a\rb" = 1, "a\r\nb" = 2 } }
output "z5" { value = "${var.a}\u0024{x}" }
output "z6" { value = "\u0024${var.a}" }
output "z7" { value = "\u0025%{ if true }x%{ endif }" }
output "z9" { value = "\u0001\u001f\u007f\u0085" }
