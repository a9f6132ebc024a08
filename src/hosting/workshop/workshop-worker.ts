// The thread that reads manifests and documents which are being worked on, and tries them: large ones take seconds.
import { parentPort } from 'node:worker_threads'
import { RecentlyUsed } from '../../database/recently-used.ts'
import { restWhenIdle } from '../../database/rest.ts'
import { threadCauseOf } from '../../database/thread-cause.ts'
import { ConnectorError, isConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { compileManifest, type LoadResult } from '../../language/manifest/compiled.ts'
import { loadManifest } from '../../language/manifest/load.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { inFileOrder } from '../../language/manifest/problem.ts'
import { compareManifests } from '../../tools/authoring/compare-manifests.ts'
import { TYPE_PATTERN } from '../../tools/authoring/manifest-template.ts'
import { OpenApiError, readOpenApi } from '../../tools/authoring/openapi/document.ts'
import { draftManifest } from '../../tools/authoring/openapi/draft-manifest.ts'
import { narrowedTo } from './narrowed-manifest.ts'
import { previewDraft, runDraft } from './try-draft.ts'
import type {
  Described,
  DraftCall,
  Refusal,
  WorkshopCalls,
  WorkshopMethod,
  WorkshopReply,
  WorkshopRequest,
} from './workshop-call.ts'

/** A draft, and what it is compared with. */
const KEPT = 2
/** By text. */
const loaded = new RecentlyUsed<string, LoadResult>(KEPT)
restWhenIdle(() => loaded.clear())

function load(text: string): LoadResult {
  return loaded.of(text, () => loadManifest({ file: 'manifest', text }))
}

function sound(text: string): Manifest {
  const { manifest } = load(text)
  if (manifest !== null) return manifest
  const detail = 'the manifest has errors; mend them first'
  throw new ConnectorError('request_malformed', detail, {
    errors: [{ pointer: '/text', code: 'manifest', detail }],
  })
}

type Calls = {
  readonly [K in WorkshopMethod]: (
    given: WorkshopCalls[K]['given'],
  ) => WorkshopCalls[K]['answer'] | Promise<WorkshopCalls[K]['answer']>
}

const CALLS: Calls = {
  check({ text }) {
    const { manifest, problems, isPart = false } = load(text)
    const connector = manifest === null ? null : described(manifest)
    return { problems: told(problems), isPart, connector }
  },
  compile({ text }) {
    const { manifest, problems } = load(text)
    return {
      problems: told(problems),
      compiled: manifest === null ? null : compileManifest(manifest),
    }
  },
  compare({ before, after }) {
    const [old, next] = [before, after].map((each) =>
      typeof each === 'string' ? sound(each) : each,
    ) as [Manifest, Manifest] // of two, two
    return compareManifests(old, next)
  },
  draft,
  async types({ text }) {
    const { generateTypes } = await import('../../tools/codegen/generate-types.ts')
    return await generateTypes(sound(text))
  },
  preview: (given) => previewDraft(sound(given.text), given),
  narrow: ({ text, ...operation }) => ({
    compiled: compileManifest(narrowedTo(sound(text), operation)),
  }),
  run: (given) => runDraft(sound(given.text), given),
}

/** A hostile text has tens of thousands, which nobody reads, and which hold up the thread that writes them into an answer. */
const MAX_TOLD = 500

/** Errors go first where not all are told; the last one says how many are left. */
function told(problems: LoadResult['problems']): LoadResult['problems'] {
  if (problems.length <= MAX_TOLD) return problems
  const { error = [], warning = [] } = Object.groupBy(problems, ({ severity }) => severity)
  const [next, ...others] = [...error, ...warning].slice(MAX_TOLD)
  const shown = inFileOrder([...error, ...warning].slice(0, MAX_TOLD))
  const message = `and ${others.length + 1} more findings from here on: mend those before first`
  return next === undefined ? shown : [...shown, { ...next, message, hint: null }]
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

async function reply({ id, method, given }: WorkshopRequest): Promise<WorkshopReply> {
  try {
    // A request has what its method takes.
    const answer = CALLS[method] as (given: unknown) => unknown
    return { id, answer: await answer(given) }
  } catch (error) {
    const refused = refusalOf(error)
    return refused === null ? { id, failure: threadCauseOf(error) } : { id, refused }
  }
}

function refusalOf(error: unknown): Refusal | null {
  if (error instanceof OpenApiError) {
    const { message } = error
    const errors = [{ pointer: '/text', code: 'document', detail: message }]
    return { code: 'request_malformed', message, errors }
  }
  if (!isConnectorError(error)) return null
  const { code, message, errors, details, upstream, outcome, retryable } = error
  return { code, message, errors, details, upstream, outcome, retryable }
}

async function send(request: WorkshopRequest): Promise<void> {
  const message = await reply(request)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message)
}

parentPort?.on('message', (request: WorkshopRequest) => void send(request))
