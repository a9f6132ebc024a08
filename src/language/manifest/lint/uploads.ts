// Files that are sent in parts: which parameter is the file, and whether the vendor is told where a part stands.
import { pathsIn } from '../../expression/paths-in.ts'
import type { DocumentPath } from '../document.ts'
import type { PlacedAction, PlacedText } from '../draft.ts'
import { expressionsIn, onlyExpression } from './expression-facts.ts'
import { keyAt, type Lint } from './lint.ts'
import { isAlwaysGiven, isOwnedBy } from './param-facts.ts'
import { paramsOf } from './scopes.ts'

export function lintUploads(lint: Lint): void {
  for (const action of lint.actions) {
    const { upload } = action.source
    if (upload === undefined) continue
    lintFile(lint, action, upload.file)
    const texts = lint.draft.texts.filter(({ owner }) => isOwnedBy(owner, action))
    const at = [...action.at, 'upload']
    lintPlace(lint, at, texts)
    if (upload.without_size === true) lintUnknownSize(lint, texts)
  }
}

function lintFile(lint: Lint, action: PlacedAction, file: string): void {
  const params = paramsOf(lint.source, action)
  const found = params.members().get(file)
  const place = { at: [...action.at, 'upload', 'file'] }
  if (found === undefined) return // It was found to be no parameter.
  if (found.schema.format !== 'binary') {
    const message = `"${file}" is no file`
    lint.error('upload/file', place, message, 'declare it as { type: string, format: binary }')
  } else if (!isAlwaysGiven(params, [file])) {
    const message = `the file "${file}" may be left out, and then there is nothing to send`
    lint.error('upload/file', place, message, 'list it in required')
  }
  const sent = lint.draft.texts.find(
    ({ owner, at, text }) =>
      isOwnedBy(owner, action) &&
      at.at(-1) === 'base64' &&
      pathsIn(text, 'params').some(([name]) => name === file),
  )
  if (sent === undefined) return
  const message = `the request that asks for the address sends "${file}" already`
  lint.error('upload/sent-twice', sent, message, 'remove it there, or remove upload')
}

const PART: ReadonlySet<string> = new Set(['from', 'to'])

/** A part says where it stands; nothing else has a place. */
function lintPlace(lint: Lint, at: DocumentPath, texts: readonly PlacedText[]): void {
  let isSaid = false
  for (const placed of texts) {
    const isPart = placed.place === 'upload.headers' && placed.at.includes('chunk')
    const places = pathsIn(placed.text, 'upload').filter(([name = '']) => PART.has(name))
    isSaid ||= isPart && places.length > 0
    const [first] = places
    if (isPart || first === undefined) continue
    const message = `"upload.${first.join('.')}" means nothing here: only a part has a place in the file`
    lint.error('upload/place', placed, message, 'it stands in upload.chunk.headers only')
  }
  if (isSaid) return
  const message = 'no header of a part says where it stands in the file'
  const hint =
    'send upload.from, as in Content-Range: bytes {{ upload.from }}-{{ upload.to }}/{{ upload.size }}'
  lint.error('upload/place', keyAt(...at, 'chunk'), message, hint)
}

/** A text around a size that is not known is left out as a whole. */
function lintUnknownSize(lint: Lint, texts: readonly PlacedText[]): void {
  for (const placed of texts) {
    if (placed.place !== 'upload.headers' || onlyExpression(placed.text) !== null) continue
    for (const { expression, isPrinted } of expressionsIn(placed.text)) {
      if (!isPrinted || expression.kind !== 'path' || expression.root !== 'upload') continue
      const [name = ''] = expression.path
      if (PART.has(name)) continue
      const message = `the header is left out where "upload.${name}" is not known, as without_size allows`
      const hint = `say what stands for it: {{ default upload.total '*' }}`
      lint.error('upload/unknown-size', placed, message, hint)
    }
  }
}
