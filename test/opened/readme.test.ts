// The README's commands in a fresh checkout, as they are written: npm installs, and nothing of the project is changed.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf } from '../docs/blocks.ts'
import { checkout, serving, succeeds } from './delivered.ts'
import { type Application, openPages } from './walk.ts'

let folder: string
let before: ReadonlyMap<string, string>

const blocks = blocksOf('README.md')
/** Those that end by themselves and need no account: others serve, or ask a real third party or a running service. */
const commands = blocks
  .filter(({ language, text }) => ['', 'sh'].includes(language) && !text.includes('export '))
  .flatMap(({ text }) => text.trim().split('\n'))
  .map((line) => line.replace(/ +# .*$/, ''))
  .filter((line) => line.startsWith('npm run ') && !/ serve /.test(`${line} `))

beforeAll(async () => {
  folder = checkout()
  before = filesIn(folder)
  const manifest = blocks.find(
    ({ language, text }) => language === 'yaml' && text.includes('manifest: 1'),
  )
  writeFileSync(join(folder, 'manifests/acme.yaml'), manifest?.text ?? '')
  await succeeds(folder, 'npm', ['run', '-s', 'tenon', '--', '--version'])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('there are some of every kind', () => {
  const words = commands.map((line) => line.split(' ').slice(2, 5).join(' '))
  expect(words).toEqual(
    expect.arrayContaining([
      'demo',
      'tenon -- try',
      'tenon -- lint',
      'tenon -- test',
      'tenon -- types',
      'tenon -- mcp',
    ]),
  )
})

test.for(commands)('%s', async (command) => {
  expect(await succeeds(folder, 'bash', ['-c', command])).not.toBe('')
})

test('no file of the project has changed, and those that were made are named by the commands', () => {
  const after = filesIn(folder)
  const changed = [...before].filter(([name, hash]) => after.get(name) !== hash)
  expect(changed).toEqual([])
  const made = [...after.keys()].filter((name) => !before.has(name))
  expect(made.toSorted()).toEqual([
    'call.mp3',
    'generated/acme.ts',
    'generated/index.ts',
    'manifests/acme.yaml',
  ])
})

test('the service that it starts has its console and its reference', async () => {
  const env = { TENON_PORT: '0', TENON_DATA: join(folder, 'data') }
  const command = commandOf('serve --sandbox')
  await using service = await serving(folder, 'bash', ['-c', command], env)
  const create = ['run', '-s', 'tenon', '--', 'apps', 'create', '--name', 'opened', '--json']
  const application = JSON.parse(await succeeds(folder, 'npm', create, env)) as Application
  expect(await openPages(service.url, application, 'checkout')).toEqual([])
})

function commandOf(words: string): string {
  const line = blocks
    .flatMap(({ text }) => text.split('\n'))
    .find((each) => each.startsWith('npm run tenon') && each.includes(words))
  if (line === undefined) throw new Error(`the README has no command with "${words}"`)
  return line
}

/** The files of a checkout by name, with their hashes, but what is installed or built. */
function filesIn(place: string): ReadonlyMap<string, string> {
  const names = globSync('**/*', {
    cwd: place,
    exclude: (name) => ['node_modules', 'dist', 'data'].includes(name),
  }).filter((name) => statSync(join(place, name)).isFile())
  return new Map(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(place, name)))
        .digest('hex'),
    ]),
  )
}
