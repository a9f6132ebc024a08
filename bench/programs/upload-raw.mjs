// The least that sends a file in parts: one buffer, undici.request. Arguments: the vendor's address, a path.
import { open } from 'node:fs/promises'
import { request } from 'undici'

import { report } from './sink.mjs'

const PART_BYTES = 8 * 1024 ** 2
const [url, path] = process.argv.slice(2)
const sent = { bytes: 0 }
await report(sent, async () => {
  const file = await open(path)
  const { size } = await file.stat()
  const buffer = Buffer.allocUnsafeSlow(PART_BYTES)
  for (let from = 0; from < size; from += PART_BYTES) {
    const { bytesRead } = await file.read(buffer, 0, PART_BYTES, from)
    const range = `bytes ${from}-${from + bytesRead - 1}/${size}`
    const { body } = await request(`${url}/parts`, {
      method: 'PUT',
      headers: { 'content-range': range },
      body: buffer.subarray(0, bytesRead),
    })
    await body.dump()
    sent.bytes = from + bytesRead
  }
  await file.close()
})
process.exit()
