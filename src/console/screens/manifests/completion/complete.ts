// Completion of a manifest from its schema, as the editor asks for it.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { EditorView } from 'codemirror'
import schema from '../../../../../schemas/manifest.schema.json'
import type { JsonObject } from '../../../api/json-text.ts'
import { type Place, placeIn } from './place.ts'
import { type KeyOption, keysAt, valuesAt } from './schema-options.ts'

export const ROOT: JsonObject = schema
/** Screen readers would read both as one word. */
const SAID = ' '
const WORD = /^[\w$-]*$/

/** What fits at the cursor, from the word that is being typed on; null: nothing. */
export function complete({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const place = placeIn(state.doc.toString(), pos)
  if (place === null || !WORD.test(place.typed)) return null
  // Between keys a list that nobody asked for is in the way; of a value it tells what is allowed.
  if (place.kind === 'key' && place.typed === '' && !explicit) return null
  const options = place.kind === 'key' ? keyOptions(place) : valueOptions(place)
  return options.length === 0 ? null : { from: place.from, options, validFor: WORD }
}

function keyOptions(place: Place): readonly Completion[] {
  return keysAt(ROOT, place).map((key, index) => ({
    label: key.name,
    type: 'property',
    ...(key.required ? { detail: SAID + 'required' } : {}),
    ...(key.description === null ? {} : { info: key.description }),
    boost: -index,
    apply: (view, _option, from, to) => writeKey(view, key, place, { from, to }),
  }))
}

function valueOptions(place: Place): readonly Completion[] {
  return valuesAt(ROOT, place).map(({ text, description, isDefault }, index) => ({
    label: text,
    type: 'enum',
    ...(isDefault ? { detail: SAID + 'default' } : {}),
    ...(description === null ? {} : { info: description }),
    boost: -index,
  }))
}

/** The key, its colon, and the place of its value, whose own options are offered next. */
function writeKey(
  view: EditorView,
  { name, shape }: KeyOption,
  { indent }: Place,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  const behind = view.state.sliceDoc(to, to + 1)
  const deeper = indent === null ? null : `\n${' '.repeat(indent + 2)}`
  const rest =
    behind === ':'
      ? ''
      : deeper === null || shape === 'scalar'
        ? ': '
        : shape === 'map'
          ? `:${deeper}`
          : `:${deeper}- `
  const insert = name + rest
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: 'input.type',
  })
}
