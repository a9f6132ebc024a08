// Code without the blanks that lines begin with: lines stay what an error names, and a tenth of the code goes.
import { parseSync, Visitor } from 'rolldown/utils'

/** The code with every line at the margin, but for the lines of texts. */
export function withoutIndentation(code: string): string {
  const texts: { readonly start: number; readonly end: number }[] = []
  const { program, errors } = parseSync('chunk.js', code)
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  new Visitor({
    TemplateElement: ({ start, end }) => {
      if (code.slice(start, end).includes('\n')) texts.push({ start, end })
    },
  }).visit(program)
  const inText = (at: number): boolean => texts.some(({ start, end }) => start <= at && at < end)
  return code.replaceAll(/\n\t+/g, (blanks, at: number) => (inText(at) ? blanks : '\n'))
}
