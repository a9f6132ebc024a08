// Code without the blanks that it does not need: lines stay what an error names, and a fifth of the code goes.
import { parseSync, Visitor } from 'rolldown/utils'

/** What a blank next to it means nothing to. Not `+`, `-` and `/`, which with another one are another word. */
const STANDS_ALONE = /[(){}[\];,:?=<>!&|*%^~\n]/

/** The code with every line at the margin, and blanks only in texts and between words. */
export function withoutBlanks(code: string): string {
  const texts: { readonly start: number; readonly end: number }[] = []
  const { program, errors } = parseSync('chunk.js', code)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  const leave = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    texts.push({ start, end })
  }
  new Visitor({ TemplateElement: leave, Literal: leave }).visit(program)
  texts.sort((one, other) => one.start - other.start)
  let made = ''
  let at = 0
  for (const { start, end } of texts) {
    made += squeezed(code, at, start) + code.slice(start, end)
    at = end
  }
  return made + squeezed(code, at, code.length)
}

function squeezed(code: string, from: number, to: number): string {
  return code.slice(from, to).replaceAll(/[ \t]+/g, (blanks, offset: number) => {
    const start = from + offset
    const [before = '\n', after = '\n'] = [code[start - 1], code[start + blanks.length]]
    return STANDS_ALONE.test(before) || STANDS_ALONE.test(after) ? '' : ' '
  })
}
