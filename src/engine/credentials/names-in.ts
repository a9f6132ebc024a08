// Which credentials or settings a template depends on.
import type { Root, Template, Text } from '../../language/expression/syntax.ts'

/** The first names behind `root` in a template or text, each once: `config.a.b` gives `a`. */
export function namesIn(template: Template | Text, root: Root): readonly string[] {
  return [...new Set(namesBelow(template, root))]
}

/** Trees are plain data, so one walk serves every kind of node. */
function namesBelow(tree: unknown, root: Root): readonly string[] {
  if (typeof tree !== 'object' || tree === null) return []
  const node = tree as { readonly kind?: unknown; readonly root?: unknown; readonly path?: unknown }
  if (node.kind === 'path' && node.root === root && Array.isArray(node.path)) {
    return node.path.slice(0, 1).map(String)
  }
  return Object.values(tree).flatMap((below) => namesBelow(below, root))
}
