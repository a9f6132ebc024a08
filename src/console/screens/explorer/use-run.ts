// Running an operation: what was asked, and the pages or the file that came back.
import { useState } from 'react'
import type { ActionDescription, Envelope, Instance } from '../../api/answers.ts'
import { call, send } from '../../api/call.ts'
import { describeFiles, type Files, type Progress, sendForm } from '../../api/send-form.ts'
import { isObject, type JsonObject, mergePatch, parseJson, writeJson } from '../../api/json-text.ts'
import { usePages, useTask } from '../../api/use-answer.ts'
import { type OpenWrites, sendOnce, writeOnce } from '../../api/write-once.ts'
import { dropTyped, keepTyped, readTyped } from '../../parts/typed.ts'
import { gives } from '../../../language/manifest/actions.ts'
import { readFile, type SavedFile } from './saved-file.tsx'

export interface PageShown {
  readonly params: JsonObject
  readonly envelope: Envelope
  /** It is the answer to an earlier run of the same write. */
  readonly replayed: boolean
}

/** `kept` names what was typed; `ended` is called with every answer. */
export function useRun(
  run: {
    readonly instance: Instance
    readonly entity: string
    readonly action: ActionDescription
    readonly kept: string
  },
  ended: () => void,
) {
  const { instance, entity, action, kept } = run
  const task = useTask()
  const pages = usePages<PageShown>()
  const [file, setFile] = useState<SavedFile | null>(null)
  const [progress, setProgress] = useState<Progress | null>(null)
  const [isUnkeyed, setUnkeyed] = useState(false)
  const openWrites = openWritesOf(kept)
  const bodyOf = (params: JsonObject): JsonObject => ({ entity, action: action.action, params })

  /** Asks for the page behind those that are known. */
  const ask = async (params: JsonObject, files: Files, signal: AbortSignal): Promise<void> => {
    const told = rarely(setProgress)
    const path = `/connectors/sources/${instance.id}/execute`
    const body = bodyOf(params)
    if (gives(action.action, 'stream')) {
      setFile(await readFile(await send('POST', path, { body, signal }), told))
    } else if (Object.keys(files).length > 0) {
      const { described, areDigested } = await describeFiles(files)
      const operation = { ...body, files: described }
      setUnkeyed(!areDigested)
      const sent = (idempotencyKey?: string): Promise<Response> =>
        sendForm(path, operation, files, { signal, told, idempotencyKey })
      const { value: envelope, replayed } = areDigested
        ? await sendOnce<Envelope>(operation, openWrites, sent)
        : { value: await envelopeIn(await sent()), replayed: false }
      pages.add({ params, envelope, replayed })
    } else if (action.safe) {
      const envelope = await call<Envelope>('POST', path, { body, signal })
      pages.add({ params, envelope, replayed: false })
    } else {
      const { value: envelope, replayed } = await writeOnce<Envelope>(
        path,
        body,
        openWrites,
        signal,
      )
      pages.add({ params, envelope, replayed })
    }
    ended()
  }
  const { shown } = pages
  const patch = shown?.envelope.meta['has_more'] === true ? shown.envelope.meta['next'] : null
  const following =
    shown === undefined || patch == null ? undefined : mergePatch(shown.params, patch)
  return {
    ...task,
    ...pages,
    file,
    progress: task.busy ? progress : null,
    start: (params: JsonObject, files: Files) =>
      task.run(async (signal) => {
        setProgress(null)
        // What other parameters brought is no answer to these.
        pages.empty()
        setFile(null)
        setUnkeyed(false)
        await ask(params, files, signal)
      }),
    next: pages.next(
      isObject(following) ? () => void task.run((signal) => ask(following, {}, signal)) : null,
    ),
    /** A write of the same parameters was sent, whatever its files were, and no answer came. */
    hasNoAnswer: (params: JsonObject) =>
      !task.busy && operationIn(openWrites.read()?.body) === writeJson(bodyOf(params)),
    /** It has files of which the service knows no digests, so that a further run makes the change again. */
    isUnkeyed,
  }
}

async function envelopeIn(response: Response): Promise<Envelope> {
  // What the service's contract says of this route.
  return parseJson(await response.text()) as unknown as Envelope
}

/** The body of an open write, without what it says of files. */
function operationIn(body: string | undefined): string | null {
  const value = body === undefined ? null : parseJson(body)
  if (!isObject(value)) return null
  const { files: _, ...operation } = value
  return writeJson(operation)
}

const TELL_EVERY_MS = 100

/** A page that is drawn with every piece of a file does nothing else. */
function rarely(tell: (progress: Progress) => void): (progress: Progress) => void {
  let last = 0
  return (progress) => {
    const now = performance.now()
    if (now - last < TELL_EVERY_MS) return
    last = now
    tell(progress)
  }
}

/** Kept in this tab, with what was typed: a reload does not lose the key of a write whose answer has not come. */
function openWritesOf(kept: string): OpenWrites {
  const name = `${kept} open`
  return {
    read() {
      const open = readTyped(name)
      if (!isObject(open)) return null
      const { key, body } = open
      return typeof key === 'string' && typeof body === 'string' ? { key, body } : null
    },
    keep: (open) => (open === null ? dropTyped(name) : keepTyped(name, { ...open })),
  }
}
