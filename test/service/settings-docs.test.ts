// docs/operation.md names every setting there is, and no other.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../src/service/environment.ts'
import { settingNames, shownSettings } from '../../src/service/environment.ts'

test('the table of settings is the one in force', () => {
  const text = readFileSync('docs/operation.md', 'utf8')
  const [, table = ''] = /## Settings\n([\s\S]*?)\n## /.exec(text) ?? []
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows
    .flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([A-Z][A-Z_]+)`/g)])
    .map(([, name = '']) => name)
  expect(named.toSorted()).toEqual(settingNames().toSorted())
})

test('the settings that a start prints are those that were given, secrets masked', () => {
  const shown = shownSettings({
    ...DEFAULT_SETTINGS,
    databaseUrl: 'postgres://user:secret@host/db',
    masterKeys: ['k1:secret'],
    allowHosts: ['10.0.0.0/8', 'localhost'],
    rateLimit: { count: 10, seconds: 60 },
  })
  expect(
    shown.filter((line) => /DATABASE_URL|MASTER|TENON_ALLOW_HOSTS|RATE_LIMIT/.test(line)),
  ).toEqual([
    'DATABASE_URL=***',
    'TENON_MASTER_KEYS=***',
    'TENON_ALLOW_HOSTS=10.0.0.0/8,localhost',
    'TENON_RATE_LIMIT={"count":10,"seconds":60}',
  ])
  expect(shown.join('\n')).not.toContain('secret')
})
