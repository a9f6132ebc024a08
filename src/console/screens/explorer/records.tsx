// Records as a table and as JSON.
import { type ReactNode, useState } from 'react'
import type { Json } from '../../api/json-text.ts'
import { writeJson } from '../../api/json-text.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { cellText, columnsOf, labelOf, recordsIn, SHOWN_AT_FIRST, valueAt } from './columns.ts'

export function RecordTable(props: {
  readonly data: Json
  readonly paged: boolean
  /** Of hits, one per record. */
  readonly scores?: readonly number[]
}): ReactNode {
  const records = recordsIn(props.data, props.paged)
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const [open, setOpen] = useState<number | null>(null)
  if (records === null)
    return <p className="quiet">It succeeded; the third party returns no record for this.</p>
  if (records.length === 0) return <p className="quiet">No record matches.</p>
  const all = columnsOf(records)
  const first = new Set(all.slice(0, SHOWN_AT_FIRST).map(({ title }) => title))
  const wanted = chosen ?? first
  const columns = all.filter(({ title }) => wanted.has(title))
  const record = open === null ? undefined : records[open]
  return (
    <>
      <details className="columns">
        <summary>
          Columns ({columns.length} of {all.length})
        </summary>
        <div className="column-list">
          {all.map(({ title }) => (
            <label key={title} className="inline">
              <input
                type="checkbox"
                checked={wanted.has(title)}
                onChange={(event) => {
                  const next = new Set(wanted)
                  if (event.target.checked) next.add(title)
                  else next.delete(title)
                  setChosen(next)
                }}
              />{' '}
              {title}
            </label>
          ))}
        </div>
      </details>
      <div className="table-box records" tabIndex={0} role="region" aria-label="Records">
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="unseen">Record</span>
              </th>
              {props.scores === undefined ? null : (
                <th scope="col" className="number">
                  score
                </th>
              )}
              {columns.map(({ title }) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {records.map((each, index) => (
              // Records of a page have no other identity that all vendors share.
              <tr key={index}>
                <td>
                  <button
                    type="button"
                    className="small"
                    aria-label={`Record ${index + 1} as JSON`}
                    onClick={() => setOpen(index)}
                  >
                    {index + 1}
                  </button>
                </td>
                {props.scores === undefined ? null : (
                  <td className="number">{props.scores[index]?.toFixed(2)}</td>
                )}
                {columns.map(({ title, path }) => {
                  const text = cellText(valueAt(each, path))
                  return (
                    <td key={title} title={text.length > 40 ? text : undefined}>
                      {text}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {record === undefined ? null : (
        <Dialog
          title={labelOf(record) ?? `Record ${(open ?? 0) + 1}`}
          wide
          close={() => setOpen(null)}
        >
          <JsonView value={record} />
        </Dialog>
      )}
    </>
  )
}

export function JsonView(props: { readonly value: Json }): ReactNode {
  return <CodeBlock text={writeJson(props.value, 2)} label="JSON" />
}
