// What the connect page cannot do without a script: stay where it is while the third party is asked, keep secrets that
// were typed, open the consent beside a frame, and talk to the page that opened it.

const POLL_MS = 1500

/** The window of the host app, where there is one and the service knows its origin. */
function host() {
  if (document.body.dataset.origin === undefined || document.body.dataset.window !== undefined)
    return null
  return window.parent === window ? window.opener : window.parent
}

/** @param {Readonly<Record<string, string>>} message */
function tell(message) {
  const { origin } = document.body.dataset
  if (origin !== undefined) host()?.postMessage({ source: 'tenon-connect', ...message }, origin)
}

/** The step that was told last. */
let told = ''

/** Says how far the page is, and puts the focus where the news are. */
function settle() {
  const { state, connection = '', connector = '', window: ownWindow } = document.body.dataset
  const { step = '', type: connectorType = connector, code } = document.body.dataset
  tell({ type: 'ready' })
  // A form that comes back with what is wrong in it is the same step.
  if (told !== `${step} ${connectorType}`) tell({ type: 'step', step, connector: connectorType })
  told = `${step} ${connectorType}`
  if (code !== undefined) {
    const message =
      (document.querySelector('[role=alert] h2') ?? document.querySelector('h1'))?.textContent ?? ''
    tell({ type: 'failed', code, connector: connectorType, message: message.trim() })
  }
  if (state === 'connected') tell({ type: 'connected', connection, connector })
  document.querySelector('[data-narrow]')?.removeAttribute('hidden')
  const news = document.querySelector('[data-focus]')
  if (news instanceof HTMLElement) news.focus()
  // A window that a script opened may close itself; another one says that it can be closed.
  if (ownWindow !== undefined && (state === 'connected' || state === 'failed')) window.close()
}

/** Another page of ours in place of this one. @param {string} text */
function replace(text) {
  const next = new DOMParser().parseFromString(text, 'text/html')
  for (const name of Object.keys(document.body.dataset)) delete document.body.dataset[name]
  Object.assign(document.body.dataset, next.body.dataset)
  document.title = next.title
  document.querySelector('main')?.replaceWith(next.querySelector('main') ?? '')
  settle()
}

/** Forms whose request runs: its button is disabled, but a script or an extension may still submit it. @type {Set<HTMLFormElement>} */
const running = new Set()

/** @param {HTMLFormElement} form @param {string} words */
function working(form, words) {
  const status = form.querySelector('[role=status]')
  if (status !== null) status.textContent = words
  form.toggleAttribute('data-running', words !== '')
  for (const button of form.querySelectorAll('button')) button.disabled = words !== ''
}

/** Sends a form and stays on the page. @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
async function send(form, submitter) {
  running.add(form)
  const typed = new FormData(form, submitter)
  working(form, form.dataset.working ?? '')
  try {
    const answer = await fetch(form.action, {
      method: 'POST',
      body: new URLSearchParams(/** @type {Record<string, string>} */ (Object.fromEntries(typed))),
    })
    replace(await answer.text())
  } catch {
    running.delete(form)
    working(form, '')
    const status = form.querySelector('[role=status]')
    if (status !== null) status.textContent = form.dataset.unreachable ?? ''
    return
  }
  // The service sends no secret back; what was typed is still here.
  for (const input of document.querySelectorAll('input[type=password]')) {
    const value = typed.get(input.getAttribute('name') ?? '')
    if (input instanceof HTMLInputElement && typeof value === 'string') input.value = value
  }
}

/** The consent in a window of its own: third parties let nobody frame them. @param {HTMLFormElement} form */
function openConsent(form) {
  const beside = window.open('about:blank', 'tenon-consent', 'popup,width=620,height=780')
  form.target = beside === null ? '_blank' : 'tenon-consent'
  const mark = document.createElement('input')
  Object.assign(mark, { type: 'hidden', name: 'window', value: '1' })
  form.append(mark)
  const waiting = document.querySelector('#waiting')
  const attempts = Number(document.body.dataset.attempts)
  // The form has to be there until it is sent.
  setTimeout(() => {
    if (waiting instanceof HTMLTemplateElement)
      document.querySelector('main')?.replaceChildren(waiting.content.cloneNode(true))
    const news = document.querySelector('[data-focus]')
    if (news instanceof HTMLElement) news.focus()
    void watch(attempts)
  })
}

/** Goes on when the consent has ended, well or not. @param {number} attempts */
async function watch(attempts) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const { state, attempts: count } = await status()
    if (state === 'open' || (state === 'failed' && count <= attempts)) continue
    location.replace(document.body.dataset.here ?? location.pathname)
    return
  }
}

/** @returns {Promise<{ state: string, attempts: number }>} */
async function status() {
  try {
    const answer = await fetch(document.body.dataset.status ?? '')
    return await answer.json()
  } catch {
    // The next look may get through.
    return { state: 'open', attempts: 0 }
  }
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  if (form.dataset.kind === 'consent') {
    if (host() !== null) openConsent(form)
    return
  }
  event.preventDefault()
  if (!running.has(form)) void send(form, event.submitter)
})

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && target.id === 'narrow') narrow(target.value)
})

/** Of the choices those that have all the words. @param {string} text */
function narrow(text) {
  const words = text.toLowerCase().split(/\s+/)
  let shown = 0
  for (const item of document.querySelectorAll('.choices li')) {
    const said =
      `${item.textContent} ${item instanceof HTMLElement ? (item.dataset.words ?? '') : ''}`.toLowerCase()
    const fits = words.every((word) => said.includes(word))
    item.toggleAttribute('hidden', !fits)
    if (fits) shown++
  }
  const status = document.querySelector('[data-narrow] [role=status]')
  if (status instanceof HTMLElement)
    status.textContent = shown === 0 ? (status.dataset.none ?? '') : ''
  document.querySelector('[data-all]')?.toggleAttribute('hidden', shown > 0)
}

document.addEventListener('click', ({ target }) => {
  const field = document.querySelector('#narrow')
  if (!(target instanceof Element) || target.closest('[data-all]') === null) return
  if (!(field instanceof HTMLInputElement)) return
  field.value = ''
  narrow('')
  field.focus()
})

document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element) || host() === null) return
  if (event.target.closest('[data-close]') === null) return
  event.preventDefault()
  tell({ type: 'close' })
})

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && host() !== null) tell({ type: 'close' })
})

settle()
