// The best raw pipe: undici.stream into a writable that forgets. Arguments: the vendor's address, bytes.
import { stream } from 'undici'

import { createSink, report } from './sink.mjs'

const [url, bytes] = process.argv.slice(2)
const sink = createSink()
await report(sink, () => stream(`${url}/media/${bytes}`, { method: 'GET' }, () => sink.writable))
process.exit()
