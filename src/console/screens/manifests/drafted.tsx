// A manifest drafted from an OpenAPI document that was dropped here or chosen; what a person must decide comes with it.
import { type DragEvent, type ReactNode, useId, useState } from 'react'
import type { ManifestDraft } from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import { useTask } from '../../api/use-answer.ts'
import { ProblemNotice } from '../../parts/answer.tsx'
import { addressOf, goTo } from '../../place.tsx'

/** As the route takes it. */
const MAX_SIZE = 900_000
const KEPT = 'tenon.drafted.'

/** What was drafted in this tab; null: nothing. */
export function draftedAs(type: string): ManifestDraft | null {
  const kept = window.sessionStorage.getItem(KEPT + type)
  return kept === null ? null : (JSON.parse(kept) as ManifestDraft)
}

/** The box to choose a file in; one may be dropped onto it and onto all that stands below it, the editor too. */
export function DropDocument(props: { readonly children: ReactNode }): ReactNode {
  const { busy, problem, run } = useTask()
  const [refusal, setRefusal] = useState<string | null>(null)
  const [over, setOver] = useState(false)
  const id = useId()
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
      const draft = await call<ManifestDraft>('POST', '/manifests/draft', { body, signal })
      window.sessionStorage.setItem(KEPT + draft.connector_type, JSON.stringify(draft))
      goTo(addressOf('/manifests', { draft: draft.connector_type }))
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
      <div className={`drop-document${over ? ' over' : ''}`}>
        <label htmlFor={id}>Draft from an OpenAPI document</label>
        <input
          id={id}
          type="file"
          accept=".json,.yaml,.yml"
          disabled={busy}
          onChange={({ target }) => {
            take(target.files?.[0])
            target.value = ''
          }}
        />
        <p className="fine" role="status">
          {busy
            ? 'Drafting …'
            : 'Drop a file of OpenAPI 3, Swagger 2 or Google discovery here or onto the editor, or choose it.'}
        </p>
        {refusal === null ? null : <p role="alert">{refusal}</p>}
        {problem === null ? null : <ProblemNotice problem={problem} />}
      </div>
      {props.children}
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
        Drafted: entities {report.entities}, actions {report.actions}.
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
