// What a part of a manifest depends on: templates, texts and expressions are plain data, so one walk serves every kind.
import type { ParamPath, Root } from './syntax.ts'

/** The paths below `root` that the expressions of a tree look at, in their order. */
export function pathsIn(tree: unknown, root: Root): readonly ParamPath[] {
  if (typeof tree !== 'object' || tree === null) return []
  const node = tree as { readonly kind?: unknown; readonly root?: unknown; readonly path?: unknown }
  if (node.kind === 'path' && node.root === root && Array.isArray(node.path))
    return [node.path as ParamPath]
  return Object.values(tree).flatMap((below) => pathsIn(below, root))
}

/** The first names of these paths, each once: `config.a.b` gives `a`. */
export function namesIn(tree: unknown, root: Root): readonly string[] {
  return [...new Set(pathsIn(tree, root).flatMap((path) => path.slice(0, 1)))]
}
