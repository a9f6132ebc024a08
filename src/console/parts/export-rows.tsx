// Saves what a list has as a file, which the service writes.
import { type ReactNode, useState } from 'react'
import { send } from '../api/call.ts'
import { useTask } from '../api/use-answer.ts'
import { ProblemNotice } from './answer.tsx'
import { Button } from './controls.tsx'

/** `path`: of the route; `name`: of the file, without its ending. */
export function ExportRows(props: {
  readonly path: string
  readonly name: string
  readonly query: Readonly<Record<string, string>>
}): ReactNode {
  const { busy, problem, run } = useTask()
  const [isCut, setCut] = useState(false)
  const save = (form: 'csv' | 'ndjson'): void =>
    void run(async (signal) => {
      const query = { ...props.query, form }
      const file = await (await send('GET', props.path, { query, signal })).blob()
      const url = URL.createObjectURL(file)
      const link = Object.assign(document.createElement('a'), {
        href: url,
        download: `${props.name}.${form}`,
      })
      link.click()
      URL.revokeObjectURL(url)
      // The last line says whether there is more.
      setCut(CUT.test(await file.slice(-MAX_END_BYTES).text()))
    })
  return (
    <span className="beside">
      <Button className="small" disabled={busy} onClick={() => save('csv')}>
        Export as CSV
      </Button>{' '}
      <Button className="small" disabled={busy} onClick={() => save('ndjson')}>
        Export as JSON
      </Button>
      <span role="status">
        {isCut ? ' The file has the newest only, as its last line says: choose a time.' : ''}
      </span>
      <ProblemNotice problem={problem} />
    </span>
  )
}

const MAX_END_BYTES = 1000
const CUT = /^(?:cut,|\{"cut":true,)\S*\s*$/m
