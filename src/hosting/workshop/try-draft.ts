// A manifest that is being worked on, tried against a local vendor of its own: nothing stays, and nothing leaves this machine.
import { connect } from '../../client/connect.ts'
import { Download } from '../../client/download.ts'
import { createUndiciTransport } from '../../engine/adapters/undici-transport.ts'
import { ExchangeRecorder } from '../../engine/run/recorded-exchanges.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { loadDemo } from '../../sandbox/open-sandbox.ts'
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.ts'
import type { DraftPreview } from '../../service/console/manifest-routes.ts'
import type { OperationCall } from './workshop-call.ts'

const RUN_MS = 10_000

/** The requests as the third party would get them, secrets masked, of the given parameters or of an example. */
export async function previewDraft(
  manifest: Manifest,
  { entity, action, params, files }: OperationCall,
): Promise<DraftPreview> {
  await using vendor = await openVendor(manifest, files)
  // Without the local vendor's address.
  const { serverUrl: _, allowHosts: __, ...options } = vendor.options()
  const given = params ?? vendor.example(`${entity}.${action}`)
  await using client = await connect(manifest, options)
  const { requests } = await client.preview(entity, action, given)
  return { params: given, requests: requests.map(({ curl, after }) => ({ curl, after })) }
}

export async function runDraft(
  manifest: Manifest,
  { entity, action, params, files }: OperationCall,
): Promise<object> {
  await using vendor = await openVendor(manifest, files)
  const recorder = new ExchangeRecorder()
  const options = vendor.options()
  const { allowHosts, credentials } = options
  const transport = recorder.around(createUndiciTransport({ allowHosts }))
  await using client = await connect(manifest, { ...options, transport, timeoutMs: RUN_MS })
  const answer = await client.execute(entity, action, params ?? {})
  // The local vendor has made them up.
  const secrets = Object.values(credentials).filter((each) => typeof each === 'string')
  const exchanges = recorder.shown({ secrets: () => secrets, redact: maskedBy(secrets) })
  if (!(answer instanceof Download))
    return { answer: { data: answer.data, meta: answer.meta }, exchanges }
  answer.cancel()
  return { answer: { data: null, meta: { content_type: answer.contentType } }, exchanges }
}

/** Shorter ones occur everywhere by chance. */
const MIN_SECRET = 6

function maskedBy(
  secrets: readonly string[],
): (text: string, others?: readonly string[]) => string {
  return (text, others = []) =>
    [...secrets, ...others]
      .filter(({ length }) => length >= MIN_SECRET)
      .reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text)
}

/** A vendor of a manifest, with the demo data next to the file of its type where that fits; else records are made up. */
export async function openVendor(
  manifest: Manifest,
  files: OperationCall['files'],
): Promise<Sandbox> {
  const file = files[manifest.type]
  const demo = file === undefined ? null : await loadDemo(file, manifest).catch(() => null)
  return await createSandbox(manifest, demo)
}
