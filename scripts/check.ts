// Everything that must hold before a change is ready: types, lint, format, generated files, tests. Stops at the first failure.
import { spawnSync } from 'node:child_process'

const CHECKS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['types', 'tsc', '-p', 'tsconfig.json'],
  [
    'types that exports state',
    'tsc',
    '-p',
    'tsconfig.build.json',
    '--noEmit',
    '--emitDeclarationOnly',
    'false',
  ],
  ['types of the console', 'tsc', '-p', 'src/console/tsconfig.json'],
  ['types of the connect page', 'tsc', '-p', 'src/connect/tsconfig.json'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'prettier', '--check', '--log-level', 'warn', '.'],
  ['manifests', 'node', 'bin/tenon.js', 'lint'],
  ['generated files', 'node', 'scripts/generate.ts', '--check'],
  ['threats', 'node', 'scripts/check-threats.ts'],
  ['unused', 'knip'],
  ['site', 'node', 'scripts/build-site.ts'],
  ['build', 'node', 'scripts/build.ts'],
  ['package', 'publint', '--strict'],
  ['package types', 'attw', '--pack', '.', '--profile', 'esm-only', '--format', 'ascii'],
  ['tests', 'vitest', 'run'],
  ['tests of whole programs', 'vitest', 'run', '--project', 'programs'],
  ['tests in a browser', 'vitest', 'run', '--project', 'browser'],
  ['tests with kills', 'node', 'scripts/chaos.ts', '--scale', '1'],
  ['tests of what is built', 'vitest', 'run', '--config', 'vitest.package.config.ts'],
]

for (const [name, command, ...args] of CHECKS) {
  process.stdout.write(`\n── ${name}: ${[command, ...args].join(' ')}\n`)
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) {
    process.stdout.write(`\n${name} failed\n`)
    process.exit(status ?? 1)
  }
}
process.stdout.write('\nall checks passed\n')
