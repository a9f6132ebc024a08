// The documentation of the key under the pointer, or at the cursor when it is asked for by Ctrl + Shift + Space, next to it.
import { type Extension, Prec } from '@codemirror/state'
import { EditorView } from 'codemirror'
import { ROOT } from './completion/complete.ts'
import { type Explained, explain } from './completion/explain.ts'

/** So long the pointer rests on a key first. */
const REST_MS = 300
const GAP = 4

/** Goes when the pointer leaves the key and the text about it, at a key that is pressed, and as the text moves. */
export function hoverDocs(): Extension {
  let timer = 0
  let shown: { readonly from: number; readonly element: HTMLElement } | null = null
  const hide = (): void => {
    window.clearTimeout(timer)
    shown?.element.remove()
    shown = null
  }
  const look = (view: EditorView, x: number, y: number): void => {
    const at = view.posAtCoords({ x, y })
    const found = at === null ? null : explain(ROOT, view.state.doc.toString(), at)
    if (found !== null && isOver(view, found, x)) {
      if (shown?.from === found.from) return
      hide()
      shown = { from: found.from, element: place(view, found) }
    } else hide()
  }
  const lookAtCursor = (view: EditorView): void => {
    const { doc, selection } = view.state
    const { head } = selection.main
    const { from, text } = doc.lineAt(head)
    const begin = from + text.search(/[\w$]|$/)
    const found = explain(ROOT, doc.toString(), head) ?? explain(ROOT, doc.toString(), begin)
    if (found !== null) shown = { from: found.from, element: place(view, found) }
    say(view, shown?.element.textContent ?? 'There is no documentation of this place.')
  }
  return [
    // Keys that move the cursor are the editor's from then on.
    Prec.highest(
      EditorView.domEventHandlers({
        mousemove(event, view) {
          window.clearTimeout(timer)
          const { clientX: x, clientY: y } = event
          timer = window.setTimeout(() => look(view, x, y), REST_MS)
        },
        mouseleave(event) {
          // The pointer may go on into what is shown, to select in it.
          const { relatedTarget: to } = event
          if (shown === null || !(to instanceof Node) || !shown.element.contains(to)) hide()
          else shown.element.addEventListener('mouseleave', hide, { once: true })
        },
        keydown(event, view) {
          hide()
          const isAsked = event.ctrlKey && event.shiftKey && event.code === 'Space'
          if (isAsked) lookAtCursor(view)
          return isAsked
        },
        scroll: hide,
      }),
    ),
    EditorView.updateListener.of((update) => {
      if (update.docChanged || update.geometryChanged) hide()
    }),
  ]
}

/** The nearest place to a pointer behind the end of a line is on it. */
function isOver(view: EditorView, { from, name }: Explained, x: number): boolean {
  const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(from + name.length)]
  return start !== null && end !== null && x >= start.left && x <= end.right
}

/** For who does not see it. A region that is there already is read when its text changes. */
function say(view: EditorView, words: string): void {
  const there = view.dom.querySelector('.cm-said')
  const region = there ?? view.dom.appendChild(document.createElement('div'))
  region.className = 'cm-said'
  region.setAttribute('role', 'status')
  region.textContent = words
}

function place(view: EditorView, found: Explained): HTMLElement {
  const element = document.createElement('div')
  element.className = 'cm-tooltip cm-docs'
  element.setAttribute('role', 'tooltip')
  const title = element.appendChild(document.createElement('strong'))
  title.textContent = found.name + (found.required ? ' (required)' : '')
  element.appendChild(document.createElement('p')).textContent = found.description
  if (found.values.length > 0)
    element.appendChild(document.createElement('p')).textContent =
      `One of: ${found.values.join(', ')}`
  view.dom.append(element)
  const frame = view.dom.getBoundingClientRect()
  const key = view.coordsAtPos(found.from)
  if (key === null) return element
  const below = key.bottom - frame.top + GAP
  const fits = below + element.offsetHeight <= frame.height
  const top = fits ? below : Math.max(0, key.top - frame.top - GAP - element.offsetHeight)
  const left = Math.max(0, Math.min(key.left - frame.left, frame.width - element.offsetWidth - GAP))
  element.style.top = `${top}px`
  element.style.left = `${left}px`
  return element
}
