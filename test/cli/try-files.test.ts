// `tenon try --file name=@path`: a parameter that is a file, from the disk to the vendor.
import { expect, test } from 'vitest'
import { tenonHere } from './run-here.ts'
import { folderOf } from './run-tenon.ts'

const MANIFEST = `manifest: 1
connector: { type: depot, title: Depot, version: 1.0.0 }
server: { url: https://api.depot.example }
auth:
  key:
    credentials: { required: [key], properties: { key: { type: string, writeOnly: true } } }
    apply: { bearer: "{{ credentials.key }}" }
entities:
  files:
    record: { properties: { id: { type: string } } }
    actions:
      create:
        params:
          required: [file]
          properties: { file: { type: string, format: binary }, note: { type: string } }
        request:
          http: POST /files
          query: [note]
          bytes: { base64: "{{ params.file }}" }
`

const CALL = ['try', './depot.yaml', 'files.create', '--sandbox']

test.for<{ name: string; args: readonly string[]; code: number; said: RegExp }>([
  { name: 'sends a file', args: ['--json', '--file', 'file=@report.txt'], code: 0, said: /"data"/ },
  {
    name: 'shows a file in a preview without reading it',
    args: ['--preview', '--file', 'file=@report.txt', '--params', '{"note":"a"}'],
    code: 0,
    said: /note=a.*'<report.txt, 7 bytes>'/s,
  },
  {
    name: 'says that there is no such file',
    args: ['--file', 'file=@other.txt'],
    code: 2,
    said: /\/params\/file +".*other.txt": there is no such file/,
  },
  {
    name: 'says which parameter takes no file',
    args: ['--file', 'file=@report.txt', '--file', 'note=@report.txt'],
    code: 2,
    said: /\/params\/note +takes no file/,
  },
  { name: 'wants a name and a path', args: ['--file', 'report.txt'], code: 2, said: /name=@path/ },
  {
    name: 'refuses a parameter that is given twice',
    args: ['--file', 'file=@report.txt', '--params', '{"file":"b25l"}'],
    code: 2,
    said: /file is given twice/,
  },
])('$name', async ({ args, code, said }) => {
  const folder = folderOf({ 'depot.yaml': MANIFEST, 'report.txt': 'one,two' })
  const run = await tenonHere([...CALL, ...args], { folder })
  expect([run.code, run.out + run.err]).toEqual([code, expect.stringMatching(said)])
})
