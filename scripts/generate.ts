// Writes every file of the project that is made of others, each after those that it is made of.
//
//   npm run generate                    writes them
//   node scripts/generate.ts --check    exits 1 when one is not what it would be
import { spawnSync } from 'node:child_process'

const PROGRAMS: readonly (readonly [program: string, ...args: string[]])[] = [
  ['scripts/wasm.ts'],
  ['scripts/manifest-types.ts'],
  ['bin/tenon.js', 'types', '--out', 'src/client/generated'],
  ['bin/tenon.js', 'docs', '--out', 'docs/connectors'],
  ['scripts/service-types.ts'],
  ['scripts/references.ts'],
]

const isCheck = process.argv.includes('--check')
const failed = PROGRAMS.filter((program) => {
  const args = isCheck ? [...program, '--check'] : program
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0
})
if (failed.length > 0) {
  const names = failed.map((program) => program.join(' ')).join(', ')
  process.stdout.write(
    `${names} failed${isCheck ? '; npm run generate writes what is stale' : ''}\n`,
  )
  process.exitCode = 1
}
