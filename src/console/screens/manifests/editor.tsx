// The text of a manifest with its findings at their lines. In a shadow tree, where the editor's style sheets are objects
// of its own and need no exception in the page's policy.
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { tags } from '@lezer/highlight'
import { basicSetup, EditorView } from 'codemirror'
import { type ReactNode, useEffect, useRef } from 'react'
import type { ManifestFinding } from '../../api/answers.ts'
import { complete } from './completion/complete.ts'
import { hoverDocs } from './hover.ts'

export interface EditorProps {
  /** What the editor begins with, once for each `id`. */
  readonly text: string
  readonly id: string
  readonly change: (text: string) => void
  readonly findings: readonly ManifestFinding[]
  /** A place to go to; a new object goes there again. */
  readonly goal: { readonly line: number; readonly column: number } | null
}

export function Editor(props: EditorProps): ReactNode {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const change = useRef(props.change)
  change.current = props.change
  useEffect(() => {
    const { current: element } = host
    if (element === null) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const made = new EditorView({
      doc: props.text,
      root,
      parent: root,
      extensions: [
        basicSetup,
        yaml(),
        lintGutter(),
        hoverDocs(),
        TYPED_OVER,
        EditorState.languageData.of(() => [{ autocomplete: complete }]),
        syntaxHighlighting(COLOURS),
        LOOK,
        EditorView.contentAttributes.of({ 'aria-label': 'Manifest', tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) change.current(update.state.doc.toString())
        }),
      ],
    })
    view.current = made
    return () => made.destroy()
    // The text is the editor's own from then on.
  }, [props.id])
  useEffect(() => {
    const { current: editor } = view
    if (editor === null) return
    const marks = props.findings.map((finding) => diagnosticOf(editor.state, finding))
    editor.dispatch(setDiagnostics(editor.state, marks))
  }, [props.findings, props.id])
  useEffect(() => {
    const { current: editor } = view
    if (editor === null || props.goal === null) return
    const at = offsetOf(editor.state, props.goal)
    editor.dispatch({ selection: { anchor: at }, scrollIntoView: true })
    editor.focus()
  }, [props.goal])
  return <div ref={host} className="editor" />
}

function diagnosticOf(state: EditorState, finding: ManifestFinding): Diagnostic {
  const from = offsetOf(state, finding)
  return {
    from,
    to: Math.min(state.doc.length, from + finding.length),
    severity: finding.severity,
    source: finding.rule,
    message: finding.hint === null ? finding.message : `${finding.message}\n${finding.hint}`,
  }
}

/** The text may have changed since the finding was made. */
function offsetOf(
  state: EditorState,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  const at = state.doc.line(Math.min(Math.max(1, line), state.doc.lines))
  return Math.min(at.to, at.from + column - 1)
}

/**
 * What is typed over a selection. A browser that writes it into the page keeps the look of what stood there by an inline
 * style, which the page's policy refuses.
 */
const TYPED_OVER = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event
    const { main, ranges } = view.state.selection
    if (inputType !== 'insertText' || data === null || isComposing) return false
    if (main.empty || ranges.length > 1) return false
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), {
        scrollIntoView: true,
        userEvent: 'input.type',
      })
    // A bracket is put around what is chosen, a place of a snippet is left.
    const isTaken = view.state
      .facet(EditorView.inputHandler)
      .some((take) => take(view, main.from, main.to, data, insert))
    if (!isTaken) view.dispatch(insert())
    return true
  },
})

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.keyword, tags.number, tags.bool], color: 'var(--wait)' },
])

const LOOK = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--text)',
    backgroundColor: 'var(--surface)',
    fontSize: '12.5px',
  },
  // The frame around it shows the focus.
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--quiet)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--line-back)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--selection)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
  },
  '.cm-docs': {
    position: 'absolute',
    maxWidth: 'min(360px, 100%)',
    maxHeight: '100%',
    overflow: 'auto',
    boxSizing: 'border-box',
    padding: '8px 12px',
    fontFamily: 'system-ui, sans-serif',
    lineHeight: '1.45',
    overflowWrap: 'anywhere',
  },
  '.cm-said': {
    position: 'absolute',
    width: '1px',
    height: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  },
  '.cm-docs p': { margin: '4px 0 0' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
    maxHeight: '14em',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '1.5' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--selection)',
    color: 'var(--text)',
  },
  '.cm-completionIcon': { display: 'none' },
  '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal', marginLeft: '1.5em' },
  '.cm-tooltip.cm-completionInfo': {
    padding: '8px 12px',
    maxWidth: '320px',
    fontFamily: 'system-ui, sans-serif',
  },
  // Above or below the list, where the page is narrow: within it, and not set off to the side.
  '.cm-tooltip.cm-completionInfo.cm-completionInfo-right-narrow': { left: '0' },
  '.cm-tooltip.cm-completionInfo.cm-completionInfo-left-narrow': { right: '0' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '650' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--raised)', color: 'var(--quiet)' },
})
