// Imports that must not be, planted into files that are not there: the walls catch each of them, and the message says
// which rule it is and what to do instead.
import { expect, test } from 'vitest'
import { HOUSE } from './rooms.ts'
import { edgesOf, filesWithoutRoom, type House, type Rule, violationsOf } from './walls.ts'

/** What a message must offer. */
const WAY_OUT: Readonly<Record<Rule, RegExp>> = {
  'no room': /Enter it in test\/house\/rooms\.ts.*ARCHITECTURE\.md/,
  room: /Take it as an argument|take the value as an argument/,
  package: /to a room that has .*test\/house\/rooms\.ts/,
  'I/O': /Take the value as an argument, or ask for it through a port/,
  computed: /Write the name as a string/,
  cycle: /Move what they share/,
}

interface Plant {
  readonly file: string
  readonly line: string
  readonly rule: Rule
  /** What the message names: rooms, a package, a path. */
  readonly names: readonly string[]
}

const PLANTS: readonly Plant[] = [
  // Rooms of one operation that look back.
  {
    file: 'src/json/plant.ts',
    line: "import { parse } from '../expression/parse-text.ts'",
    rule: 'room',
    names: ['expression stands after json'],
  },
  {
    file: 'src/expression/plant.ts',
    line: "import type { Manifest } from '../manifest/manifest.ts'",
    rule: 'room',
    names: ['manifest stands after expression'],
  },
  {
    file: 'src/manifest/plant.ts',
    line: "import { plan } from '../plan/plan.ts'",
    rule: 'room',
    names: ['plan stands after manifest'],
  },
  {
    file: 'src/manifest/lint/plant.ts',
    line: "import { build } from '../../request/build.ts'",
    rule: 'room',
    names: ['request stands after manifest'],
  },
  {
    file: 'src/plan/plant.ts',
    line: "export { build } from '../request/build.ts'",
    rule: 'room',
    names: ['request stands after plan'],
  },
  {
    file: 'src/request/plant.ts',
    line: "export * from '../response/decode.ts'",
    rule: 'room',
    names: ['response stands after request'],
  },
  {
    file: 'src/response/plant.ts',
    line: "const call = await import('../exchange/call.ts')",
    rule: 'room',
    names: ['exchange stands after response'],
  },
  {
    file: 'src/envelope/plant.ts',
    line: "import { Keeper } from '../credentials/keeper.ts'",
    rule: 'room',
    names: ['credentials stands after envelope'],
  },
  {
    file: 'src/exchange/plant.ts',
    line: "let keeper: typeof import('../credentials/keeper.ts')",
    rule: 'room',
    names: ['credentials stands after exchange'],
  },
  {
    file: 'src/credentials/plant.ts',
    line: "import '../run/steps.ts'",
    rule: 'room',
    names: ['run stands after credentials'],
  },
  {
    file: 'src/run/plant.ts',
    line: "import { createEngine } from '../engine.ts'",
    rule: 'room',
    names: ['engine.ts stands after run'],
  },
  {
    file: 'src/engine.ts',
    line: "import { undiciTransport } from './adapters/undici-transport.ts'",
    rule: 'room',
    names: ['adapters stands after engine.ts'],
  },
  {
    file: 'src/errors.ts',
    line: "import type { Json } from './json/json.ts'",
    rule: 'room',
    names: ['json stands after errors.ts'],
  },
  // Rooms that stand before and still are none of its business.
  {
    file: 'src/envelope/plant.ts',
    line: "import { plan } from '../plan/plan.ts'",
    rule: 'room',
    names: ['envelope has no right to plan'],
  },
  {
    file: 'src/exchange/plant.ts',
    line: "import { decode } from '../response/decode.ts'",
    rule: 'room',
    names: ['exchange has no right to response'],
  },
  {
    file: 'src/exchange/plant.ts',
    line: "import { build } from '../request/build.ts'",
    rule: 'room',
    names: ['exchange has a right to its types only', 'src/request/build.ts'],
  },
  {
    file: 'src/exchange/plant.ts',
    line: "import { type UpstreamRequest } from '../request/upstream-request.ts'",
    rule: 'room',
    names: ['exchange has a right to its types only', 'src/request/upstream-request.ts'],
  },
  {
    file: 'src/sync/plant.ts',
    line: "import { openStore } from '../store/store.ts'",
    rule: 'room',
    names: ['sync has no right to store'],
  },
  {
    file: 'src/agents/plant.ts',
    line: "import { connect } from '../client/connect.ts'",
    rule: 'room',
    names: ['agents has a right to its types only'],
  },
  {
    file: 'src/hosting/plant.ts',
    line: "import { searchRow } from '../search/row.ts'",
    rule: 'room',
    names: ['hosting has a right to its types only'],
  },
  // The service and its adapters. The first two were there until this test came.
  {
    file: 'src/adapters/store/kysely-store/plant.ts',
    line: "import { showEvent } from '../../../service/events/event-view.ts'",
    rule: 'room',
    names: ['service stands after adapters/store'],
  },
  {
    file: 'src/service/routes/plant.ts',
    line: "import { PoolLimits } from '../../adapters/origin-pool.ts'",
    rule: 'room',
    names: ['service has no right to adapters'],
  },
  {
    file: 'src/store/plant.ts',
    line: "import { openStore } from '../adapters/store/open-store.ts'",
    rule: 'room',
    names: ['adapters/store stands after store'],
  },
  {
    file: 'src/vault/plant.ts',
    line: "import { FileKeys } from '../adapters/keys/file-keys.ts'",
    rule: 'room',
    names: ['adapters/keys stands after vault'],
  },
  {
    file: 'src/adapters/plant.ts',
    line: "const file = new URL('./store/sqlite-worker.ts', import.meta.url)",
    rule: 'room',
    names: ['adapters/store stands after adapters'],
  },
  {
    file: 'src/adapters/search/plant.ts',
    line: 'new Worker(new URL(`../store/${name}.ts`, import.meta.url))',
    rule: 'room',
    names: ['adapters/search has no right to adapters/store'],
  },
  {
    file: 'src/service/plant.ts',
    line: "import { createService } from '../hosting/service.ts'",
    rule: 'room',
    names: ['hosting stands after service'],
  },
  {
    file: 'src/client/plant.ts',
    line: "import { openSandbox } from 'tenon/testing'",
    rule: 'room',
    names: ['testing stands after client', 'src/testing/index.ts'],
  },
  {
    file: 'src/sandbox/plant.ts',
    line: "import { connect } from 'tenon'",
    rule: 'room',
    names: ['sandbox has no right to index.ts'],
  },
  {
    file: 'src/agents/plant.ts',
    line: "import { serve } from '../mcp/mcp-server.ts'",
    rule: 'room',
    names: ['mcp stands after agents'],
  },
  {
    file: 'src/console/parts/plant.tsx',
    line: "import { showInstance } from '../../store/instance-view.ts'",
    rule: 'room',
    names: ['console has no right to store'],
  },
  {
    file: 'src/connect/plant.js',
    line: "import { problem } from '../service/http/problem.ts'",
    rule: 'room',
    names: ['service stands after connect'],
  },
  {
    file: 'src/index.ts',
    line: "export { createService } from './hosting/index.ts'",
    rule: 'room',
    names: ['hosting stands after index.ts'],
  },
  // Packages and modules of Node.
  {
    file: 'src/hosting/plant.ts',
    line: "import { Agent } from 'undici'",
    rule: 'package',
    names: ['undici', 'hosting', '(adapters)'],
  },
  {
    file: 'src/client/plant.ts',
    line: "const client = await import('undici/lib/dispatcher/client.js')",
    rule: 'package',
    names: ['undici', 'client'],
  },
  {
    file: 'src/adapters/search/plant.ts',
    line: "import { sql } from 'kysely'",
    rule: 'package',
    names: ['kysely', 'adapters/search', '(adapters/store)'],
  },
  {
    file: 'src/service/plant.ts',
    line: "import type { Pool } from 'pg'",
    rule: 'package',
    names: ['pg', 'service'],
  },
  {
    file: 'src/service/http/plant.ts',
    line: "import { fastify } from 'fastify'",
    rule: 'package',
    names: ['fastify', 'service'],
  },
  {
    file: 'src/service/connect/plant.tsx',
    line: "import { useState } from 'react'",
    rule: 'package',
    names: ['react', 'service', '(console)'],
  },
  {
    file: 'src/console/api/plant.ts',
    line: "import { readFile } from 'node:fs/promises'",
    rule: 'package',
    names: ['node:fs', 'console'],
  },
  {
    file: 'src/agents/plant.ts',
    line: "import { tool } from 'ai'",
    rule: 'package',
    names: ['ai', 'agents', '(none has)'],
  },
  {
    file: 'src/request/plant.ts',
    line: "const yaml = createRequire(import.meta.url)('yaml')",
    rule: 'package',
    names: ['yaml', 'request'],
  },
  {
    file: 'src/plan/plant.ts',
    line: "const load = createRequire(import.meta.url); const ajv = load('ajv')",
    rule: 'package',
    names: ['ajv', 'plan'],
  },
  {
    file: 'src/json/plant.ts',
    line: "const crypto = process.getBuiltinModule('node:crypto')",
    rule: 'package',
    names: ['node:crypto', 'json'],
  },
  {
    file: 'src/sandbox/plant.ts',
    line: "import gong from '../../test/fixtures/gong.json' with { type: 'json' }",
    rule: 'package',
    names: ['test/fixtures/gong.json', 'sandbox'],
  },
  // The outside world in rooms that are pure.
  {
    file: 'src/plan/plant.ts',
    line: "import { readFileSync } from 'node:fs'",
    rule: 'I/O',
    names: ['node:fs', 'plan'],
  },
  {
    file: 'src/response/plant.ts',
    line: "import { connect } from 'net'",
    rule: 'I/O',
    names: ['node:net', 'response'],
  },
  {
    file: 'src/exchange/plant.ts',
    line: "import { setTimeout } from 'node:timers/promises'",
    rule: 'I/O',
    names: ['node:timers', 'exchange'],
  },
  {
    file: 'src/search/plant.ts',
    line: "import { DatabaseSync } from 'node:sqlite'",
    rule: 'I/O',
    names: ['node:sqlite', 'search'],
  },
  {
    file: 'src/vault/plant.ts',
    line: "const { request } = require('node:https')",
    rule: 'I/O',
    names: ['node:https', 'vault'],
  },
  {
    file: 'src/sync/plant.ts',
    line: "import threads = require('node:worker_threads')",
    rule: 'I/O',
    names: ['node:worker_threads', 'sync'],
  },
  // Names that only the running program knows.
  {
    file: 'src/hosting/plant.ts',
    line: 'const module = await import(name)',
    rule: 'computed',
    names: [],
  },
  {
    file: 'src/adapters/store/plant.ts',
    line: 'const file = new URL(`${folder}/worker.ts`, import.meta.url)',
    rule: 'computed',
    names: [],
  },
  {
    file: 'src/adapters/store/plant.ts',
    line: "new Worker(join(import.meta.dirname, '../../service/plant.ts'))",
    rule: 'computed',
    names: [],
  },
  // Rooms nobody has given rights.
  {
    file: 'src/billing/plant.ts',
    line: "import { ConnectorError } from '../errors.ts'",
    rule: 'no room',
    names: ['src/billing'],
  },
  {
    file: 'src/adapters/redis/plant.ts',
    line: "import type { Store } from '../../store/store.ts'",
    rule: 'no room',
    names: ['src/adapters/redis'],
  },
  {
    file: 'src/cli/plant.ts',
    line: "import { invoice } from '../billing/invoice.ts'",
    rule: 'no room',
    names: ['src/billing'],
  },
]

test('at least 40 imports are planted', () => expect(PLANTS.length).toBeGreaterThanOrEqual(40))

test.for(PLANTS)('$file: $line', ({ file, line, rule, names }) => {
  const planted = [{ file, text: `// A plant.\n${line}\n` }]
  const found = violationsOf(edgesOf(planted, HOUSE), HOUSE)
  expect(found.map((each) => each.rule)).toEqual([rule])
  const message = found[0]?.message ?? ''
  expect(message.startsWith(`${file}:2`)).toBe(true)
  expect(message).toMatch(WAY_OUT[rule])
  for (const name of names) expect(message).toContain(name)
})

test('a file of no room is found, though it imports nothing', () => {
  const files = [{ file: 'src/billing/invoice.ts', text: 'export const one = 1\n' }]
  expect(filesWithoutRoom(files, HOUSE).map(({ rule }) => rule)).toEqual(['no room'])
})

test('rooms that import each other in a cycle are found, types and allowed imports included', () => {
  const house: House = {
    rooms: {
      a: { rooms: ['type c'], packages: [] },
      b: { rooms: ['a'], packages: [] },
      c: { rooms: ['b'], packages: [] },
    },
    exceptions: [],
  }
  const files = [
    { file: 'src/a/a.ts', text: "import type { C } from '../c/c.ts'" },
    { file: 'src/b/b.ts', text: "import { a } from '../a/a.ts'" },
    { file: 'src/c/c.ts', text: "import { b } from '../b/b.ts'" },
  ]
  const found = violationsOf(edgesOf(files, house), house)
  expect(found.map(({ rule }) => rule)).toEqual(['cycle'])
  expect(found[0]?.message).toContain('a → c → b → a')
  expect(found[0]?.message).toMatch(WAY_OUT.cycle)
})

test.for([
  { name: 'of its own room', file: 'src/plan/plant.ts', line: "import { plan } from './plan.ts'" },
  {
    name: 'of a room before it',
    file: 'src/plan/plant.ts',
    line: "import { Manifest } from '../manifest/manifest.ts'",
  },
  {
    name: 'of types',
    file: 'src/exchange/plant.ts',
    line: "import type { A } from '../request/build.ts'",
  },
  {
    name: 'of a package it has',
    file: 'src/adapters/plant.ts',
    line: "import { Pool } from 'undici'",
  },
  {
    name: 'of types of a stream',
    file: 'src/run/plant.ts',
    line: "import type { Readable } from 'node:stream'",
  },
  { name: 'of its own folder', file: 'src/package-file.ts', line: "new URL('.', import.meta.url)" },
  {
    name: 'that stands in a comment',
    file: 'src/plan/plant.ts',
    line: "// import fs from 'node:fs'",
  },
  {
    name: 'that stands in a text',
    file: 'src/plan/plant.ts',
    line: 'const text = "import fs from \'node:fs\'"',
  },
])('an import $name is allowed', ({ file, line }) => {
  expect(violationsOf(edgesOf([{ file, text: line }], HOUSE), HOUSE)).toEqual([])
})
