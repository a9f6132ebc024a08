// A manifest drafted from an OpenAPI document that was dropped here or chosen; what a person must decide comes with it.
import { FileUp } from 'lucide-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import type { ManifestDraft } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useTask } from '../../api/use-answer.ts'
import { ProblemNotice } from '../../parts/answer.tsx'
import { Button } from '../../parts/controls.tsx'
import { counted } from '../../../display/counted.ts'
import { addressOf, goTo } from '../../place.tsx'
import { type Drafted, keepDraft } from './drafts.ts'

/** As the route takes it. */
const MAX_SIZE = 900_000

/** Keeps it in this tab, and opens it. */
export function openDraft(draft: Drafted): void {
  goTo(addressOf('/manifests', { draft: keepDraft(draft) }))
}

/**
 * Takes a document that is dropped onto what `children` draws, the editor too. They are given the box in which one is
 * chosen.
 */
export function DropDocument(props: {
  readonly children: (box: ReactNode) => ReactNode
}): ReactNode {
  const { busy, problem, run } = useTask()
  const [refusal, setRefusal] = useState<string | null>(null)
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const take = (file: File | undefined): void => {
    if (file === undefined || busy) return
    const isLarge = file.size > MAX_SIZE
    setRefusal(
      isLarge
        ? `${file.name} has more than ${MAX_SIZE.toLocaleString('en')} bytes. On the command line tenon init --from-openapi takes it, and --tag or --path a part of it.`
        : null,
    )
    if (isLarge) return
    void run(async (signal) => {
      const body = { text: await file.text(), file: file.name.slice(0, 200) }
      openDraft(await call<ManifestDraft>('POST', '/manifests/draft', { body, signal }))
    })
  }
  // Before the editor sees it: that would write the file into the manifest. Text that is dragged is the editor's.
  const drag = (isOver: boolean) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    event.stopPropagation()
    setOver(isOver)
    if (event.type === 'drop') take(event.dataTransfer.files[0])
  }
  return (
    <div
      onDragOverCapture={drag(true)}
      onDragLeaveCapture={drag(false)}
      onDropCapture={drag(false)}
    >
      {props.children(
        <div className={`drop-document${over ? ' over' : ''}`}>
          <input
            ref={input}
            type="file"
            className="unseen"
            tabIndex={-1}
            aria-label="Draft from an OpenAPI document"
            accept=".json,.yaml,.yml"
            disabled={busy}
            onChange={({ target }) => {
              take(target.files?.[0])
              target.value = ''
            }}
          />
          <Button disabled={busy} onClick={() => input.current?.click()}>
            <FileUp size={16} aria-hidden />
            Choose an OpenAPI file
          </Button>
          <p className="fine" role="status">
            {busy ? 'Drafting …' : 'or drop it here: OpenAPI 3, Swagger 2, Google discovery'}
          </p>
          {refusal === null ? null : <p role="alert">{refusal}</p>}
          {problem === null ? null : <ProblemNotice problem={problem} />}
        </div>,
      )}
    </div>
  )
}

/** What became of the document, in the order in which it needs somebody. */
export function Notes({ report }: { readonly report: ManifestDraft['report'] }): ReactNode {
  const lists = [
    ['To decide: how these listings go on', report.undecided],
    ['Guessed: compare with the documentation of the vendor', report.guessed],
    ['Left out', report.missing],
  ] as const
  return (
    <>
      <p>
        Drafted: {counted(report.entities, 'entity', 'entities')},{' '}
        {counted(report.actions, 'action', 'actions')}.
      </p>
      {lists.map(([title, lines]) =>
        lines.length === 0 ? null : (
          <section key={title}>
            <h3>
              {title} ({lines.length})
            </h3>
            <ul>
              {[...new Set(lines)].map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
        ),
      )}
    </>
  )
}
