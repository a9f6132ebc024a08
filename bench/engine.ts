// The engine's own work: parameters checked, request rendered, answer judged and wrapped, with a network that takes no time.

import type { Transport } from '../src/engine/exchange/transport.ts'

import { loadPackage } from './build.ts'
import { createIssue } from './jira-bodies.ts'
import { CREDENTIALS, SETTINGS } from './jira-sides.ts'
import { measureSides } from './measure.ts'
import type { Row } from './row.ts'
import { spreadOf } from './statistics.ts'

/** `issues.get` of a record of 4 KB, less the decoding and parsing of that record. */
export const engineRow: Row = {
  name: 'engine',
  about: 'CPU per call of the engine alone: the call without network, less decoding and JSON.parse',
  async run() {
    const body = Buffer.from(JSON.stringify(createIssue(7, 9)))
    const headers = { 'content-type': 'application/json;charset=UTF-8' }
    const transport: Transport = {
      send: async ({ url }) => ({ status: 200, headers, url, body }),
      stream: () => Promise.reject(new Error('nothing is streamed here')),
      close: async () => {},
    }
    const { connect } = await loadPackage()
    await using jira = await connect('jira', {
      credentials: CREDENTIALS,
      config: SETTINGS,
      limits: null,
      transport,
    })
    const params = { issueIdOrKey: 'ACME-7' }
    const samples = await measureSides(
      [
        { name: 'issues.get', call: async () => await jira.execute('issues', 'get', params) },
        { name: 'JSON.parse', call: async () => await JSON.parse(body.toString()) },
      ],
      { callers: 1, calls: 2_000, rounds: 25, warmUp: 40_000 },
    )
    const whole = (samples.get('issues.get') ?? []).map(({ cpuUs }) => cpuUs)
    const parse = (samples.get('JSON.parse') ?? []).map(({ cpuUs }) => cpuUs)
    return [
      {
        title: 'one call of issues.get',
        unit: 'µs CPU per call',
        sides: [
          { name: 'issues.get', ...spreadOf(whole) },
          { name: 'JSON.parse', ...spreadOf(parse) },
        ],
        figures: [
          {
            name: 'issues.get − JSON.parse',
            unit: 'µs',
            ...spreadOf(whole.map((value, index) => value - (parse[index] ?? 0))),
            must: { atMost: 10 },
            goal: { atMost: 3 },
          },
        ],
      },
    ]
  },
}
