import { expect, test } from 'vitest'
import { withoutBlanks } from '../../scripts/blanks.ts'

test('lines begin at the margin, and texts are left as they are', () => {
  const code =
    'function a(b) {\n\t\tif (b) return `one\n\t\ttwo ${b}\n\tthree`\n\treturn "\\t = " + / a = b /.source\n}\n'
  const made =
    'function a(b){\nif(b)return `one\n\t\ttwo ${b}\n\tthree`\nreturn "\\t = " + / a = b /.source\n}\n'
  expect(withoutBlanks(code)).toBe(made)
})

test('blanks stay where they part words', () => {
  const code = 'const a = (b, c) => b + +c - -b + ++c / b in c ? .5 : typeof b === "x y"\n'
  expect(withoutBlanks(code)).toBe(
    'const a=(b,c)=>b + +c - -b + ++c / b in c?.5:typeof b==="x y"\n',
  )
})
