import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PNG } from '../fixtures/pictures.ts'
import { tenonHere } from './run-here.ts'

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
})
