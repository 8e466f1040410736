// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A settingsTable says what the blocks of one type may be.
type settingsTable struct {
	// types has the types, which the first label names. No release has any other.
	types map[string]hcllang.Support
	// arguments has the arguments and blocks, as TYPE.NAME or as NAME for all types, that not every release has.
	arguments map[string]hcllang.Support
	// others has those that every release has, separated by blanks, by type. If a type is there, an argument that neither
	// table has is in no release of OpenTofu. Newer releases of Terraform, which nobody looked at, may have it.
	others map[string]string
}

// backends has the types of backends. Terraform 1.3 removed those that OpenTofu never had. The backend azurerm was
// called azure before.
// Source: internal/backend/init of both programs, and Terraform's changelog.
var backends = settingsTable{
	types: map[string]hcllang.Support{
		"local": hcllang.Everywhere, "remote": hcllang.Everywhere, "azurerm": hcllang.Everywhere, "consul": hcllang.Everywhere,
		"cos": hcllang.Everywhere, "gcs": hcllang.Everywhere, "http": hcllang.Everywhere, "inmem": hcllang.Everywhere,
		"kubernetes": hcllang.Everywhere, "oss": hcllang.Everywhere, "pg": hcllang.Everywhere, "s3": hcllang.Everywhere,
		"cloud": {OpenTofu: "0", Terraform: "1.1"}, "oci": {Terraform: "1.12"},
		"azure": beforeRemoval, "artifactory": beforeRemoval, "etcd": beforeRemoval, "etcdv3": beforeRemoval, "manta": beforeRemoval, "swift": beforeRemoval,
	},
	arguments: backendArguments,
	others: map[string]string{
		"local":      "path workspace_dir",
		"remote":     "hostname organization token workspaces",
		"azurerm":    "access_key client_certificate_password client_certificate_path client_id client_secret container_name endpoint environment key metadata_host msi_endpoint resource_group_name sas_token snapshot storage_account_name subscription_id tenant_id use_azuread_auth use_msi",
		"consul":     "access_token address ca_file cert_file datacenter gzip http_auth key_file lock path scheme",
		"cos":        "acl bucket encrypt key prefix region secret_id secret_key",
		"gcs":        "access_token bucket credentials encryption_key impersonate_service_account impersonate_service_account_delegates prefix",
		"http":       "address lock_address lock_method password retry_max retry_wait_max retry_wait_min skip_cert_verification unlock_address unlock_method update_method username",
		"inmem":      "lock_id",
		"kubernetes": "client_certificate client_key cluster_ca_certificate config_context config_context_auth_info config_context_cluster config_path exec host in_cluster_config insecure labels load_config_file namespace password secret_suffix token username",
		"oss":        "access_key acl assume_role bucket ecs_role_name encrypt endpoint key prefix profile region secret_key security_token shared_credentials_file sts_endpoint tablestore_endpoint tablestore_table",
		"pg":         "conn_str schema_name skip_index_creation skip_schema_creation skip_table_creation",
		"s3":         "access_key acl bucket dynamodb_endpoint dynamodb_table encrypt endpoint force_path_style iam_endpoint key kms_key_id max_retries profile region secret_key shared_credentials_file skip_credentials_validation skip_metadata_api_check skip_region_validation sse_customer_key sts_endpoint token workspace_key_prefix",
	},
}

// The supports that many arguments have.
var (
	beforeRemoval = hcllang.Support{Terraform: "0", TerraformUntil: "1.3"}
	fromSDK2      = hcllang.Support{OpenTofu: "0", Terraform: "1.6"}                       // the backend s3 was written anew
	asRole        = hcllang.Support{OpenTofu: "0", Terraform: "0", TerraformUntil: "1.10"} // became the argument assume_role
	azureAnew     = hcllang.Support{OpenTofu: "1.11", Terraform: "1.11"}                   // so was azurerm
	from1_1       = hcllang.Support{OpenTofu: "0", Terraform: "1.1"}
	from1_2       = hcllang.Support{OpenTofu: "0", Terraform: "1.2"}
	from1_3       = hcllang.Support{OpenTofu: "0", Terraform: "1.3"}
	from1_4       = hcllang.Support{OpenTofu: "0", Terraform: "1.4"}
)

// backendArguments has the arguments and blocks of backends, as TYPE.NAME, that not every release has.
// Source: internal/backend/remote-state of OpenTofu v1.6.0 to v1.12.6 and of Terraform v1.0.11 to v1.5.7;
// for later releases of Terraform its changelog, and what init of 1.11.4 refuses.
var backendArguments = map[string]hcllang.Support{
	"azurerm.ado_pipeline_service_connection_id": {Terraform: "1.11"},
	"azurerm.ado_service_connection_id":          {OpenTofu: "1.12"},
	"azurerm.client_certificate":                 azureAnew,
	"azurerm.client_id_file_path":                azureAnew,
	"azurerm.client_secret_file_path":            azureAnew,
	"azurerm.customer_provided_key":              {OpenTofu: "1.12"},
	"azurerm.encryption_scope":                   {OpenTofu: "1.12"},
	"azurerm.oidc_request_token":                 from1_2,
	"azurerm.oidc_request_url":                   from1_2,
	"azurerm.oidc_token":                         from1_3,
	"azurerm.oidc_token_file_path":               from1_3,
	"azurerm.timeout_seconds":                    {OpenTofu: "1.9"},
	"azurerm.use_aks_workload_identity":          azureAnew,
	"azurerm.use_cli":                            azureAnew,
	"azurerm.use_microsoft_graph":                {Terraform: "1.1", TerraformUntil: "1.3"},
	"azurerm.use_oidc":                           from1_2,
	"cos.accelerate":                             from1_3,
	"cos.assume_role":                            from1_4,
	"cos.security_token":                         from1_4,
	"gcs.kms_encryption_key":                     from1_4,
	"gcs.storage_custom_endpoint":                from1_4,
	"gcs.universe_domain":                        {OpenTofu: "1.11"},
	"http.client_ca_certificate_pem":             from1_4,
	"http.client_certificate_pem":                from1_4,
	"http.client_private_key_pem":                from1_4,
	"http.headers":                               {OpenTofu: "1.7"},
	"kubernetes.config_paths":                    from1_1,
	"oss.assume_role_policy":                     from1_1,
	"oss.assume_role_role_arn":                   from1_1,
	"oss.assume_role_session_expiration":         from1_1,
	"oss.assume_role_session_name":               from1_1,
	"pg.index_name":                              {OpenTofu: "1.10"},
	"pg.table_name":                              {OpenTofu: "1.10"},
	"s3.allowed_account_ids":                     fromSDK2,
	"s3.assume_role":                             fromSDK2,
	"s3.assume_role_duration_seconds":            asRole,
	"s3.assume_role_policy":                      asRole,
	"s3.assume_role_policy_arns":                 asRole,
	"s3.assume_role_tags":                        asRole,
	"s3.assume_role_transitive_tag_keys":         asRole,
	"s3.assume_role_with_web_identity":           fromSDK2,
	"s3.custom_ca_bundle":                        fromSDK2,
	"s3.ec2_metadata_service_endpoint":           fromSDK2,
	"s3.ec2_metadata_service_endpoint_mode":      fromSDK2,
	"s3.endpoints":                               fromSDK2,
	"s3.external_id":                             asRole,
	"s3.forbidden_account_ids":                   fromSDK2,
	"s3.http_proxy":                              fromSDK2,
	"s3.https_proxy":                             {OpenTofu: "0", Terraform: "1.6.4"},
	"s3.insecure":                                fromSDK2,
	"s3.lock_tags":                               {OpenTofu: "1.11"},
	"s3.no_proxy":                                {OpenTofu: "0", Terraform: "1.6.4"},
	"s3.retry_mode":                              fromSDK2,
	"s3.role_arn":                                asRole,
	"s3.session_name":                            asRole,
	"s3.shared_config_files":                     fromSDK2,
	"s3.shared_credentials_files":                fromSDK2,
	"s3.skip_requesting_account_id":              {OpenTofu: "0", Terraform: "1.6.1"},
	"s3.skip_s3_checksum":                        {OpenTofu: "0", Terraform: "1.6.3"},
	"s3.state_tags":                              {OpenTofu: "1.11"},
	"s3.sts_region":                              fromSDK2,
	"s3.use_dualstack_endpoint":                  fromSDK2,
	"s3.use_fips_endpoint":                       fromSDK2,
	"s3.use_legacy_workflow":                     {OpenTofu: "0", OpenTofuUntil: "1.8", Terraform: "1.6", TerraformUntil: "1.11"},
	"s3.use_lockfile":                            {OpenTofu: "1.10", Terraform: "1.10"},
	"s3.use_path_style":                          fromSDK2,
}

// What the block workspaces in cloud may have. validate of older releases accepts project, init of Terraform 1.5.7 does
// not. Tags with values are a map.
// Source: internal/cloud of OpenTofu v1.6.0, and what init of Terraform 1.11.4 accepts.
var (
	cloudProject = hcllang.Support{OpenTofu: "0", Terraform: "1.6"}
	cloudTags    = hcllang.Support{Terraform: "1.10"}
)

// ofCloud returns what the workspaces of a cloud block mean.
func ofCloud(b *hclconfig.Block) []Meaning {
	var out []Meaning
	member := func(name string, at addrs.Range, value hclconfig.Expression) {
		pairs, _ := value.Members()
		switch {
		case name == "project":
			out = append(out, Meaning{"argument project of workspaces", cloudProject, at})
		case name == "tags" && len(pairs) > 0:
			out = append(out, Meaning{"tags of workspaces with values", cloudTags, value.Range()})
		}
	}
	for w := range b.Body.BlocksOfType("workspaces") {
		for i := range w.Body.Arguments {
			a := &w.Body.Arguments[i]
			member(a.Name, a.NameRange(), a.Expression)
		}
	}
	members, _ := Expr(b, "workspaces").Members() // in JSON syntax
	for _, m := range members {
		member(m.Name, m.Key.Range(), m.Value)
	}
	return out
}

// keyProviders and methods have the types of encryption and their arguments.
// Source: internal/encryption of OpenTofu v1.7.0 to main. The key provider xor is a part of the sources since 1.9, but
// no release has it on its list.
var (
	keyProviders = settingsTable{
		types: map[string]hcllang.Support{
			"pbkdf2": hcllang.Everywhere, "aws_kms": hcllang.Everywhere, "gcp_kms": hcllang.Everywhere, "openbao": hcllang.Everywhere,
			"xor": {OpenTofu: "1.9"}, "external": {OpenTofu: "1.10"}, "azure_vault": {OpenTofu: "1.11"},
		},
		arguments: map[string]hcllang.Support{
			"encrypted_metadata_alias":              {OpenTofu: "1.9"},
			"pbkdf2.chain":                          {OpenTofu: "1.10"},
			"aws_kms.encryption_context":            {OpenTofu: "1.13"},
			"gcp_kms.additional_authenticated_data": {OpenTofu: "1.13"},
			"openbao.associated_data":               {OpenTofu: "1.13"},
		},
		others: map[string]string{
			"pbkdf2":      "passphrase key_length iterations hash_function salt_length",
			"aws_kms":     "kms_key_id key_spec access_key endpoints max_retries profile region secret_key skip_credentials_validation skip_requesting_account_id sts_region token http_proxy https_proxy no_proxy insecure use_dualstack_endpoint use_fips_endpoint custom_ca_bundle ec2_metadata_service_endpoint ec2_metadata_service_endpoint_mode skip_metadata_api_check shared_credentials_files shared_config_files assume_role assume_role_with_web_identity allowed_account_ids forbidden_account_ids retry_mode",
			"gcp_kms":     "credentials access_token impersonate_service_account impersonate_service_account_delegates kms_encryption_key key_length",
			"openbao":     "address token key_name key_length transit_engine_path",
			"xor":         "a b",
			"external":    "command",
			"azure_vault": "use_cli client_id client_id_file_path client_secret client_secret_file_path client_certificate client_certificate_password client_certificate_path use_oidc oidc_token oidc_token_file_path oidc_request_url oidc_request_token use_msi msi_endpoint use_aks_workload_identity metadata_host environment subscription_id tenant_id vault_uri vault_key_name key_length symmetric symmetric_key_size",
		},
	}
	methods = settingsTable{
		types:  map[string]hcllang.Support{"aes_gcm": hcllang.Everywhere, "unencrypted": hcllang.Everywhere, "external": {OpenTofu: "1.10"}},
		others: map[string]string{"aes_gcm": "keys aad", "external": "keys encrypt_command decrypt_command", "unencrypted": ""},
	}
	// PlainKeyProvider is the address of another key provider as plain text, in JSON syntax.
	PlainKeyProvider = hcllang.Support{OpenTofu: "1.12"}
)

// ofSettings returns what the type of a block, its first label, and its arguments and blocks mean. name is what the
// block is called.
func (t settingsTable) ofSettings(b *hclconfig.Block, name string) []Meaning {
	var out []Meaning
	typ := Label(b, 0)
	if s := t.types[typ]; len(b.Labels) > 0 && s != hcllang.Everywhere {
		out = append(out, Meaning{b.Type + " " + typ, s, b.LabelRange(0)})
	}
	member := func(kind, member string, at addrs.Range) {
		if s := t.member(typ, member); s != hcllang.Everywhere {
			out = append(out, Meaning{kind + " " + member + " of " + name, s, at})
		}
	}
	for i := range b.Body.Arguments {
		a := &b.Body.Arguments[i]
		member("argument", a.Name, a.NameRange())
		if b.Type == "key_provider" && isPlainKeyProvider(a.Expression) {
			out = append(out, Meaning{"argument " + a.Name + " of " + name + " as plain text", PlainKeyProvider, a.Expression.Range()})
		}
	}
	for i := range b.Body.Blocks {
		member("block", b.Body.Blocks[i].Type, b.Body.Blocks[i].TypeRange())
	}
	return out
}

// member returns which releases have an argument or a block of a type.
func (t settingsTable) member(typ, name string) hcllang.Support {
	for _, key := range []string{typ + "." + name, name} {
		if s, ok := t.arguments[key]; ok {
			return s
		}
	}
	if others, ok := t.others[typ]; ok && !slices.Contains(strings.Fields(others), name) {
		return hcllang.Support{Terraform: "0"}
	}
	return hcllang.Everywhere
}

// isPlainKeyProvider reports whether an argument is the address of a key provider in JSON syntax, without a template.
func isPlainKeyProvider(e hclconfig.Expression) bool {
	return e.File().Syntax() == hclconfig.JSONSyntax && strings.HasPrefix(e.Raw(), `"key_provider.`)
}
