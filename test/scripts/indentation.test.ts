import { expect, test } from 'vitest'
import { withoutIndentation } from '../../scripts/indentation.ts'

test('lines begin at the margin, and texts are left as they are', () => {
  const code =
    'function a(b) {\n\t\tif (b) return `one\n\t\ttwo ${b}\n\tthree`\n\treturn "\\t"\n}\n'
  const made = 'function a(b) {\nif (b) return `one\n\t\ttwo ${b}\n\tthree`\nreturn "\\t"\n}\n'
  expect(withoutIndentation(code)).toBe(made)
})
