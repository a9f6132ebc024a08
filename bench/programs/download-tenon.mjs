// A download in two steps with the built package: the record that names the file, then the file.
// Arguments: the vendor's address, bytes.
import { pipeline } from 'node:stream/promises'

import { connect } from '../../dist/index.js'

import { createSink, report } from './sink.mjs'

const [url, bytes] = process.argv.slice(2)
const gong = await connect('gong', {
  credentials: { access_key: 'a-key-of-some-length', access_key_secret: 'a-secret-of-some-length' },
  serverUrl: url,
  allowHosts: ['127.0.0.1'],
})
const sink = createSink()
await report(sink, async () => {
  const audio = await gong.call_audio.download({
    filter: { callIds: [bytes] },
    contentSelector: { exposedFields: { media: true } },
  })
  await pipeline(audio.body, sink.writable)
})
process.exit()
