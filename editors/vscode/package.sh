#!/usr/bin/env bash
# Packs the extension as `houserule.vsix`, which `code --install-extension houserule.vsix` installs. It needs Node and npm.
set -euo pipefail
cd "$(dirname "$0")"
cp ../../LICENSE LICENSE
trap 'rm -f LICENSE' EXIT
npm ci --omit=dev --ignore-scripts --no-audit --no-fund
npx --yes @vscode/vsce@3 package --allow-missing-repository --out houserule.vsix
