// An upload in parts with the built package. Arguments: the vendor's address, a path.
import { fileURLToPath } from 'node:url'

import { connect, fileFrom, loadManifest } from '../../dist/index.js'

import { report } from './sink.mjs'

const [url, path] = process.argv.slice(2)
const manifest = await loadManifest(fileURLToPath(new URL('depot.yaml', import.meta.url)))
const depot = await connect(manifest, {
  credentials: { key: 'a-key' },
  serverUrl: url,
  allowHosts: ['127.0.0.1'],
})
const sent = { bytes: 0 }
await report(sent, async () => {
  const { data } = await depot.execute('files', 'upload', { content: fileFrom({ path }) })
  sent.bytes = data.bytes
})
process.exit()
