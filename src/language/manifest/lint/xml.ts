// Answers in XML: they have one element at their top, and all of their values are texts.
import { gives } from '../actions.ts'
import type { PlacedAction, PlacedPath } from '../draft.ts'
import { keyAt, type Lint } from './lint.ts'
import { isOwnedBy, paginationOf } from './param-facts.ts'

/** Findings about actions whose answers are XML. */
export function lintXml(lint: Lint): void {
  for (const action of lint.actions) {
    if (action.source.response?.decode !== 'xml') continue
    lintFlags(lint, action)
    lintTop(lint, action)
  }
}

function lintTop(lint: Lint, action: PlacedAction): void {
  const { source, at, name, operation } = action
  if (gives(name, 'nothing')) return
  const hint = 'name the element: $.Result'
  const key = gives(name, 'list') ? 'records' : 'record'
  const placed = lint.draft.paths.find(
    ({ owner, use }) => isOwnedBy(owner, action) && use === `response.${key}`,
  )
  if (placed !== undefined && placed.path.steps.length === 0) {
    const message = `an XML answer is one element, which ${placed.path.source} does not name`
    lint.error('response/xml-top', placed, message, hint)
  } else if (source.response?.record === undefined && key === 'record') {
    const message = `${operation} does not say which element of its XML answer the record is`
    lint.error('response/xml-top', keyAt(...at, 'response'), message, `write record: $.Result`)
  } else if (placed !== undefined) lintBelow(lint, action, placed)
}

/** The top is one element: it is no list of several, and no pointer leads past it. */
function lintBelow(lint: Lint, action: PlacedAction, records: PlacedPath): void {
  const { name, source, at } = action
  const [top] = records.path.steps
  if (top?.kind !== 'member' || source.steps !== undefined) return
  if (gives(name, 'list') && records.path.steps.length === 1 && source.response?.single !== true) {
    const message = `an XML answer has one element at its top, so ${records.path.source} is never a list`
    const hint = `name the element around the records: $.Result.${top.name}; single: true where one object is the list`
    lint.error('response/xml-top', records, message, hint)
    return
  }
  for (const placed of lint.draft.paths) {
    const [first] = placed.path.steps
    const isOwn = isOwnedBy(placed.owner, action) && placed.use.startsWith('pagination.')
    if (!isOwn || placed.path.root !== 'body' || first?.kind !== 'member') continue
    // An earlier step may have an answer of another form; the pagination reads the last one.
    if (first.name === top.name || placed.at.length <= at.length) continue
    const message = `an XML answer has one element at its top, here "${top.name}": there is no "${first.name}" next to it`
    const isAlone = placed.path.steps.length === 1
    const rest = placed.path.source.slice(isAlone ? 1 : `$.${first.name}`.length)
    const hint = `write $.${top.name}${rest}, if it lies there`
    lint.error('response/xml-top', placed, message, hint)
  }
}

const MORE_NAME = /^(?:has|is|more)/i

/** The text "false" is as true as any other. */
function lintFlags(lint: Lint, action: PlacedAction): void {
  const pagination = paginationOf(lint.source, action)
  const isOwn = action.source.pagination !== undefined
  for (const key of ['last', 'more'] as const) {
    const flag = pagination?.[key]
    if (typeof flag !== 'string') continue
    const name = flag.split('.').at(-1) ?? ''
    if (key === 'more' && !MORE_NAME.test(name)) continue
    const at = isOwn ? [...action.at, 'pagination', key] : [...action.at, 'response', 'decode']
    const message = `${flag} is text in XML, and the text "false" is no end of anything`
    const hint = `write the text that is meant: ${key}: { ${flag}: "true" }`
    lint.error('response/xml-flag', { at }, message, hint)
  }
}
