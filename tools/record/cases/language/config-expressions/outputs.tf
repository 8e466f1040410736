output "o000" {
  value = 1
}
output "o001" {
  value = 1.0
}
output "o002" {
  value = 1e3
}
output "o003" {
  value = 1E-2
}
output "o004" {
  value = 0.1000
}
output "o005" {
  value = -5
}
output "o006" {
  value = -(-5)
}
output "o007" {
  value = !true
}
output "o008" {
  value = true && false
}
output "o009" {
  value = 1 + 2 * 3
}
output "o010" {
  value = "a"
}
output "o011" {
  value = "a\nb\t\"\\\u00e9\U0001F980"
}
output "o012" {
  value = "$${x} %%{y} $ % $$ %%"
}
output "o013" {
  value = "${"x"}"
}
output "o014" {
  value = "${1}"
}
output "o015" {
  value = "${var.s}"
}
output "o016" {
  value = "x${var.s}y${var.l[0]}"
}
output "o017" {
  value = ("x")
}
output "o018" {
  value = (var.s)
}
output "o019" {
  value = ((1))
}
output "o020" {
  value = null
}
output "o021" {
  value = []
}
output "o022" {
  value = {}
}
output "o023" {
  value = [1, "a", null, [true]]
}
output "o024" {
  value = [1, var.s]
}
output "o025" {
  value = { a = 1, "b c" = 2, (var.s) = 3 }
}
output "o026" {
  value = { a = 1, a = 2 }
}
output "o027" {
  value = { (1) = 2 }
}
output "o028" {
  value = { true : 1, 5 : 2 }
}
output "o029" {
  value = { a = var.s, b = upper(local.a) }
}
output "o030" {
  value = var.m.a.b[0]
}
output "o031" {
  value = var.m["k 1"].b[0]
}
output "o032" {
  value = var.m["k 1"]["b"][0]
}
output "o033" {
  value = var.m[var.s == "" ? "a" : "k 1"].b[0]
}
output "o034" {
  value = var.m["${"a"}"]
}
output "o035" {
  value = var.m["${"k"} ${1}"] 
}
output "o036" {
  value = var.l[*]
}
output "o037" {
  value = var.l.*
}
output "o038" {
  value = var.l.0
}
output "o039" {
  value = var.l[0 + 1]
}
output "o040" {
  value = var.l[-1 + 1]
}
output "o041" {
  value = var.m[*].a
}
output "o042" {
  value = var.m.*.a
}
output "o043" {
  value = terraform_data.c
}
output "o044" {
  value = terraform_data.c[*].id
}
output "o045" {
  value = terraform_data.c.*.id
}
output "o046" {
  value = terraform_data.c.0.id
}
output "o047" {
  value = terraform_data.c[0].output
}
output "o048" {
  value = terraform_data.c[local.a].output
}
output "o049" {
  value = terraform_data.e["a"].output[0]
}
output "o050" {
  value = try(terraform_data.e[var.s].output, 1)
}
output "o051" {
  value = terraform_data.e
}
output "o052" {
  value = values(terraform_data.e)[*].id
}
output "o053" {
  value = [for k, v in terraform_data.e : "${k}-${v.id}"]
}
output "o054" {
  value = {for k, v in var.m : k => v.b if v.b != null}
}
output "o055" {
  value = {for k, v in var.m : k => v.b...}
}
output "o056" {
  value = [for s in var.l : s]
}
output "o057" {
  value = [for s in var.l : upper(s) if s != var.s]
}
output "o058" {
  value = [for var in var.l : var]
}
output "o059" {
  value = [for s in [for t in var.l : t] : "${s}${var.s}"]
}
output "o060" {
  value = [for i, s in ["a", "b"] : i]
}
output "o061" {
  value = [for x in [1, 2] : x * 2]
}
output "o062" {
  value = {for x in ["a"] : x => 1}
}
output "o063" {
  value = upper("x")
}
output "o064" {
  value = upper(var.s)
}
output "o065" {
  value = max(var.num, [1, 2]...)
}
output "o066" {
  value = concat(var.l, [var.s], module.m.list)
}
output "o067" {
  value = try(var.o.zz, var.any.x, "d")
}
output "o068" {
  value = can(var.o.zz.y)
}
output "o069" {
  value = module.m
}
output "o070" {
  value = module.m.list
}
output "o071" {
  value = module.m.list[0]
}
output "o072" {
  value = module.m.map["a b"]
}
output "o073" {
  value = module.m.map.k.n[0]
}
output "o074" {
  value = module.ms
}
output "o075" {
  value = module.ms["k"].v
}
output "o076" {
  value = module.ms["k"].map["a b"]
}
output "o077" {
  value = [for k, x in module.ms : x.v]
}
output "o078" {
  value = module.mc[0].list
}
output "o079" {
  value = module.mc[*].list
}
output "o080" {
  value = path.module
}
output "o081" {
  value = path.root
}
output "o082" {
  value = path.cwd
}
output "o083" {
  value = terraform.workspace
}
output "o084" {
  value = local.a
}
output "o085" {
  value = local.ünï-cødé
}
output "o086" {
  value = var.s == "x" ? var.l[0] : null
}
output "o087" {
  value = true ? 1 : 2
}
output "o088" {
  value = var.num > 1 || !(var.any.x == 1)
}
output "o089" {
  value = -var.num
}
output "o090" {
  value = var.num % 3
}
output "o091" {
  value = <<EOT
plain heredoc ${"lit"}
EOT
}
output "o092" {
  value = <<-EOT
    flush ${var.s}
      two %{ if var.num > 1 }yes ${var.l[0]}%{ else }no%{ endif }
  EOT
}
output "o093" {
  value = "%{ for s in var.l ~}\n${s}${var.s}%{ endfor }"
}
output "o094" {
  value = "%{ if true }x%{ endif }"
}
output "o095" {
  value = "a${~ " b " ~}c"
}
output "o096" {
  value = jsonencode({ a = var.s, b = [local.a] })
}
output "o097" {
  value = data.terraform_remote_state.z
}
output "o098" {
  value = data.terraform_remote_state.z[*].outputs
}
output "o099" {
  value = one(data.terraform_remote_state.z)
}
output "o100" {
  value = terraform_data.f["a"].triggers_replace[0]
}
output "o101" {
  value = terraform_data.imp["c"].id
}
output "o102" {
  value = var.tup[0]
}
output "o103" {
  value = var.set
}
output "o104" {
  value = var.o.ll
}
output "o105" {
  value = provider::terraform::encode_expr(var.s)
}
output "o106" {
  value = sensitive(var.s)
  sensitive = true
}
output "o107" {
  value = var.any.x /* c */ + 1 # d
}
output "o108" {
  value = [
  var.s, # one
  // two
  local.a,
]
}
