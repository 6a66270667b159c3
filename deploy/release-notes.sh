#!/bin/sh
# Prints the section of CHANGELOG.md for a tag such as v1.2.0: deploy/release-notes.sh TAG
# Fails without such a section, and when the packages or the OpenAPI document have another version.
set -eu
version=${1#v}
for package in package.json packages/*/package.json; do
  grep -q "\"version\": \"$version\"" "$package" || { echo "$package has another version than $1" >&2; exit 1; }
done
grep -q "^  version: $version\$" spec/openapi.yaml || { echo "spec/openapi.yaml has another version than $1" >&2; exit 1; }
awk -v heading="## $version" '
  /^## / { inside = ($0 == heading || index($0, heading " ") == 1); next }
  inside { print; found = found || NF }
  END { exit !found }
' CHANGELOG.md || { echo "CHANGELOG.md has no section for $version" >&2; exit 1; }
