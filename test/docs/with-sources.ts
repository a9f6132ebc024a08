// Programs of the documentation with our sources in the place of the package.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export function withSources(text: string): string {
  const url = (path: string): string => pathToFileURL(resolve(path)).href
  return text
    .replaceAll(/'tenon\/(agents|mcp|testing)'/g, (_, entry: string) => {
      return `'${url(`src/${entry}/index.ts`)}'`
    })
    .replaceAll("'tenon/service'", `'${url('src/hosting/index.ts')}'`)
    .replaceAll("'tenon'", `'${url('src/index.ts')}'`)
}
