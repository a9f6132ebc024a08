// What `npm install` of the package brings into an empty folder, beside packages that hosts know.
import { spawnSync } from 'node:child_process'
import { globSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildPackage } from './build.ts'
import type { Line, Row } from './row.ts'
import { spreadOf } from './statistics.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const RIVALS = ['octokit@5.0.5', 'stripe@23.1.0', '@nangohq/node@0.71.10'] as const

interface Installed {
  readonly packages: number
  readonly megabytes: number
  readonly seconds: number
}

/** Needs the registry of packages. A rival that cannot be installed is left out. */
export const installRow: Row = {
  name: 'install',
  about: 'npm install into an empty folder: packages, size on disk, time',
  async run() {
    buildPackage()
    const folder = mkdtempSync(join(tmpdir(), 'tenon-install-'))
    try {
      const packed = npm(root, [
        'pack',
        '--silent',
        '--ignore-scripts',
        '--pack-destination',
        folder,
      ])
      const wanted = [
        ['tenon', join(folder, packed.stdout.trim())],
        ...RIVALS.map((each) => [each, each]),
      ]
      const sides = wanted.flatMap(([name = '', source = '']) => {
        const installed = install(folder, source)
        return installed === null ? [] : [{ name, installed }]
      })
      return await Promise.resolve(linesOf(sides))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function install(parent: string, source: string): Installed | null {
  const folder = mkdtempSync(join(parent, 'host-'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "host", "private": true }')
  const began = performance.now()
  const { status } = npm(folder, ['install', '--no-audit', '--no-fund', '--loglevel=error', source])
  const seconds = (performance.now() - began) / 1000
  if (status !== 0) return null
  const found = globSync('node_modules/**/*', { cwd: folder })
  const packages = globSync('node_modules/{[!@.]*,@*/*}{,/node_modules/*}/package.json', {
    cwd: folder,
  })
  const blocks = found.reduce((sum, path) => sum + lstatSync(join(folder, path)).blocks, 0)
  return { packages: packages.length, megabytes: (blocks * 512) / 2 ** 20, seconds }
}

function npm(cwd: string, args: readonly string[]) {
  return spawnSync('npm', args, { cwd, encoding: 'utf8' })
}

function linesOf(
  sides: readonly { readonly name: string; readonly installed: Installed }[],
): Line[] {
  const line = (
    title: string,
    unit: string,
    figure: keyof Installed,
    atMost: number | null,
  ): Line => ({
    title,
    unit,
    sides: sides.map(({ name, installed }) => ({ name, ...spreadOf([installed[figure]]) })),
    figures: sides
      .filter(({ name }) => name === 'tenon')
      .map(({ name, installed }) => ({
        name,
        unit,
        ...spreadOf([installed[figure]]),
        must: atMost === null ? null : { atMost },
        goal: figure === 'megabytes' ? { atMost: 9 } : null,
      })),
  })
  return [
    line('packages', '', 'packages', 15),
    line('on disk', 'MB', 'megabytes', 20),
    line('time', 's', 'seconds', null),
  ]
}
