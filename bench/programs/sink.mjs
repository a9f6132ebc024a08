// A writable that counts and forgets, and the report of one download.
import { Writable } from 'node:stream'

export function createSink() {
  const sink = {
    bytes: 0,
    writable: new Writable({
      write(chunk, _encoding, done) {
        sink.bytes += chunk.length
        done()
      },
    }),
  }
  return sink
}

/** Prints what one download took: time, CPU, and the largest growth of the resident memory. */
export async function report(sink, download) {
  const rssBefore = process.memoryUsage.rss()
  let rssPeak = rssBefore
  const watch = setInterval(() => {
    rssPeak = Math.max(rssPeak, process.memoryUsage.rss())
  }, 10)
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  await download()
  const ms = performance.now() - startedAt
  const cpu = process.cpuUsage(cpuBefore)
  clearInterval(watch)
  const result = {
    bytes: sink.bytes,
    ms,
    cpuMs: (cpu.user + cpu.system) / 1000,
    grownMiB: (rssPeak - rssBefore) / 1024 / 1024,
  }
  await new Promise((resolve) => process.stdout.write(JSON.stringify(result), resolve))
}
