module github.com/tofuwire/tofuwire/internal/record

go 1.26.0

replace github.com/tofuwire/tofuwire => ../../

require (
	github.com/tofuwire/tofuwire v0.0.0-00010101000000-000000000000
	golang.org/x/mod v0.42.0
)

require (
	github.com/ProtonMail/go-crypto v1.5.2 // indirect
	github.com/cloudflare/circl v1.6.3 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)
