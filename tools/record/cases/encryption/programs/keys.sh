#!/bin/sh
# A key provider that always has the same key.
key=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=
echo '{"magic":"OpenTofu-External-Key-Provider","version":1}'
printf '{"keys":{"encryption_key":"%s","decryption_key":"%s"},"meta":{"external_data":{"key_id":"k1","b":[1,"x"]}}}\n' $key $key
