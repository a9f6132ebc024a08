import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tenonHere } from './run-here.ts'
import { folderOf, tenon } from './run-tenon.ts'

test('a new manifest lints, is typed, and the sandbox answers it', async () => {
  const folder = folderOf({})
  expect(await tenon(['init', 'acme-crm'], { folder })).toMatchObject({
    code: 0,
    out: 'manifests/acme-crm.yaml\n',
  })
  expect(await tenonHere(['lint'], { folder })).toMatchObject({ code: 0 })
  const { code, out } = await tenon(
    ['try', 'acme-crm', 'customers.list', '--all', '--json', '--limit', '30', '--sandbox'],
    { folder },
  )
  expect(code).toBe(0)
  expect(out.trim().split('\n')).toHaveLength(30)
  expect(await tenonHere(['types', '--out', 'types'], { folder })).toMatchObject({ code: 0 })
})

test('a draft from an OpenAPI document is written, what is left out goes to standard error', async () => {
  const folder = folderOf({
    'api.yaml': readFileSync('test/tools/authoring/openapi/ledger.yaml', 'utf8'),
  })
  const { code, out, err } = await tenonHere(['init', 'ledger', '--from-openapi', 'api.yaml'], {
    folder,
  })
  expect({ code, out }).toEqual({ code: 0, out: 'manifests/ledger.yaml\n' })
  expect(err).toContain(': 1 entity, 4 actions drafted')
  expect(err).toContain('missing (2):\n  POST /invoices/{id}/pdf is left out')
  expect(readFileSync(join(folder, 'manifests/ledger.yaml'), 'utf8')).toContain('# review: ')
})

test('a document is split into one manifest for each tag', async () => {
  const get = (tag: string) => ({
    get: {
      tags: [tag],
      responses: {
        200: {
          content: { 'application/json': { schema: { type: 'object', properties: { id: {} } } } },
        },
      },
    },
  })
  const document = { openapi: '3.0.0', paths: { '/a': get('First things'), '/b': get('second') } }
  const folder = folderOf({ 'api.json': JSON.stringify(document) })
  const args = ['init', 'acme', '--from-openapi', 'api.json', '--split', '--auth', 'header']
  const { code, out } = await tenonHere(args, { folder })
  expect({ code, out }).toEqual({
    code: 0,
    out: 'manifests/acme-first-things.yaml\nmanifests/acme-second.yaml\n',
  })
  expect(await tenonHere(['lint'], { folder })).toMatchObject({ code: 0 })
})

test.for([
  { name: 'a name that is no type', args: ['init', 'Acme CRM'], says: 'such as "acme-crm"' },
  { name: 'a file that is there', args: ['init', 'acme'], says: 'is there already' },
  {
    name: 'no such document',
    args: ['init', 'x', '--from-openapi', 'no.yaml'],
    says: 'cannot be read',
  },
  {
    name: 'a path without a document',
    args: ['init', 'x', '--path', 'GET /a'],
    says: 'belongs to --from-openapi',
  },
  {
    name: 'a file that lint would refuse for its name',
    args: ['init', 'pets', '--out', 'drafts/pets-m.yaml'],
    says: '--out drafts/pets.yaml, or begin with tenon init pets-m',
  },
])('wrong use: $name', async ({ args, says }) => {
  const folder = folderOf({ 'manifests/acme.yaml': '' })
  const { code, err } = await tenonHere(args, { folder })
  expect(code).toBe(2)
  expect(err).toContain(says)
})

test.for(['bearer', 'basic', 'header', 'oauth2'])(
  'a new manifest that signs in by %s lints, and its suite holds',
  async (auth) => {
    const folder = folderOf({})
    expect(await tenonHere(['init', 'acme', '--auth', auth], { folder })).toMatchObject({ code: 0 })
    expect(await tenonHere(['lint', 'acme'], { folder })).toMatchObject({ code: 0 })
    expect(await tenonHere(['test', 'acme'], { folder })).toMatchObject({ code: 0 })
  },
)
