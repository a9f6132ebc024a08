// The bodies of routes as TypeScript, made of the schemas in the route table: src/client/service-bodies.ts.
//
//   node scripts/service-types.ts            writes it
//   node scripts/service-types.ts --check    exits 1 when it is not what it would be
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compile } from 'json-schema-to-typescript'
import { format, resolveConfig } from 'prettier'
import { createService } from '../src/hosting/service.ts'
import type { JsonObject } from '../src/language/json/json.ts'
import type { Route } from '../src/service/route.ts'
import { EVENT_TYPES } from '../src/client/webhooks/event.ts'

const FILE = 'src/client/service-bodies.ts'

interface Wanted {
  /** The name of the type, and what it is. */
  readonly name: string
  readonly about: string
  readonly schema: JsonObject
}

function schemas(routes: readonly Route[]): readonly Wanted[] {
  const route = (name: string): Route => {
    const found = routes.find((each) => each.name === name)
    if (found === undefined) throw new TypeError(`no route ${name}`)
    return found
  }
  const answer = (name: string): JsonObject => {
    const [success] = route(name).success
    if (success?.schema == null) throw new TypeError(`${name} answers nothing`)
    return success.schema as JsonObject
  }
  const body = (name: string): JsonObject => {
    const given = route(name).body
    if (given === null) throw new TypeError(`${name} takes nothing`)
    return given.schema
  }
  const items = (schema: JsonObject): JsonObject => {
    const { data } = schema['properties'] as Readonly<Record<string, JsonObject>>
    return data?.['items'] as JsonObject
  }
  return [
    { name: 'Redelivered', about: 'For how many webhooks.', schema: answer('redeliverEvent') },
    { name: 'NewWebhook', about: 'A webhook to be made.', schema: body('createWebhook') },
    { name: 'Webhook', about: 'Without its secret.', schema: answer('getWebhook') },
    { name: 'WebhookWithSecret', about: 'Shown once.', schema: answer('createWebhook') },
    { name: 'WebhookChange', about: 'What is left out stays.', schema: body('updateWebhook') },
    { name: 'SecretRotation', about: 'How it is changed.', schema: body('rotateWebhookSecret') },
    { name: 'WebhookTest', about: 'What the receiver said.', schema: answer('testWebhook') },
    {
      name: 'WebhookDelivery',
      about: 'An event on its way to a webhook.',
      schema: items(answer('listWebhookDeliveries')),
    },
  ]
}

const TYPES = Object.keys(EVENT_TYPES).join()

/** Known members only: new ones may come, and nobody could rely on them. Types of events have a type of their own. */
function shaped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shaped)
  if (typeof value !== 'object' || value === null) return value
  const { enum: values } = value as JsonObject
  if (Array.isArray(values) && values.join() === TYPES) return { tsType: 'EventType' }
  const members = Object.entries(value).map(([name, member]) => [name, shaped(member)])
  const schema = Object.fromEntries(members) as JsonObject
  return 'properties' in schema ? { ...schema, additionalProperties: false } : schema
}

const OPTIONS = { bannerComment: '', format: false, ignoreMinAndMaxItems: true }
const HEAD = `// Made by scripts/service-types.ts of the schemas of the routes. Do not edit.
import type { EventType } from './webhooks/event.ts'
`

async function typesOf(routes: readonly Route[]): Promise<string> {
  const parts: string[] = []
  for (const { name, about, schema } of schemas(routes)) {
    const described = { ...(shaped(schema) as JsonObject), description: about }
    parts.push(await compile(described, name, OPTIONS))
  }
  const settings = { ...(await resolveConfig(FILE)), filepath: FILE }
  const text = await format([HEAD, ...parts].join('\n'), settings)
  return text
    .replaceAll(/^( +)(\w+\??: )/gm, '$1readonly $2')
    .replaceAll(/: (\w+\[\])/g, ': readonly $1')
    .replaceAll(/\/\*\*\n +\* (.*)\n +\*\//g, '/** $1 */')
}

const folder = mkdtempSync(join(tmpdir(), 'tenon-service-types-'))
const service = await createService({ mode: 'dev', data: folder, logLevel: 'silent', jobs: false })
try {
  const text = await typesOf(service.routes)
  const isCheck = process.argv.includes('--check')
  let before: string | null = null
  try {
    before = readFileSync(FILE, 'utf8')
  } catch {
    // The first time.
  }
  if (before !== text) {
    process.stdout.write(`${isCheck ? 'stale' : 'written'} ${FILE}\n`)
    if (isCheck) process.exitCode = 1
    else writeFileSync(FILE, text)
  }
} finally {
  await service.close()
  rmSync(folder, { recursive: true })
}
