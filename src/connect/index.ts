// The connect page inside a host app's page: in a frame over it, or in a window beside it. No framework, no style sheet.

/** The account that was connected. The id is no proof: ask the service about it before you believe it. */
export interface Connected {
  /** Id of the instance. */
  readonly connection: string
  readonly connectorType: string
}

export interface OpenOptions {
  /** The `connect_url` of a session with an `allowed_origin`: the origin of the page that calls this. */
  readonly url: string
  readonly onSuccess: (connected: Connected) => void
  /** The page has gone, with or without success before. */
  readonly onClose?: () => void
  /**
   * `frame` (the default): over the page. `popup`: in a window of its own, where the browser lets one open; call it from
   * a click then.
   */
  readonly mode?: 'frame' | 'popup'
  /** What the frame is called for people who do not see it; default: `Connect an account`. */
  readonly title?: string
}

/** An open connect page. */
export interface OpenConnect {
  /** Takes it away; calls `onClose`. */
  close(): void
}

interface Place {
  /** The page's window; a message from any other one is none of its. */
  readonly target: () => Window | null
  readonly ready: () => void
  readonly remove: () => void
}

const POLL_MS = 400
const READY_MS = 3000

/**
 * Shows the connect page. Tells `onSuccess` as soon as an account is connected; the page then stays until the user goes
 * back, or `close` is called. Throws a TypeError for a URL that is not http or https.
 */
export function open(options: OpenOptions): OpenConnect {
  const url = new URL(options.url)
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('url must be a connect_url')
  let isOpen = true
  let isTold = false

  function close(): void {
    if (!isOpen) return
    isOpen = false
    removeEventListener('message', hear)
    place.remove()
    options.onClose?.()
  }

  function hear({ origin, source, data }: MessageEvent<unknown>): void {
    if (origin !== url.origin || source === null || source !== place.target()) return
    const message = messageIn(data)
    if (message === null) return
    if (message['type'] === 'ready') place.ready()
    if (message['type'] === 'close') close()
    if (message['type'] !== 'connected' || isTold) return
    isTold = true
    options.onSuccess({
      connection: String(message['connection']),
      connectorType: String(message['connector']),
    })
  }

  addEventListener('message', hear)
  const place =
    (options.mode === 'popup' ? inWindow(url.href, close) : null) ??
    inFrame(url.href, options.title ?? 'Connect an account', close)
  return { close }
}

/** Null: it is no message of a connect page. */
function messageIn(data: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof data !== 'object' || data === null) return null
  // Looked at member by member.
  const message = data as Readonly<Record<string, unknown>>
  return message['source'] === 'tenon-connect' ? message : null
}

/** Null: the browser lets no window open. */
function inWindow(href: string, close: () => void): Place | null {
  const beside = window.open(href, '_blank', 'popup,width=500,height=760')
  if (beside === null) return null
  const timer = setInterval(() => {
    if (beside.closed) close()
  }, POLL_MS)
  return {
    target: () => beside,
    ready: () => {},
    remove() {
      clearInterval(timer)
      beside.close()
    },
  }
}

/** A modal dialog: the browser keeps the focus in it, and gives it back to where it was. */
function inFrame(href: string, title: string, close: () => void): Place {
  const dialog = document.createElement('dialog')
  const frame = document.createElement('iframe')
  const cross = document.createElement('button')
  const note = document.createElement('p')
  dialog.setAttribute('aria-label', title)
  frame.title = title
  frame.src = href
  cross.type = 'button'
  cross.textContent = '×'
  cross.setAttribute('aria-label', 'Close')
  note.setAttribute('role', 'alert')
  // Set one by one: a strict policy of the host forbids style attributes and elements, and allows this.
  Object.assign(dialog.style, {
    width: 'min(500px, 100vw)',
    height: 'min(760px, 100vh)',
    maxWidth: '100vw',
    maxHeight: '100vh',
    padding: '0',
    border: '0',
    borderRadius: '14px',
    overflow: 'hidden',
    colorScheme: 'light dark',
  })
  Object.assign(frame.style, { width: '100%', height: '100%', border: '0', display: 'block' })
  Object.assign(cross.style, {
    position: 'absolute',
    top: '8px',
    right: '8px',
    width: '36px',
    height: '36px',
    border: '0',
    borderRadius: '50%',
    background: 'transparent',
    color: 'light-dark(#1a1d21, #e8eaed)',
    font: '24px/1 system-ui, sans-serif',
    cursor: 'pointer',
  })
  Object.assign(note.style, {
    position: 'absolute',
    inset: '40px 24px auto',
    margin: '0',
    font: '15px/1.5 system-ui, sans-serif',
  })
  // The frame comes first: who moves on with the keyboard is in the form, then at the cross.
  dialog.append(frame, cross, note)
  cross.addEventListener('click', close)
  dialog.addEventListener('close', close)
  let timer: ReturnType<typeof setTimeout> | undefined
  frame.addEventListener('load', () => {
    timer ??= setTimeout(() => {
      // A link that is over may be framed by nobody, and a page that is not shown cannot say so.
      frame.remove()
      note.textContent = 'This link is over, or may not be shown here. Close this and start again.'
    }, READY_MS)
  })
  document.body.append(dialog)
  dialog.showModal()
  return {
    target: () => frame.contentWindow,
    ready: () => clearTimeout(timer),
    remove() {
      clearTimeout(timer)
      dialog.close()
      dialog.remove()
    },
  }
}
