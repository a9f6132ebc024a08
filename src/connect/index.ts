// The connect page inside a host app's page: in a frame over it, or in a window beside it. No framework, no style sheet.

/** The account that was connected. The id is no proof: ask the service about it before you believe it. */
export interface Connected {
  /** Id of the instance. */
  readonly connection: string
  readonly connectorType: string
}

/** Why the page is not shown, or what an attempt of the user failed of. */
export interface ConnectFailure {
  /** `not_shown`, or the code of an error of the service: `credentials_refused`, `access_denied`. */
  readonly code: string
  /** For people, in the language of the page; of `not_shown` for developers: what it may be. */
  readonly message: string
  /** Null: it has nothing to do with a connector. */
  readonly connectorType: string | null
}

/** What happens on the page. New names may come: ignore those that you do not know. */
export type ConnectEvent =
  | { readonly name: 'opened' | 'closed' }
  /** Where the user is: `connectors`, `ways`, `form`, `consent`, `connected`. */
  | { readonly name: 'step'; readonly step: string; readonly connectorType: string | null }
  | ({ readonly name: 'failed' } & ConnectFailure)
  | ({ readonly name: 'connected' } & Connected)

export interface OpenOptions {
  /** The `connect_url` of a session with an `allowed_origin`: the origin of the page that calls this. */
  readonly url: string
  readonly onSuccess: (connected: Connected) => void
  /** The page has gone, with or without success before. */
  readonly onClose?: () => void
  /**
   * The page could not be shown, or the user was told that something did not work; they may try again. The page stays
   * open.
   */
  readonly onError?: (failure: ConnectFailure) => void
  /** All of that, and each step, for what you measure. */
  readonly onEvent?: (event: ConnectEvent) => void
  /**
   * `frame` (the default): over the page. `popup`: in a window of its own, where the browser lets one open; call it from
   * a click then.
   */
  readonly mode?: 'frame' | 'popup'
  /** What the frame is called for people who do not see it; default: `Connect an account`, in the language. */
  readonly title?: string
  /** Of the page and of what stands around it: `en`, `de`. Default: that of the link, else what the browser prefers. */
  readonly lang?: string
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
/** A frame that has loaded says so at once; one that may not be shown never does, and in some browsers does not load. */
const LOADED_MS = 3000
const SHOWN_MS = 20_000

type Words = Readonly<Record<'title' | 'close' | 'notShown' | 'notShownAdvice', string>>

/** For developers: the page itself cannot say why. */
function notShown(): string {
  return `the page was not shown: the link is over or was used, or its session has no allowed_origin or another one than ${location.origin}`
}

const ENGLISH: Words = {
  title: 'Connect an account',
  close: 'Close',
  notShown: 'This cannot be shown here',
  notShownAdvice:
    'The link is over, or may not be opened in this page. Close this and start again. If it happens again, tell the people of this app.',
}

const WORDS: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  de: {
    title: 'Ein Konto verbinden',
    close: 'Schließen',
    notShown: 'Das kann hier nicht gezeigt werden',
    notShownAdvice:
      'Der Link ist abgelaufen oder darf in dieser Seite nicht geöffnet werden. Schließen Sie dies und beginnen Sie neu. Geschieht es wieder, sagen Sie es denen, die diese App betreiben.',
  },
}

/**
 * Shows the connect page. Tells `onSuccess` as soon as an account is connected; the page then stays until the user goes
 * back, or `close` is called. Throws a TypeError for a URL that is not http or https.
 */
export function open(options: OpenOptions): OpenConnect {
  const url = new URL(options.url)
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('url must be a connect_url')
  if (options.lang !== undefined) url.searchParams.set('lang', options.lang)
  const words = wordsIn([url.searchParams.get('lang') ?? '', ...navigator.languages])
  let isOpen = true
  let isTold = false
  let isReady = false

  function tell(event: ConnectEvent): void {
    options.onEvent?.(event)
  }

  function fail(failure: ConnectFailure): void {
    options.onError?.(failure)
    tell({ name: 'failed', ...failure })
  }

  function close(): void {
    if (!isOpen) return
    isOpen = false
    removeEventListener('message', hear)
    place.remove()
    options.onClose?.()
    tell({ name: 'closed' })
  }

  function hear({ origin, source, data }: MessageEvent<unknown>): void {
    if (origin !== url.origin || source === null || source !== place.target()) return
    const message = messageIn(data)
    if (message === null) return
    const connectorType = textIn(message, 'connector')
    switch (message['type']) {
      case 'ready':
        place.ready()
        if (!isReady) tell({ name: 'opened' })
        isReady = true
        return
      case 'close':
        return close()
      case 'step':
        return tell({ name: 'step', step: textIn(message, 'step') ?? '', connectorType })
      case 'failed':
        return fail({
          code: textIn(message, 'code') ?? '',
          message: textIn(message, 'message') ?? '',
          connectorType,
        })
      case 'connected': {
        if (isTold) return
        isTold = true
        const connected = {
          connection: textIn(message, 'connection') ?? '',
          connectorType: connectorType ?? '',
        }
        options.onSuccess(connected)
        tell({ name: 'connected', ...connected })
      }
    }
  }

  addEventListener('message', hear)
  const place =
    (options.mode === 'popup' ? inWindow(url.href, close) : null) ??
    inFrame(url.href, {
      title: options.title ?? words.title,
      words,
      close,
      refuse: () => fail({ code: 'not_shown', message: notShown(), connectorType: null }),
    })
  return { close }
}

/** The first language that there are words in. */
function wordsIn(tags: readonly string[]): Words {
  const names = tags.map((tag) => tag.toLowerCase().split('-')[0] ?? '')
  const name = names.find((each) => Object.hasOwn(WORDS, each))
  return (name === undefined ? undefined : WORDS[name]) ?? ENGLISH
}

/** Null: it is no message of a connect page. */
function messageIn(data: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof data !== 'object' || data === null) return null
  // Looked at member by member.
  const message = data as Readonly<Record<string, unknown>>
  return message['source'] === 'tenon-connect' ? message : null
}

/** Null: the message has no such text, or an empty one. */
function textIn(message: Readonly<Record<string, unknown>>, name: string): string | null {
  const text = message[name]
  return typeof text === 'string' && text !== '' ? text : null
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
function inFrame(
  href: string,
  {
    title,
    words,
    close,
    refuse,
  }: {
    readonly title: string
    readonly words: Words
    readonly close: () => void
    readonly refuse: () => void
  },
): Place {
  const { dialog, frame, cross, note } = dialogWith(href, title, words)
  cross.addEventListener('click', close)
  dialog.addEventListener('close', close)
  // A link that is over may be framed by nobody, and a page that is not shown cannot say so.
  const giveUp = (): void => {
    frame.remove()
    const [heading, advice] = [document.createElement('strong'), document.createElement('p')]
    heading.textContent = words.notShown
    advice.textContent = words.notShownAdvice
    note.append(heading, advice)
    dialog.style.height = 'fit-content'
    note.style.position = 'static'
    note.style.padding = '56px 24px 24px'
    refuse()
  }
  let timer = setTimeout(giveUp, SHOWN_MS)
  frame.addEventListener('load', wait)
  function wait(): void {
    frame.removeEventListener('load', wait)
    clearTimeout(timer)
    if (!isReady) timer = setTimeout(giveUp, LOADED_MS)
  }
  let isReady = false
  document.body.append(dialog)
  dialog.showModal()
  return {
    target: () => frame.contentWindow,
    ready() {
      isReady = true
      clearTimeout(timer)
    },
    remove() {
      clearTimeout(timer)
      dialog.close()
      dialog.remove()
    },
  }
}

function dialogWith(
  href: string,
  title: string,
  words: Words,
): {
  readonly dialog: HTMLDialogElement
  readonly frame: HTMLIFrameElement
  readonly cross: HTMLButtonElement
  readonly note: HTMLElement
} {
  const dialog = document.createElement('dialog')
  const frame = document.createElement('iframe')
  const cross = document.createElement('button')
  const note = document.createElement('div')
  dialog.setAttribute('aria-label', title)
  frame.title = title
  frame.src = href
  cross.type = 'button'
  cross.textContent = '×'
  cross.setAttribute('aria-label', words.close)
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
    inset: '56px 24px auto',
    font: '16px/1.5 system-ui, sans-serif',
  })
  // The frame comes first: who moves on with the keyboard is in the form, then at the cross.
  dialog.append(frame, cross, note)
  return { dialog, frame, cross, note }
}
