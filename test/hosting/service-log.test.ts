// Lines of the log: their form, their levels, and what never shows.
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

// The device says at every write that the disk is full.
test.runIf(existsSync('/dev/full'))(
  'D2 a log that cannot be written, as on a full disk, ends nothing, keeps 1 MiB of lines, and tells how many it has lost',
  () => {
    const full = openSync('/dev/full', 'w')
    const folder = mkdtempSync(join(tmpdir(), 'tenon-log-'))
    const file = join(folder, 'log')
    const module = new URL('../../src/hosting/service-log.ts', import.meta.url).href
    // Of the descriptors that are free the next file gets the smallest.
    const program = `import { closeSync, openSync } from 'node:fs'
      import { createServiceLog } from ${JSON.stringify(module)}
      const log = createServiceLog('info')
      for (let n = 0; n < 20; n++) log.warn({ text: 'x'.repeat(100_000) }, 'a line')
      await new Promise((resolve) => setImmediate(resolve))
      closeSync(1)
      if (openSync(${JSON.stringify(file)}, 'w') !== 1) throw new Error('not the standard output')
      log.warn({}, 'there is room')
      await new Promise((resolve) => setImmediate(resolve))
      log.close()
      process.stderr.write('went on')`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    })
    closeSync(full)
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'went on' })
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly msg: string; readonly lost?: number })
    rmSync(folder, { recursive: true })
    const kept = lines.filter(({ msg }) => msg === 'a line').length
    expect([
      kept,
      ...lines.slice(kept).map(({ msg, lost = 0 }) => [msg.slice(0, 13), lost]),
    ]).toEqual([10, ['there is room', 0], ['lines of the ', 10]])
  },
)
