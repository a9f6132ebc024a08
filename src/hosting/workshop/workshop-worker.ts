// The thread that reads manifests and documents which are being worked on: large ones take seconds.
import { parentPort } from 'node:worker_threads'
import { restWhenIdle } from '../../database/rest.ts'
import { threadCauseOf } from '../../database/thread-cause.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { LoadResult } from '../../language/manifest/compiled.ts'
import { loadManifest } from '../../language/manifest/load.ts'
import { compareManifests } from '../../tools/authoring/compare-manifests.ts'
import { TYPE_PATTERN } from '../../tools/authoring/new-manifest.ts'
import { OpenApiError, readOpenApi } from '../../tools/authoring/openapi/document.ts'
import { draftManifest } from '../../tools/authoring/openapi/draft-manifest.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type {
  Described,
  DraftCall,
  WorkshopCalls,
  WorkshopReply,
  WorkshopRequest,
} from './workshop-call.ts'

let last: { readonly text: string; readonly result: LoadResult } | null = null
restWhenIdle(() => (last = null))

function load(text: string): LoadResult {
  if (last?.text !== text) last = { text, result: loadManifest({ file: 'manifest', text }) }
  return last.result
}

function check(text: string): WorkshopCalls['check']['answer'] {
  const { manifest, problems } = load(text)
  return { problems, connector: manifest === null ? null : described(manifest) }
}

function described(manifest: Manifest): Described {
  return {
    connector_type: manifest.type,
    title: manifest.title,
    version: manifest.version,
    operations: manifest.entities.flatMap(({ name, actions }) =>
      actions.map((action) => ({ entity: name, action: action.name })),
    ),
  }
}

function compare({ text, before }: WorkshopCalls['compare']['given']): JsonObject {
  const { manifest } = load(text)
  if (manifest === null) throw new TypeError('a manifest with errors is compared')
  const { isRefused: refused, changes, ...steps } = compareManifests(before, manifest)
  return { ...steps, refused, changes: changes.map((each) => ({ ...each })) }
}

/** As an editor finds it next to an installed package. */
const SCHEMA = './node_modules/tenon/schemas/manifest.schema.json'

function draft({ text, file }: DraftCall): JsonObject {
  const document = readOpenApi(text, file)
  const type = typeOf(document.title ?? '') ?? typeOf(file.replace(/\..*$/, '')) ?? 'draft'
  const { operations } = document
  const drafted = draftManifest(document, { type, schema: SCHEMA, operations, auth: null })
  const { entities, actions, ...lists } = drafted.report
  const notes = { guessed: [...lists.guessed], undecided: [...lists.undecided] }
  return {
    connector_type: type,
    text: drafted.text,
    report: { entities, actions, ...notes, missing: [...lists.missing] },
  }
}

function typeOf(words: string): string | null {
  const name = words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
  return TYPE_PATTERN.test(name) ? name : null
}

function answer({ method, given }: WorkshopRequest): unknown {
  if (method === 'check') return check(given.text)
  if (method === 'load') return load(given.text)
  return method === 'compare' ? compare(given) : draft(given)
}

function reply(request: WorkshopRequest): WorkshopReply {
  const { id } = request
  try {
    return { id, answer: answer(request) }
  } catch (error) {
    if (error instanceof OpenApiError) return { id, refused: error.message }
    return { id, failure: threadCauseOf(error) }
  }
}

parentPort?.on('message', (request: WorkshopRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(reply(request))
})
