// The unit of systemd: settings that the service takes, time to end in order, and nothing that it does not need. Where
// systemd-analyze is installed, it reads the unit too.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settingsFromEnvironment } from '../../src/service/environment.ts'

const UNIT = 'deploy/systemd/tenon.service'
const NO_SYSTEMD = 'systemd-analyze is not installed'
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

const lines = readFileSync(UNIT, 'utf8')
  .split('\n')
  .filter((line) => /^\w+=/.test(line))
  .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const)

function only(name: string): string {
  const found = lines.filter(([each]) => each === name)
  expect([name, found.length]).toEqual([name, 1])
  return found[0]?.[1] ?? ''
}

test('the unit serves as the image does', () => {
  const [, image = ''] =
    /exec (node .*?) \/app\/node_modules\/tenon/.exec(readFileSync('deploy/Dockerfile', 'utf8')) ??
    []
  expect(only('ExecStart')).toBe(
    `/usr/bin/env ${image} /usr/local/lib/node_modules/tenon/bin/tenon.js serve`,
  )
})

test('its settings are settings, and it may end in its own time', () => {
  const pairs = only('Environment')
    .split(' ')
    .map((pair) => pair.split('='))
  const settings = settingsFromEnvironment(Object.fromEntries(pairs) as Record<string, string>)
  expect(settings.data).toBe(`/var/lib/${only('StateDirectory')}`)
  expect(Number(only('TimeoutStopSec')) * 1000).toBeGreaterThan(
    settings.drainMs + settings.shutdownMs,
  )
})

test('K6 it has no root, no core dumps, and no way to more', () => {
  for (const [name, value] of [
    ['DynamicUser', 'yes'],
    ['LimitCORE', '0'],
    ['NoNewPrivileges', 'yes'],
    ['ProtectSystem', 'strict'],
    ['StateDirectoryMode', '0700'],
    ['CapabilityBoundingSet', ''],
  ] as const)
    expect([name, only(name)]).toEqual([name, value])
  // V8 makes machine code: with this the service would not start.
  expect(lines.map(([name]) => name)).not.toContain('MemoryDenyWriteExecute')
})

test('systemd takes it, and calls its exposure small', ({ skip }) => {
  if (!hasSystemd) return skip(NO_SYSTEMD)
  const verified = spawnSync('systemd-analyze', ['verify', UNIT], { encoding: 'utf8' })
  expect([verified.status, verified.stdout + verified.stderr]).toEqual([0, ''])
  // From 0 to 100; services without any of this have 96.
  const judged = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--threshold=20', UNIT],
    { encoding: 'utf8' },
  )
  expect([judged.status, judged.stderr]).toEqual([0, ''])
})
