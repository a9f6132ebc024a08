// The records that one run of a sync has changed, a page at a time.
import type { ReactNode } from 'react'
import type { ChangeOfRecord, Changes, Described, Instance, SyncRun } from '../../api/answers.ts'
import { instancePath } from '../../api/call.ts'
import type { Json } from '../../api/json-text.ts'
import { useGet } from '../../api/use-answer.ts'
import { Loaded } from '../../parts/answer.tsx'
import { TurnPages } from '../../parts/controls.tsx'
import { useCursors } from '../../parts/cursors.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { explorerAddress } from '../../parts/in-address.ts'
import { plainText } from '../../../display/plain-text.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { columnsOf, valueAt } from '../../../display/record-columns.ts'
import { Link } from '../../place.tsx'
import { cellText } from '../explorer/columns.ts'

const PAGE = 50
/** What people know a record by, next to its id. */
const SHOWN_COLUMNS = 2

export function RunChanges(props: {
  readonly instance: Instance
  readonly entity: string
  readonly run: SyncRun
  readonly close: () => void
}): ReactNode {
  const { instance, entity, run } = props
  const { cursor: since, turns } = useCursors()
  const from = since === undefined ? {} : { since }
  const path = instancePath(instance.id)
  const answer = useGet<Changes>(`${path}/changes`, {
    entity,
    run_id: run.run_id,
    limit: String(PAGE),
    ...from,
  })
  const described = useGet<Described>(`${path}/describe`, {}, { kept: true })
  const named = described.kind === 'ready' ? described.value.named_records[`${entity}.get`] : {}
  const params = Object.entries(named ?? {})
  /** The record in the explorer; null: it is gone, or its operation takes more than one field of it. */
  const addressOf = ({ change, data }: ChangeOfRecord): string | null => {
    const [[param, { entity: of, field }] = ['', { entity: '', field: '' }]] = params
    const value = valueAt(data, field.split('.')) ?? null
    if (change === 'removed' || params.length !== 1 || of !== entity || value === null) return null
    return explorerAddress({
      instance: instance.id,
      entity,
      action: 'get',
      params: { [param]: value },
    })
  }
  return (
    <Dialog title={`What this run changed of ${entity}`} close={props.close} wide>
      <p className="fine">
        Records as they are now. What changed once more belongs to a later run; changes by webhooks
        and operations while the run went on are among these.
      </p>
      <Loaded of={answer}>
        {({ data, meta }) => (
          <>
            {data.length === 0 ? (
              <p role="status">No record of this run is left that has not changed again.</p>
            ) : (
              <Table
                label="Changed records"
                columns={columnsWith(data, addressOf)}
                rows={data}
                keyOf={({ change, id }) => `${change} ${id}`}
              />
            )}
            <TurnPages
              words={['Back', `Next ${PAGE}`]}
              {...turns(meta.has_more ? meta.next_cursor : null)}
            />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

const CHANGES: Readonly<Record<ChangeOfRecord['change'], ReactNode>> = {
  added: <span className="badge good">added</span>,
  updated: <span className="badge wait">changed</span>,
  removed: <span className="badge bad">removed</span>,
}

function columnsWith(
  changes: readonly ChangeOfRecord[],
  addressOf: (change: ChangeOfRecord) => string | null,
): readonly Column<ChangeOfRecord>[] {
  const records: readonly Json[] = changes.flatMap(({ data }) => (data === null ? [] : [data]))
  return [
    { title: 'Change', cell: ({ change }) => CHANGES[change] },
    {
      title: 'Record',
      kind: 'name',
      cell: (change) => {
        const address = addressOf(change)
        const words = plainText(change.id)
        return address === null ? words : <Link to={address}>{words}</Link>
      },
    },
    ...columnsOf(records)
      .slice(0, SHOWN_COLUMNS)
      .map(({ path }): Column<ChangeOfRecord> => ({
        title: path.join('.'),
        cell: ({ data }) => plainText(cellText(valueAt(data, path))),
      })),
  ]
}
