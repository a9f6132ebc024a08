// The benchmark: every row is measured beside its rival in one run.
//
//   npm run bench                        all rows
//   npm run bench -- execute download    some rows
//   npm run bench -- sync search --records 50000
//                                        copies of that many records; without: 200,000, 50,000 in PostgreSQL
//   npm run bench -- growth              searches in copies that grow to a million records
//   npm run bench -- --json              one JSON document
//   npm run bench -- --check             exit code 1 when a figure misses what it must be
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'

import { coldStartRow } from './cold-start.ts'
import { growthRow } from './copy/growth.ts'
import { searchRow } from './copy/search.ts'
import { syncPostgresRow, syncRow } from './copy/sync.ts'
import { workersRow } from './copy/workers.ts'
import { consoleRow } from './console.ts'
import { downloadRow } from './download.ts'
import { draftsRow } from './drafts.ts'
import { engineRow } from './engine.ts'
import { executeRow, rivalsRow, transportRow } from './execute.ts'
import { installRow } from './install.ts'
import { logsRow } from './logs.ts'
import { manifestsRow } from './manifests.ts'
import { processesRow } from './processes.ts'
import { queueRow } from './queue.ts'
import { formatRow } from './report.ts'
import { scaleRow } from './scale.ts'
import { serviceDownloadRow } from './service-download.ts'
import { serviceUploadRow } from './service-upload.ts'
import { serviceLogsRow, servicePageRow, serviceRow } from './service.ts'
import { typesRow } from './types.ts'
import { uploadRow } from './upload.ts'
import type { Line } from './row.ts'
import { meets } from './row.ts'

const ROWS = [
  transportRow,
  executeRow,
  rivalsRow,
  engineRow,
  coldStartRow,
  installRow,
  downloadRow,
  uploadRow,
  serviceRow,
  serviceLogsRow,
  servicePageRow,
  serviceDownloadRow,
  serviceUploadRow,
  typesRow,
  manifestsRow,
  draftsRow,
  syncRow,
  syncPostgresRow,
  queueRow,
  scaleRow,
  logsRow,
  processesRow,
  workersRow,
  searchRow,
  growthRow,
  consoleRow,
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    check: { type: 'boolean' },
    records: { type: 'string' },
  },
})
const unknown = positionals.filter((name) => !ROWS.some((row) => row.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no row "${unknown.join('", "')}". Rows: ${ROWS.map(({ name }) => name).join(', ')}\n`,
  )
  process.exit(2)
}
const records = values.records === undefined ? null : Number(values.records)
if (records !== null && (!Number.isInteger(records) || records < 1_000)) {
  process.stderr.write('--records is a whole number from 1000 on\n')
  process.exit(2)
}

const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`
if (values.json !== true) process.stdout.write(`${machine}\n`)

const results: { row: string; lines: readonly Line[] }[] = []
for (const row of ROWS) {
  if (positionals.length > 0 && !positionals.includes(row.name)) continue
  const lines = await row.run({ records: records ?? row.records ?? 5_000 })
  results.push({ row: row.name, lines })
  if (values.json !== true) process.stdout.write(`\n${formatRow(row, lines)}\n`)
}
if (values.json === true) process.stdout.write(`${JSON.stringify({ machine, results })}\n`)

const missed = results.flatMap(({ row, lines }) =>
  lines.flatMap(({ title, figures }) =>
    figures
      .filter((figure) => !meets(figure, figure.must))
      .map(({ name }) => `${row}, ${title}: ${name}`),
  ),
)
if (values.check === true && missed.length > 0) {
  process.stderr.write(`\nMissed:\n${missed.map((line) => `  ${line}\n`).join('')}`)
  process.exitCode = 1
}
