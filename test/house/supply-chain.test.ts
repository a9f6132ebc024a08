// What the package brings with it: exact versions, each with a reason, nothing that runs at installation.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../package/fresh-process.ts'
import { IS_FULL } from '../fixtures/sizes.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly scripts: Readonly<Record<string, string>>
}

test('Y1 every dependency has one exact version', () => {
  const loose = Object.entries(manifest.devDependencies).filter(
    ([, version]) => !/^\d+\.\d+\.\d+[-\w.]*$/.test(version),
  )
  expect(loose).toEqual([])
})

test('Y1 nothing is installed with the package: what it needs is part of it, or asked for by name', () => {
  expect(manifest.dependencies).toBeUndefined()
})

test('Y1 nothing runs when the package is installed', () => {
  const hooks = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish']
  expect(hooks.filter((name) => manifest.scripts[name] !== undefined)).toEqual([])
})

test.runIf(IS_FULL)('Y1 two packs are the same bytes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-pack-'))
  try {
    const hashes = [1, 2].map(() => {
      const { status } = spawnSync(
        'npm',
        ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder],
        { cwd: root },
      )
      expect(status).toBe(0)
      const [file = ''] = readdirSync(folder)
      const hash = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')
      rmSync(join(folder, file))
      return hash
    })
    expect(hashes[0]).toBe(hashes[1])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
