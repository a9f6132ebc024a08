// `$` paths into answers → trees. Source of the notation: docs/manifest-language.md, "Answers".
import { ExpressionSyntaxError, parseTemplate } from './parse-text.ts'
import type { Path, PathStep } from './syntax.ts'

const ROOTS: Readonly<Record<string, Path['root']>> = {
  $: 'body',
  $callback: 'callback',
  $cookies: 'cookies',
  $headers: 'headers',
  $link: 'link',
  $next: 'next',
  $parent: 'parent',
}

/** Names that stand after a dot or bare; all others are written `['…']`. */
const NAME = /[\p{L}\p{N}_-]+/uy
const INDEX = /\[(-?\d{1,9})\]/y
const ALL = /\[\*\]/y
const QUOTED = /\['((?:\\['\\]|[^'\\])*)'\]|\["((?:\\["\\]|[^"\\])*)"\]/y

/**
 * Parses `$`, `$.a.b[0]`, `$.a[-1]`, `$.a[*].b`, `$['odd key']`, `$.files[{{ params.n }}]`, `$headers.name`,
 * `$link.rel`, `$link.rel.attribute`, `$next`, `$parent.x`,
 * `$callback.name`, `$cookies`, `$cookies.name`. Throws ExpressionSyntaxError.
 */
export function parsePath(source: string): Path {
  const root = /^\$[a-z]*/i.exec(source)?.[0]
  if (root === undefined) {
    const hint = /^[\p{L}_]/u.test(source) ? `write $.${source}` : 'write $.name'
    throw new ExpressionSyntaxError('A path begins with $', 0, Math.max(1, source.length), hint)
  }
  const kind = Object.hasOwn(ROOTS, root) ? ROOTS[root] : undefined
  if (kind === undefined) {
    const hint = `paths begin with ${Object.keys(ROOTS).join(', ')}; members follow after a dot: $.${root.slice(1)}`
    throw new ExpressionSyntaxError(`There is no root "${root}"`, 0, root.length, hint)
  }
  const path: Path = { root: kind, steps: readSteps(source, root.length), source }
  checkRoot(path)
  return path
}

/** Parses a path into a record: a bare `name` (or `a.b`) is short for `$.name`. Throws ExpressionSyntaxError. */
export function parseRecordPath(source: string): Path {
  if (source.startsWith('$')) return parsePath(source)
  NAME.lastIndex = 0
  const name = NAME.exec(source)?.[0]
  if (name === undefined) {
    const hint = source.includes('{{')
      ? 'an answer is read by a name or a $ path, not by an expression: id, or $.data.id'
      : `write $[${JSON.stringify(source)}]`
    throw new ExpressionSyntaxError('This is no plain name', 0, Math.max(1, source.length), hint)
  }
  return {
    root: 'body',
    steps: [{ kind: 'member', name }, ...readSteps(source, name.length)],
    source,
  }
}

function readSteps(source: string, start: number): PathStep[] {
  const steps: PathStep[] = []
  let offset = start
  while (offset < source.length) {
    const [step, end] = readStep(source, offset)
    steps.push(step)
    offset = end
  }
  return steps
}

function readStep(source: string, offset: number): [step: PathStep, end: number] {
  if (source[offset] === '.') {
    const name = matchAt(NAME, source, offset + 1)
    if (name === null) {
      const hint = source.startsWith('*', offset + 1)
        ? 'write [*]'
        : "write $.name, or $['odd name']"
      throw new ExpressionSyntaxError('After a dot stands a name', offset, 2, hint)
    }
    return [{ kind: 'member', name: name[0] }, offset + 1 + name[0].length]
  }
  const index = matchAt(INDEX, source, offset)
  if (index?.[1] !== undefined) {
    return [{ kind: 'index', index: Number(index[1]) }, offset + index[0].length]
  }
  const all = matchAt(ALL, source, offset)
  if (all !== null) return [{ kind: 'all' }, offset + all[0].length]
  const quoted = matchAt(QUOTED, source, offset)
  if (quoted !== null) {
    const name = (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, '$1')
    return [{ kind: 'member', name }, offset + quoted[0].length]
  }
  if (source.startsWith('[{{', offset)) return readComputed(source, offset)
  const hint =
    source[offset] === '[' ? "write [0], [-1], [*] or ['name']" : "write .name or ['odd name']"
  throw new ExpressionSyntaxError('This is no step of a path', offset, source.length - offset, hint)
}

/** `[{{ expression }}]`. The end is the first `}}]`: a string literal that holds one would need another spelling. */
function readComputed(source: string, offset: number): [step: PathStep, end: number] {
  const close = source.indexOf('}}]', offset)
  if (close < 0) {
    const length = source.length - offset
    throw new ExpressionSyntaxError(
      'The index is not closed',
      offset,
      length,
      'write }}] at its end',
    )
  }
  const template = parseTemplate(source.slice(offset + 1, close + 2), { from: offset + 1 })
  if (template.kind === 'value')
    return [{ kind: 'computed', index: template.expression }, close + 3]
  const hint = 'write [{{ params.n }}]'
  throw new ExpressionSyntaxError('An index is one expression', offset, close + 3 - offset, hint)
}

const STEPS: Readonly<Partial<Record<Path['root'], { min: number; max: number; form: string }>>> = {
  callback: { min: 1, max: 1, form: '$callback.name' },
  cookies: { min: 0, max: 1, form: '$cookies.name, or $cookies' },
  headers: { min: 1, max: 1, form: '$headers.name' },
  link: { min: 1, max: 2, form: '$link.next, or $link.next.attribute' },
}

function checkRoot({ root, steps, source }: Path): void {
  const rule = STEPS[root]
  if (rule === undefined) return
  const members = steps.every((step) => step.kind === 'member')
  if (members && steps.length >= rule.min && steps.length <= rule.max) return
  const hint = `write ${rule.form}`
  throw new ExpressionSyntaxError('This root holds plain texts', 0, source.length, hint)
}

function matchAt(pattern: RegExp, source: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset
  return pattern.exec(source)
}
