import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tenonHere } from './run-here.ts'
import { folderOf, tenon } from './run-tenon.ts'

test('a recording holds no secret, and tenon test replays it', async () => {
  const folder = folderOf({})
  const { code, out } = await tenon(
    [
      'try',
      'jira',
      'issues.get',
      '--params',
      '{"issueIdOrKey":"OPS-1"}',
      '--record',
      'issues.get',
      '--sandbox',
    ],
    { folder },
  )
  expect({ code, out }).toEqual({
    code: 0,
    out: `${join(folder, 'test/recordings/jira/issues.get.json')}\n`,
  })
  const files = readdirSync(join(folder, 'test/recordings'), {
    recursive: true,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  expect(files).toHaveLength(2)
  const basic = Buffer.from('maren.osterloh@tallow.example:demo-api-token').toString('base64')
  for (const text of files) {
    expect(text).not.toContain('demo-api-token')
    expect(text).not.toContain(basic)
  }
  const replayed = await tenonHere(['test', 'jira', '--json'], { folder })
  expect(replayed.out).toContain(
    '{"case":"jira issues.get as it was recorded","ok":true,"problem":null}\n',
  )
})

test('a file cannot be recorded', async () => {
  const { code, err } = await tenonHere(
    ['try', 'gong', 'call_audio.download', '--record', 'audio', '--sandbox'],
    { folder: folderOf({}) },
  )
  expect(code).toBe(2)
  expect(err).toContain('cannot be recorded')
})
