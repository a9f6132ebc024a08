// Layout of generated TypeScript: indentation by brackets, comments of one line where they fit.

const WIDTH = 100

/** Indents lines by the brackets around them and shortens comments of one paragraph. */
export function layOut(source: string): string {
  const lines: string[] = []
  let depth = 0
  for (const line of shortComments(source.split('\n').map((each) => each.trim()))) {
    if (line === '') {
      if (lines.at(-1) !== '') lines.push('')
      continue
    }
    const isComment = line.startsWith('*') || line.startsWith('/**')
    const closing = isComment || !/^[)\]}]/.test(line) ? 0 : 1
    lines.push(
      `${'  '.repeat(Math.max(0, depth - closing))}${line.startsWith('*') ? ' ' : ''}${line}`,
    )
    // `({` opens one level, not two, and `})` closes it.
    if (!isComment) depth += Math.sign(balanceOf(line))
  }
  return `${lines
    .join('\n')
    .replaceAll(/\{\n\s*\}/g, '{}')
    .replaceAll(/([:=]) \(([^()]*)\)$/gm, '$1 $2')
    .trim()}\n`
}

/** Opening less closing brackets outside of texts. */
function balanceOf(line: string): number {
  let balance = 0
  for (const [token] of line.matchAll(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[([{]|[)\]}]|\/\*\*.*?\*\//g,
  )) {
    if ('([{'.includes(token)) balance++
    else if (')]}'.includes(token)) balance--
  }
  return balance
}

function shortComments(lines: readonly string[]): readonly string[] {
  const result: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const [first, text, last] = lines.slice(at, at + 3)
    const words = text?.replace(/^\* ?/, '') ?? ''
    if (first === '/**' && last === '*/' && words.length < WIDTH) {
      result.push(`/** ${words} */`)
      at += 2
    } else result.push(lines[at] ?? '')
  }
  return result
}
