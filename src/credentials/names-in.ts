// Which credentials or settings a template depends on.
import type { Expression, Root, Template, TextPart } from '../expression/syntax.ts'

/** The first names behind `root` in a template or text, each once: `config.a.b` gives `a`. */
export function namesIn(template: Template | readonly TextPart[], root: Root): readonly string[] {
  const names = new Set<string>()
  const add = (expression: Expression): void => {
    if (
      expression.kind === 'path' &&
      expression.root === root &&
      expression.path[0] !== undefined
    ) {
      names.add(expression.path[0])
    }
    if (expression.kind === 'call') expression.args.forEach(add)
  }
  if (Array.isArray(template)) visitParts(template as readonly TextPart[], add)
  else visit(template as Template, add)
  return [...names]
}

function visit(template: Template, add: (expression: Expression) => void): void {
  switch (template.kind) {
    case 'constant':
      return
    case 'value':
      return add(template.expression)
    case 'text':
      return visitParts(template.text, add)
    case 'array':
      return template.items.forEach((item) => visit(item, add))
    case 'object':
      return template.members.forEach(([, value]) => visit(value, add))
    case 'when':
      add(template.test)
      return visit(template.value, add)
  }
}

function visitParts(parts: readonly TextPart[], add: (expression: Expression) => void): void {
  for (const part of parts) {
    if (typeof part === 'string') continue
    if (part.kind === 'ifBlock') {
      add(part.test)
      visitParts(part.body, add)
      visitParts(part.otherwise, add)
    } else if (part.kind === 'eachBlock') {
      add(part.list)
      visitParts(part.body, add)
    } else add(part)
  }
}
