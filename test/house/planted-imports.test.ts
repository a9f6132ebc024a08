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
    file: 'src/language/json/plant.ts',
    line: "import { parse } from '../expression/parse-text.ts'",
    rule: 'room',
    names: ['language/expression stands after language/json'],
  },
  {
    file: 'src/language/expression/plant.ts',
    line: "import type { Manifest } from '../manifest/manifest.ts'",
    rule: 'room',
    names: ['language/manifest stands after language/expression'],
  },
  {
    file: 'src/language/manifest/plant.ts',
    line: "import { plan } from '../../engine/plan/plan.ts'",
    rule: 'room',
    names: ['engine/plan stands after language/manifest'],
  },
  {
    file: 'src/language/manifest/lint/plant.ts',
    line: "import { build } from '../../../engine/request/build.ts'",
    rule: 'room',
    names: ['engine/request stands after language/manifest'],
  },
  {
    file: 'src/engine/plan/plant.ts',
    line: "export { build } from '../request/build.ts'",
    rule: 'room',
    names: ['engine/request stands after engine/plan'],
  },
  {
    file: 'src/engine/request/plant.ts',
    line: "export * from '../response/decode.ts'",
    rule: 'room',
    names: ['engine/response stands after engine/request'],
  },
  {
    file: 'src/engine/response/plant.ts',
    line: "const call = await import('../exchange/call.ts')",
    rule: 'room',
    names: ['engine/exchange stands after engine/response'],
  },
  {
    file: 'src/engine/envelope/plant.ts',
    line: "import { Keeper } from '../credentials/keeper.ts'",
    rule: 'room',
    names: ['engine/credentials stands after engine/envelope'],
  },
  {
    file: 'src/engine/exchange/plant.ts',
    line: "let keeper: typeof import('../credentials/keeper.ts')",
    rule: 'room',
    names: ['engine/credentials stands after engine/exchange'],
  },
  {
    file: 'src/engine/credentials/plant.ts',
    line: "import '../run/steps.ts'",
    rule: 'room',
    names: ['engine/run stands after engine/credentials'],
  },
  {
    file: 'src/engine/run/plant.ts',
    line: "import { Engine } from '../engine.ts'",
    rule: 'room',
    names: ['engine/engine.ts stands after engine/run'],
  },
  {
    file: 'src/engine/engine.ts',
    line: "import { undiciTransport } from './adapters/undici-transport.ts'",
    rule: 'room',
    names: ['engine/adapters stands after engine/engine.ts'],
  },
  {
    file: 'src/errors.ts',
    line: "import type { Json } from './language/json/json.ts'",
    rule: 'room',
    names: ['language/json stands after errors.ts'],
  },
  // Rooms that stand before and still are none of its business.
  {
    file: 'src/engine/envelope/plant.ts',
    line: "import { plan } from '../plan/plan.ts'",
    rule: 'room',
    names: ['engine/envelope has no right to engine/plan'],
  },
  {
    file: 'src/engine/exchange/plant.ts',
    line: "import { decode } from '../response/decode.ts'",
    rule: 'room',
    names: ['engine/exchange has no right to engine/response'],
  },
  {
    file: 'src/engine/exchange/plant.ts',
    line: "import { build } from '../request/build.ts'",
    rule: 'room',
    names: ['engine/exchange has a right to its types only', 'src/engine/request/build.ts'],
  },
  {
    file: 'src/engine/exchange/plant.ts',
    line: "import { type UpstreamRequest } from '../request/upstream-request.ts'",
    rule: 'room',
    names: [
      'engine/exchange has a right to its types only',
      'src/engine/request/upstream-request.ts',
    ],
  },
  {
    file: 'src/copy/sync/plant.ts',
    line: "import { openStore } from '../../service/store/store.ts'",
    rule: 'room',
    names: ['service/store stands after copy/sync'],
  },
  {
    file: 'src/agents/plant.ts',
    line: "import { connect } from '../client/connect.ts'",
    rule: 'room',
    names: ['agents has a right to its types only'],
  },
  {
    file: 'src/hosting/plant.ts',
    line: "import { searchRow } from '../copy/search/row.ts'",
    rule: 'room',
    names: ['hosting has a right to its types only'],
  },
  // The service and its adapters. The first two were there until this test came.
  {
    file: 'src/service/store/sql/kysely-store/plant.ts',
    line: "import { showEvent } from '../../../events/event-view.ts'",
    rule: 'room',
    names: ['service stands after service/store/sql'],
  },
  {
    file: 'src/service/routes/plant.ts',
    line: "import { PoolLimits } from '../../engine/adapters/origin-pool.ts'",
    rule: 'room',
    names: ['service has no right to engine/adapters'],
  },
  {
    file: 'src/service/store/plant.ts',
    line: "import { openStore } from './open/open-store.ts'",
    rule: 'room',
    names: ['service/store/open stands after service/store'],
  },
  {
    file: 'src/service/vault/plant.ts',
    line: "import { FileKeys } from './keys/file-keys.ts'",
    rule: 'room',
    names: ['service/vault/keys stands after service/vault'],
  },
  {
    file: 'src/engine/adapters/plant.ts',
    line: "const file = new URL('../../service/store/sqlite/sqlite-worker.ts', import.meta.url)",
    rule: 'room',
    names: ['service/store/sqlite stands after engine/adapters'],
  },
  {
    file: 'src/copy/sqlite/plant.ts',
    line: 'new Worker(new URL(`../../service/store/sql/${name}.ts`, import.meta.url))',
    rule: 'room',
    names: ['service/store/sql stands after copy/sqlite'],
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
    names: ['sandbox/testing stands after client', 'src/sandbox/testing/index.ts'],
  },
  {
    file: 'src/sandbox/plant.ts',
    line: "import { connect } from 'tenon'",
    rule: 'room',
    names: ['sandbox has no right to index.ts'],
  },
  {
    file: 'src/agents/plant.ts',
    line: "import { serve } from './mcp/mcp-server.ts'",
    rule: 'room',
    names: ['agents/mcp stands after agents'],
  },
  {
    file: 'src/console/parts/plant.tsx',
    line: "import { showInstance } from '../../service/store/instance-view.ts'",
    rule: 'room',
    names: ['console has no right to service/store'],
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
    names: ['undici', 'hosting', '(engine/adapters)'],
  },
  {
    file: 'src/client/plant.ts',
    line: "const client = await import('undici/lib/dispatcher/client.js')",
    rule: 'package',
    names: ['undici', 'client'],
  },
  {
    file: 'src/copy/sqlite/plant.ts',
    line: "import { sql } from 'kysely'",
    rule: 'package',
    names: ['kysely', 'copy/sqlite', 'service/store/sql'],
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
    file: 'src/engine/request/plant.ts',
    line: "const yaml = createRequire(import.meta.url)('yaml')",
    rule: 'package',
    names: ['yaml', 'engine/request'],
  },
  {
    file: 'src/engine/plan/plant.ts',
    line: "const load = createRequire(import.meta.url); const ajv = load('ajv')",
    rule: 'package',
    names: ['ajv', 'engine/plan'],
  },
  {
    file: 'src/language/json/plant.ts',
    line: "const crypto = process.getBuiltinModule('node:crypto')",
    rule: 'package',
    names: ['node:crypto', 'language/json'],
  },
  {
    file: 'src/sandbox/plant.ts',
    line: "import gong from '../../test/fixtures/gong.json' with { type: 'json' }",
    rule: 'package',
    names: ['test/fixtures/gong.json', 'sandbox'],
  },
  // The outside world in rooms that are pure.
  {
    file: 'src/engine/plan/plant.ts',
    line: "import { readFileSync } from 'node:fs'",
    rule: 'I/O',
    names: ['node:fs', 'engine/plan'],
  },
  {
    file: 'src/engine/response/plant.ts',
    line: "import { connect } from 'net'",
    rule: 'I/O',
    names: ['node:net', 'engine/response'],
  },
  {
    file: 'src/engine/exchange/plant.ts',
    line: "import { setTimeout } from 'node:timers/promises'",
    rule: 'I/O',
    names: ['node:timers', 'engine/exchange'],
  },
  {
    file: 'src/copy/search/plant.ts',
    line: "import { DatabaseSync } from 'node:sqlite'",
    rule: 'I/O',
    names: ['node:sqlite', 'copy/search'],
  },
  {
    file: 'src/service/vault/plant.ts',
    line: "const { request } = require('node:https')",
    rule: 'I/O',
    names: ['node:https', 'service/vault'],
  },
  {
    file: 'src/copy/sync/plant.ts',
    line: "import threads = require('node:worker_threads')",
    rule: 'I/O',
    names: ['node:worker_threads', 'copy/sync'],
  },
  // Names that only the running program knows.
  {
    file: 'src/hosting/plant.ts',
    line: 'const module = await import(name)',
    rule: 'computed',
    names: [],
  },
  {
    file: 'src/service/store/sql/plant.ts',
    line: 'const file = new URL(`${folder}/worker.ts`, import.meta.url)',
    rule: 'computed',
    names: [],
  },
  {
    file: 'src/service/store/sql/plant.ts',
    line: "new Worker(join(import.meta.dirname, '../../plant.ts'))",
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
    file: 'src/service/store/redis/plant.ts',
    line: "import type { Store } from '../store.ts'",
    rule: 'no room',
    names: ['src/service/store/redis'],
  },
  {
    file: 'src/copy/redis/plant.ts',
    line: "import { ConnectorError } from '../../errors.ts'",
    rule: 'no room',
    names: ['src/copy/redis is no room'],
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
  {
    name: 'of its own room',
    file: 'src/engine/plan/plant.ts',
    line: "import { plan } from './plan.ts'",
  },
  {
    name: 'of a room before it',
    file: 'src/engine/plan/plant.ts',
    line: "import { Manifest } from '../../language/manifest/manifest.ts'",
  },
  {
    name: 'of types',
    file: 'src/engine/exchange/plant.ts',
    line: "import type { A } from '../request/build.ts'",
  },
  {
    name: 'of a package it has',
    file: 'src/engine/adapters/plant.ts',
    line: "import { Pool } from 'undici'",
  },
  {
    name: 'of types of a stream',
    file: 'src/engine/run/plant.ts',
    line: "import type { Readable } from 'node:stream'",
  },
  { name: 'of its own folder', file: 'src/package-file.ts', line: "new URL('.', import.meta.url)" },
  {
    name: 'that stands in a comment',
    file: 'src/engine/plan/plant.ts',
    line: "// import fs from 'node:fs'",
  },
  {
    name: 'that stands in a text',
    file: 'src/engine/plan/plant.ts',
    line: 'const text = "import fs from \'node:fs\'"',
  },
])('an import $name is allowed', ({ file, line }) => {
  expect(violationsOf(edgesOf([{ file, text: line }], HOUSE), HOUSE)).toEqual([])
})
