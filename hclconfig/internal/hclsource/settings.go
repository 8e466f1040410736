// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// backends has the types of backends that not every release has. Terraform 1.3 removed those that
// OpenTofu never had. The backend azurerm was called azure before.
// Source: internal/backend/init of both programs, and Terraform's changelog.
var backends = map[string]hcllang.Support{
	"oci":   {Terraform: "1.12"},
	"azure": beforeRemoval, "artifactory": beforeRemoval, "etcd": beforeRemoval, "etcdv3": beforeRemoval, "manta": beforeRemoval, "swift": beforeRemoval,
}

// The supports that many arguments have.
var (
	beforeRemoval = hcllang.Support{Terraform: "0", TerraformUntil: "1.3"}
	fromSDK2      = hcllang.Support{OpenTofu: "0", Terraform: "1.6"}                       // the backend s3 was written anew
	asRole        = hcllang.Support{OpenTofu: "0", Terraform: "0", TerraformUntil: "1.10"} // became the argument assume_role
	azureAnew     = hcllang.Support{OpenTofu: "1.11", Terraform: "1.11"}                   // so was azurerm
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
	"kubernetes.config_paths":                    {OpenTofu: "0", Terraform: "1.1"},
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

// cloudArguments has those of the block workspaces in cloud. validate of older releases accepts them, init of
// Terraform 1.5.7 does not.
// Source: internal/cloud of OpenTofu v1.6.0.
var cloudArguments = map[string]hcllang.Support{"project": {OpenTofu: "0", Terraform: "1.6"}}

// keyProviders and methods have the types of encryption that came after OpenTofu 1.7, and encryptionArguments the
// arguments of key providers.
// Source: internal/encryption of OpenTofu v1.7.0 to v1.12.6.
var (
	keyProviders        = map[string]hcllang.Support{"xor": {OpenTofu: "1.9"}, "external": {OpenTofu: "1.10"}, "azure_vault": {OpenTofu: "1.11"}}
	methods             = map[string]hcllang.Support{"external": {OpenTofu: "1.10"}}
	encryptionArguments = map[string]hcllang.Support{
		"encrypted_metadata_alias": {OpenTofu: "1.9"},
		"chain":                    {OpenTofu: "1.10"},
	}
)

// ofSettings returns what the type of a block, its label, and its arguments and blocks mean. What the tables
// lack counts as known everywhere. The arguments stand under TYPE.NAME if typ is not empty.
func ofSettings(b *hclconfig.Block, types, arguments map[string]hcllang.Support, typ string) []Meaning {
	var out []Meaning
	if s, ok := types[Label(b, 0)]; ok {
		out = append(out, Meaning{b.Type + " " + Label(b, 0), s, b.LabelRange(0)})
	}
	of, prefix := b.Type, ""
	if typ != "" {
		of, prefix = b.Type+" "+typ, typ+"."
	}
	for i := range b.Body.Arguments {
		a := &b.Body.Arguments[i]
		if s, ok := arguments[prefix+a.Name]; ok {
			out = append(out, Meaning{"argument " + a.Name + " of " + of, s, a.NameRange()})
		}
	}
	for i := range b.Body.Blocks {
		inner := b.Body.Blocks[i]
		if s, ok := arguments[prefix+inner.Type]; ok {
			out = append(out, Meaning{"block " + inner.Type + " of " + of, s, inner.TypeRange()})
		}
	}
	return out
}
