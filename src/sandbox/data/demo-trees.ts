// Documents that are trees of nodes, written as text: which kinds of nodes there are is declared by the demo data.
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { scalarText, textOf } from '../wire/same-scalar.ts'
import type { TreeRules } from './read-demo.ts'
import { type Context, seeing } from './world.ts'

/** Deeper nodes are left out: such documents are not written, and recursion has an end. */
const MAX_DEPTH = 100

/** A document as text. A node of an unknown kind is written as what is inside of it; what is no node is nothing. */
export function writeTree(document: Json | undefined, rules: TreeRules, context: Context): string {
  return writeNode(document, rules, context, 0)
}

function writeNode(
  node: Json | undefined,
  rules: TreeRules,
  context: Context,
  depth: number,
): string {
  if (!isJsonObject(node) || depth > MAX_DEPTH) return ''
  const written = write(
    node,
    listOf(own(node, rules.inside ?? 'content'))
      .map((inner) => writeNode(inner, rules, context, depth + 1))
      .join(''),
    rules,
    context,
  )
  const around = rules.around === undefined ? [] : listOf(own(node, rules.around))
  return around.reduceRight<string>((inside, mark) => write(mark, inside, rules, context), written)
}

function write(node: Json, inside: string, rules: TreeRules, context: Context): string {
  const make = rules.nodes.get(textOf(own(node, rules.kind ?? 'type')))
  return scalarText(make?.(seeing(context, { item: node, inside }))) ?? inside
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
