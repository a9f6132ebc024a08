import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { monogramOf } from '../../src/connect/monogram.ts'

interface Written {
  readonly connector: {
    readonly type: string
    readonly icon?: { readonly letters: string; readonly hue?: number }
  }
}

/** Degrees of the colour wheel that eyes tell apart. */
const APART = 30

test('packaged connectors have letters and colours that are told apart', () => {
  const marks = readdirSync('manifests')
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => {
      const { connector } = parse(readFileSync(`manifests/${file}`, 'utf8')) as Written
      const { letters, ground } = monogramOf(connector.type, connector.icon)
      return { letters, hue: Number(/oklch\(\S+ \S+ (\d+)\)/.exec(ground)?.[1]) }
    })
  const hues = marks.map(({ hue }) => hue).toSorted((a, b) => a - b)
  const steps = hues.map((hue, at) => (hues[at + 1] ?? (hues[0] ?? 0) + 360) - hue)
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(APART)
  expect(new Set(marks.map(({ letters }) => letters)).size).toBe(marks.length)
})
