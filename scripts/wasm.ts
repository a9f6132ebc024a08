// Makes a module of every WebAssembly text (.wat) in src: its program in base64, which every bundler carries along.
//
//   node scripts/wasm.ts            writes them
//   node scripts/wasm.ts --check    exits 1 when one is not what it would be
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

import wabt from 'wabt'

const assembler = await wabt()

function moduleOf(path: string): string {
  const source = assembler.parseWat(path, readFileSync(path, 'utf8'), { simd: true })
  source.validate()
  const program = Buffer.from(source.toBinary({}).buffer).toString('base64')
  source.destroy()
  const name = `${basename(path, '.wat').replaceAll('-', '_').toUpperCase()}_WASM`
  return `// Made by scripts/wasm.ts of ${basename(path)}. Do not edit.

/** The program, in base64. */
export const ${name}: string =
  '${program}'
`
}

const isCheck = process.argv.includes('--check')
let stale = 0
for (const path of globSync('src/**/*.wat')) {
  const text = moduleOf(path)
  const made = path.replace(/\.wat$/, '-wasm.ts')
  if (existsSync(made) && readFileSync(made, 'utf8') === text) continue
  stale++
  process.stdout.write(`${isCheck ? 'stale' : 'written'} ${made}\n`)
  if (!isCheck) writeFileSync(made, text)
}
process.exitCode = isCheck && stale > 0 ? 1 : 0
