// The version of this package.
import { readFileSync } from 'node:fs'
import { packageFile } from '../package-file.ts'

export function packageVersion(): string {
  const text = readFileSync(packageFile('package.json'), 'utf8')
  // Our own package.json.
  return (JSON.parse(text) as { readonly version: string }).version
}
