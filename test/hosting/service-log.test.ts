// Lines of the log: their form, their levels, and what never shows.
import { expect, test } from 'vitest'
import { createServiceLog } from '../../src/hosting/service-log.ts'
import type { LogLevel } from '../../src/service/settings.ts'

function linesOf(
  level: LogLevel,
  use: (log: ReturnType<typeof createServiceLog>) => void,
): unknown[] {
  const lines: string[] = []
  const log = createServiceLog(level, { write: (line: string) => lines.push(line) })
  use(log)
  log.close()
  return lines.map((line) => JSON.parse(line) as unknown)
}

test('a line has level, time, facts and message', () => {
  expect(linesOf('info', (log) => log.info({ status: 200, code: null }, 'request'))).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      status: 200,
      code: null,
      msg: 'request',
    },
  ])
})

test('what lies below the level is not written', () => {
  const counts = (['debug', 'info', 'warn', 'error', 'silent'] as const).map(
    (level) =>
      linesOf(level, (log) => {
        log.debug({}, 'a')
        log.info({}, 'b')
        log.warn({}, 'c')
        log.error({}, 'd')
      }).length,
  )
  expect(counts).toEqual([4, 3, 2, 1, 0])
})

test('members that could hold a secret are masked, at the top and one level below', () => {
  const facts = {
    token: 'a',
    nested: { password: 'b', id: 1 },
    list: [{ secret: 'c' }],
    params: {},
  }
  const [line] = linesOf('info', (log) => log.info(facts, 'x'))
  expect(line).toMatchObject({
    token: '[secret]',
    nested: { password: '[secret]', id: 1 },
    list: [{ secret: 'c' }],
    params: '[secret]',
  })
  expect(facts.token).toBe('a')
})
