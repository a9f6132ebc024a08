import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PNG } from '../fixtures/pictures.ts'
import { tenonHere } from './run-here.ts'

/** Lists are lines. */
const lastLine = (out: string): string => out.trimEnd().split('\n').at(-1) ?? ''

test('P11 a picture is given by a file whose bytes are one, and taken away', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-apps-'))
  writeFileSync(join(folder, 'logo.txt'), PNG)
  writeFileSync(join(folder, 'logo.png'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const apps = (...args: readonly string[]) =>
    tenonHere(['apps', ...args, '--data', folder, '--json'], { folder })
  const { client_id: id } = JSON.parse((await apps('create', '--name', 'acme')).out) as {
    readonly client_id: string
  }
  const update = (file: string) => apps('update', id, '--logo', file)
  expect(JSON.parse((await update('logo.txt')).out)).toMatchObject({ has_logo: true })
  for (const [file, says] of [
    ['logo.png', 'SVG'],
    ['nowhere.png', 'cannot be read'],
  ] as const) {
    const { code, out, err } = await update(file)
    expect([code, out + err]).toEqual([2, expect.stringContaining(says)])
  }
  expect(JSON.parse((await update('none')).out)).toMatchObject({ has_logo: false })
  const paint = (colour: string) => apps('update', id, '--accent', colour)
  expect(JSON.parse((await paint('#FFCC00')).out)).toMatchObject({ accent: '#ffcc00' })
  const wrong = await paint('teal')
  expect([wrong.code, wrong.out + wrong.err]).toEqual([2, expect.stringContaining('is no colour')])
  expect(JSON.parse((await paint('none')).out)).toMatchObject({ accent: null })
})

test('T13 an application is limited to addresses and networks, each read in one way', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-apps-'))
  const apps = (...args: readonly string[]) =>
    tenonHere(['apps', ...args, '--data', folder, '--json'], { folder })
  const addressesOf = async (): Promise<unknown> =>
    (JSON.parse(lastLine((await apps('list')).out)) as { addresses: unknown }).addresses
  const made = await apps('create', '--name', 'acme', '--address', '203.0.113.0/24', '2001:DB8::7')
  const { client_id: id } = JSON.parse(made.out) as { readonly client_id: string }
  expect(await addressesOf()).toEqual(['203.0.113.0/24', '2001:db8::7'])
  const wrong = await apps('update', id, '--address', '198.51.100.7', '10.1.2.3/8')
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining('write 10.0.0.0/8 for the network, or 10.1.2.3 for the address'),
  ])
  expect(await addressesOf()).toEqual(['203.0.113.0/24', '2001:db8::7'])
  await apps('update', id, '--address', '198.51.100.7')
  expect(await addressesOf()).toEqual(['198.51.100.7'])
  await apps('update', id, '--address', 'none')
  expect(await addressesOf()).toEqual([])
})

test('a secret is replaced with the earlier one kept for a while, and with an end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-apps-'))
  const apps = (...args: readonly string[]) =>
    tenonHere(['apps', ...args, '--data', folder, '--json'], { folder })
  const value = (text: string): Record<string, unknown> =>
    JSON.parse(text) as Record<string, unknown>
  const { client_id: id } = value((await apps('create', '--name', 'acme')).out)
  const facts = async (): Promise<unknown> =>
    JSON.parse(lastLine((await apps('list')).out)) as unknown
  const facts0 = { secret_made_by: 'cli', secret_used_at: null, secret_ends_at: null }
  expect(await facts()).toMatchObject({ ...facts0, earlier_secrets_until: null })
  await apps('disable', String(id))
  const { out: table } = await tenonHere(['apps', 'list', '--data', folder], { folder })
  expect(table).toMatch(/name +state +client_id/)
  expect(table).toMatch(new RegExp(`acme +disabled +${String(id)}`))
  await apps('enable', String(id))
  const ends = new Date(Date.now() + 86_400_000).toISOString()
  const keep = ['--keep', '3600', '--expires', ends]
  const rotated = value((await apps('rotate-secret', String(id), ...keep)).out)
  expect(rotated).toMatchObject({
    client_id: id,
    client_secret: expect.stringMatching(/^tenon_cs/),
  })
  expect(await facts()).toMatchObject({
    secret_ends_at: ends,
    earlier_secrets_until: expect.stringMatching(/^\d{4}-/),
  })
  expect(value((await apps('end-secrets', String(id))).out)).toEqual({ client_id: id, ended: 1 })
  expect(await facts()).toMatchObject({ earlier_secrets_until: null })
  expect(await facts()).toMatchObject({
    refused_last_day: 0,
    refused_last_week: 0,
    refused_for: [],
    refused_last_at: null,
  })
  for (const wrong of [
    ['--keep', 'soon'],
    ['--keep', '2592001'],
    ['--expires', '2020-01-01T00:00:00Z'],
  ]) {
    const { code, err } = await apps('rotate-secret', String(id), ...wrong)
    expect([code, err]).toEqual([2, expect.stringContaining(wrong[0] ?? '')])
  }
})
