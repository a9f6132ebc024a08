// The connect page as HTML. It works without scripts; page.js adds what only scripts can do.
import { vendorName } from '../../connect/field-words.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { InstanceRow } from '../store/instances.ts'
import { type Choice, settingsOf } from './choice.ts'
import type { ConnectSession } from './connect-sessions.ts'
import { type FormField, textOf, type Typed, typedOf } from './form-fields.ts'
import { escapeHtml, type Html, html } from './html.ts'
import type { ConnectProblem } from './problem-words.ts'
import type { Way } from './ways.ts'

export interface PagePlace {
  /** Path of the page's folder: `/connect`. */
  readonly base: string
  readonly token: string
  readonly session: ConnectSession
  /** In a frame of the host app, as far as the browser says. */
  readonly isFramed: boolean
  /** A page of its own, which may take the focus without a script. */
  readonly isDocument: boolean
  /** In a window that was opened for the third party's consent. */
  readonly isOwnWindow: boolean
}

export function connectorsPage(place: PagePlace, manifests: readonly Manifest[]): string {
  const app = place.session.appName
  const options = manifests.map(({ type, title, description: help }) => {
    return { query: { connector: type }, icon: tile(vendorName(title)), title, help }
  })
  const main =
    manifests.length === 0
      ? html`<h1>There is nothing to connect</h1>
          ${p(`${capital(app)} offers no connection here.`)}`
      : html`<h1>What do you want to connect to ${app}?</h1>
          ${choices(place, options)}`
  return page(place, 'Connect', html`${main} ${actions(cancelLink(place))}`)
}

export function waysPage(place: PagePlace, manifest: Manifest, ways: readonly Way[]): string {
  const vendor = vendorName(manifest.title)
  const signIn = `You sign in at ${vendor} and agree there. Your password stays with ${vendor}.`
  const options = ways.map(({ kind, name, title, method }) => ({
    query: { connector: manifest.type, way: name },
    icon: null,
    title,
    help: kind === 'consent' ? signIn : (method?.description ?? null),
  }))
  const main = html`${heading(place, vendor)} ${p('Choose how.')} ${choices(place, options)}
  ${actions(cancelLink(place))}`
  return page(place, `Connect ${vendor}`, main)
}

export interface FormView {
  readonly choice: Choice
  /** What was typed; null: nothing yet. */
  readonly typed: Typed | null
  readonly problem: ConnectProblem | null
  /** What else may be chosen; null: nothing. */
  readonly backTo: 'ways' | 'connectors' | null
}

/** The form of a way, with what was typed and what was wrong with it. */
export function formPage(place: PagePlace, view: FormView): string {
  const { choice, problem } = view
  const { vendor, way } = choice
  const app = place.session.appName
  const isConsent = way.kind === 'consent'
  const signIn = `You go to ${vendor}, sign in there and agree. Your password stays with ${vendor}.`
  const used = isConsent
    ? 'What you agree to is'
    : choice.fields.credentials.length === 0
      ? 'The connection is'
      : 'What you enter is encrypted before it is stored. It is'
  const main = html`${heading(place, vendor)} ${p(reasonOf(choice))}
  ${problem && problemHtml(place, problem, allFields(choice))}
  ${problem === null && isConsent && p(signIn)}
  ${!isConsent && p(way.method?.description ?? null, 'help')} ${formHtml(place, view)}
  ${isConsent && waiting(place, vendor)}
  ${p(`${used} used to work with ${vendor} for ${app}. Go on only if you came here from ${app} yourself.`, 'fine')}`
  return page(place, `Connect ${vendor}`, main, { state: problem === null ? 'open' : 'failed' })
}

function formHtml(place: PagePlace, { choice, typed, problem, backTo }: FormView): Html {
  const { vendor, manifest, way, fields } = choice
  const values = typed ?? typedOf(allFields(choice), settingsOf(choice))
  const problems = problem?.fields ?? []
  const show = (field: FormField): Html =>
    fieldHtml(field, noteOf(field, fields.first), values[field.name], problems)
  const isConsent = way.kind === 'consent'
  const hasOpenProblem = fields.more.some(({ pointer }) => problemOf(problems, pointer) !== null)
  const takesFocus = isConsent && problem === null && place.isDocument && fields.first.length === 0
  const more = html`<details ${hasOpenProblem && html`open`}>
    <summary>More settings</summary>
    ${fields.more.map(show)}
  </details>`
  const verb = choice.instance === null ? 'Connect' : 'Reconnect'
  const submit = html`<button type="submit" ${takesFocus && html`autofocus`}>
    ${isConsent ? `Continue to ${vendor}` : verb}
  </button>`
  return html`<form
    method="post"
    action="${place.base}/${place.token}"
    data-kind="${way.kind}"
    data-working="${isConsent ? `Going to ${vendor} …` : `Asking ${vendor} …`}"
    ${isConsent && place.isFramed && html`target="_blank"`}
  >
    <input type="hidden" name="connector" value="${manifest.type}" />
    <input type="hidden" name="way" value="${way.name}" />
    ${fields.credentials.map(show)} ${fields.first.map(show)} ${fields.more.length > 0 && more}
    ${actions(submit, backLink(place, manifest, backTo), cancelLink(place))}
    <p class="working" role="status"></p>
  </form>`
}

function allFields({ fields }: Choice): readonly FormField[] {
  return [...fields.credentials, ...fields.first, ...fields.more]
}

/** What stands behind the label of a field. `first`: settings of which the address of every call may need one. */
function noteOf(field: FormField, first: readonly FormField[]): string | null {
  if (field.required) return null
  const alternatives = first.filter(({ required }) => !required)
  if (!alternatives.includes(field)) return '(optional)'
  return alternatives.length > 1 ? '(one of these is needed)' : null
}

function backLink(place: PagePlace, { type }: Manifest, backTo: FormView['backTo']): Html | null {
  if (backTo === null) return null
  return backTo === 'ways'
    ? html`<a href="${hrefOf(place, { connector: type })}">Another way</a>`
    : html`<a href="${hrefOf(place, {})}">Choose another</a>`
}

/** On the way to the third party. The form's own answer may not lead away from our origin, so the page does. */
export function leavingPage(place: PagePlace, vendor: string, url: string): string {
  const title = `Going to ${vendor}`
  const main = html`<h1>${title} …</h1>
    <p><a class="button" href="${url}" autofocus>Continue to ${vendor}</a></p>`
  return page(place, title, main, { state: 'leaving', refresh: url })
}

/** It worked. `row` is null when the instance was deleted since. */
export function connectedPage(
  place: PagePlace,
  connection: string,
  row: InstanceRow | null,
  vendor: string,
): string {
  const { appName: app, row: session } = place.session
  const title = `${vendor} is connected`
  const advice =
    row?.state === 'pending'
      ? `${vendor} gave no clear answer just now, so nobody knows yet whether it accepts what you entered. It is tried again when ${app} uses it.`
      : `${capital(app)} can work with it now.`
  const main = html`<div class="tick" aria-hidden="true"></div>
    ${news(session.instanceId === null ? title : `${title} again`, advice)}
    ${
      place.isOwnWindow
        ? p('You can close this window and go on in the other one.')
        : actions(returnLink(place, { connection }))
    }`
  const made = html`data-connection="${connection}" data-connector="${row?.connectorType ?? ''}"`
  return page(place, title, main, { state: 'connected', made })
}

export function gonePage(place: PagePlace): string {
  const title = 'This connection is gone'
  const advice = `It was deleted in the meantime. Go back to ${place.session.appName} and connect again.`
  const main = html`${news(title, advice)} ${actions(returnLink(place, CANCELLED))}`
  return page(place, title, main, { state: 'failed' })
}

export function busyPage(place: PagePlace): string {
  const title = 'One moment'
  const again = html`<a class="button" href="${place.base}/${place.token}">Look again</a>`
  const main = html`${news(title, 'This is being connected right now, by this window or another one.')}
  ${actions(again)}`
  return page(place, title, main)
}

/** In the window of a consent that failed: the other window tells why. */
export function closeWindowPage(place: PagePlace, { title, advice }: ConnectProblem): string {
  const close = 'You can close this window and try again in the other one.'
  return page(place, title, news(title, advice, close), { state: 'failed' })
}

/**
 * For a visitor without a session, whose link is unknown, over, or was opened in another browser; with `refusal`, for
 * one who asks for what the page does not offer.
 */
export function noticePage(base: string, requestId: string, refusal: string | null): string {
  const title = refusal === null ? 'This link is over' : 'This is not possible'
  const detail =
    refusal ??
    'It works for ten minutes, and connects one account. Go back to the app you came from and start again.'
  const main = html`<h1>${title}</h1>
    ${p(detail)} ${p(`Request ${requestId}`, 'fine')}`
  return documentOf(base, title, { main, attributes: html`data-state="over"` })
}

interface PageState {
  readonly state: 'open' | 'failed' | 'leaving' | 'connected'
  /** Tells the host app what was connected. */
  readonly made?: Html
  readonly refresh?: string
}

function page(
  place: PagePlace,
  title: string,
  main: Html,
  { state, made, refresh }: PageState = { state: 'open' },
): string {
  const { base, isFramed, isOwnWindow, token } = place
  const { attempts, allowedOrigin } = place.session.row
  const attributes = html`data-state="${state}" data-attempts="${attempts}"
  data-status="${base}/${token}/status"
  ${allowedOrigin !== null && html`data-origin="${allowedOrigin}"`}
  ${isOwnWindow && html`data-window`} ${made ?? null}`
  return documentOf(base, title, { main, isFramed, refresh, attributes })
}

interface DocumentParts {
  readonly main: Html
  readonly attributes: Html
  readonly refresh?: string | undefined
  readonly isFramed?: boolean
}

function documentOf(
  base: string,
  title: string,
  { main, attributes, refresh, isFramed = false }: DocumentParts,
): string {
  return html`<!doctype html>
    <html lang="en" ${isFramed && html`data-framed`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        ${refresh !== undefined && html`<meta http-equiv="refresh" content="0; url=${refresh}" />`}
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${base}/assets/page.css" />
        ${script(`${base}/assets/page.js`)}
      </head>
      <body ${attributes}>
        <main>${main}</main>
      </body>
    </html> `.markup
}

/** Not a template: the bundler rewrites tagged templates that end a script, and then needs a package of its own. */
function script(src: string): Html {
  return { markup: `<script type="module" src="${escapeHtml(src)}"></script>` }
}

function p(text: string | null, kind: string | null = null): Html | null {
  return text === null ? null : html`<p ${kind !== null && html`class="${kind}"`}>${text}</p>`
}

/** What has happened; the page's script gives it the focus. */
function news(title: string, ...paragraphs: readonly string[]): Html {
  return html`<h1 tabindex="-1" data-focus>${title}</h1>
    ${paragraphs.map((text) => html`<p>${text}</p>`)}`
}

function actions(...links: readonly (Html | null)[]): Html {
  return html`<p class="actions">${links.map((link) => html`${link} `)}</p>`
}

function choices(
  place: PagePlace,
  options: readonly {
    readonly query: Readonly<Record<string, string>>
    readonly icon: Html | null
    readonly title: string
    readonly help: string | null
  }[],
): Html {
  const items = options.map(
    ({ query, icon, title, help }) =>
      html`<li>
        <a href="${hrefOf(place, query)}">
          ${icon}
          <span><strong>${title}</strong><span class="help">${help}</span></span>
        </a>
      </li>`,
  )
  return html`<ul class="choices">
    ${items}
  </ul>`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function heading({ session }: PagePlace, vendor: string): Html {
  const verb = session.row.instanceId === null ? 'Connect' : 'Reconnect'
  return html`<header>
    ${tile(vendor)}
    <h1>${verb} ${vendor} to ${session.appName}</h1>
  </header>`
}

function tile(name: string): Html {
  return html`<span class="tile" aria-hidden="true">${name.charAt(0).toUpperCase()}</span>`
}

/** Why somebody should reconnect; null: it is no reconnection. */
function reasonOf({ instance }: Choice): string | null {
  if (instance === null) return null
  return instance.stateReason === null
    ? `The connection “${instance.name}” gets new credentials. Until they are accepted it stays as it is.`
    : `The connection “${instance.name}” does not work any more: ${instance.stateReason.detail}`
}

function problemHtml(
  { isDocument }: PagePlace,
  { title, advice, detail, requestId, ...problem }: ConnectProblem,
  fields: readonly FormField[],
): Html {
  const placeOf = (pointer: string): number =>
    fields.findIndex((each) => isAt(pointer, each.pointer))
  const inOrder = problem.fields.toSorted((a, b) => placeOf(a.pointer) - placeOf(b.pointer))
  const items = inOrder.map(({ pointer, detail: wrong }) => {
    const field = fields[placeOf(pointer)]
    const link = field && html`<a href="#${field.name}">${field.label}</a>: `
    return html`<li>${link ?? null}${wrong}</li>`
  })
  const list = html`<ul>
    ${items}
  </ul>`
  const focus = isDocument && html`autofocus`
  return html`<div class="notice" role="alert" tabindex="-1" ${focus} data-focus>
    <h2>${title}</h2>
    ${p(advice)} ${p(detail, 'detail')} ${items.length > 0 && list}
    ${requestId !== '' && p(`Request ${requestId}`, 'fine')}
  </div>`
}

function fieldHtml(
  field: FormField,
  note: string | null,
  value: string | undefined,
  problems: ConnectProblem['fields'],
): Html {
  const { name, label, help, required, fallback, kind } = field
  const problem = problemOf(problems, field.pointer)
  const hint =
    fallback !== null && kind !== 'yes_no' && kind !== 'choice' ? `Left empty: ${fallback}` : null
  const helps = [help, hint].filter((text) => text !== null)
  const described = [
    ...(helps.length === 0 ? [] : [`${name}-help`]),
    ...(problem === null ? [] : [`${name}-problem`]),
  ]
  const attributes = html`id="${name}" name="${name}"
  ${described.length > 0 && html`aria-describedby="${described.join(' ')}"`}
  ${problem !== null && html`aria-invalid="true"`} ${required && html`required`}`
  const below = html`${helps.length > 0 && html`<p class="help" id="${name}-help">${helps.join(' ')}</p>`}
  ${problem !== null && html`<p class="wrong" id="${name}-problem">${problem}</p>`}`
  if (kind === 'yes_no') {
    const isOn = value === undefined ? fallback === 'true' : value === 'true'
    return html`<div class="field check">
      <input type="checkbox" value="true" ${isOn && html`checked`} ${attributes} />
      <label for="${name}">${label}</label>
      ${below}
    </div>`
  }
  const quiet = note !== null && html`<span class="quiet">${note}</span>`
  return html`<div class="field">
    <label for="${name}">${label} ${quiet}</label>
    ${INPUTS[kind](field, attributes, value ?? '')} ${below}
  </div>`
}

const PLAIN = html`autocomplete="off" autocapitalize="none" spellcheck="false"`

const INPUTS: Readonly<
  Record<
    Exclude<FormField['kind'], 'yes_no'>,
    (field: FormField, attributes: Html, value: string) => Html
  >
> = {
  text: ({ inputType }, attributes, value) =>
    html`<input type="${inputType}" value="${value}" ${PLAIN} ${attributes} />`,
  // What was typed never comes back from here.
  secret: (_field, attributes) => html`<input type="password" ${PLAIN} ${attributes} />`,
  number: (_field, attributes, value) =>
    html`<input type="text" inputmode="decimal" value="${value}" ${PLAIN} ${attributes} />`,
  choice: ({ choices, fallback, required }, attributes, value) => {
    const chosen = value === '' ? fallback : value
    const options = choices.map((choice) => {
      const text = textOf(choice)
      return html`<option value="${text}" ${text === chosen && html`selected`}>${text}</option>`
    })
    return html`<select ${attributes}>
      <option value="">${required && 'Choose …'}</option>
      ${options}
    </select>`
  },
  lines: (_field, attributes, value) =>
    html`<textarea rows="3" ${PLAIN} ${attributes}>${value}</textarea>`,
  json: (_field, attributes, value) =>
    html`<textarea rows="4" class="mono" ${PLAIN} ${attributes}>${value}</textarea>`,
}

function problemOf(problems: ConnectProblem['fields'], pointer: string): string | null {
  return problems.find((problem) => isAt(problem.pointer, pointer))?.detail ?? null
}

function isAt(pointer: string, field: string): boolean {
  return pointer === field || pointer.startsWith(`${field}/`)
}

/** What the page's script shows while the user is at the third party. */
function waiting(place: PagePlace, vendor: string): Html {
  const again = html`<a href="${place.base}/${place.token}" data-again>Start again</a>`
  return html`<template id="waiting">
    <h1 tabindex="-1" data-focus>Go on at ${vendor}</h1>
    <p role="status">
      A window of ${vendor} has opened. Sign in there and agree; this page goes on when that is
      done.
    </p>
    ${actions(again, cancelLink(place))}
  </template>`
}

const CANCELLED = { error: 'cancelled' }

function cancelLink(place: PagePlace): Html {
  return html`<a ${leaving(place, CANCELLED)}>Cancel</a>`
}

function returnLink(place: PagePlace, answer: Readonly<Record<string, string>>): Html {
  const app = place.session.appName
  return html`<a class="button" ${leaving(place, answer)}>Return to ${app}</a>`
}

/** Of a link back to the host app with what came of the visit. Out of a frame it goes to the whole window. */
function leaving(
  { session: { row }, isFramed }: PagePlace,
  answer: Readonly<Record<string, string>>,
): Html {
  const url = new URL(row.returnUrl)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  return html`href="${url.href}" ${isFramed && html`target="_top"`} data-close`
}

function hrefOf({ base, token }: PagePlace, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString()
  return `${base}/${token}${text === '' ? '' : `?${text}`}`
}

/** What the page's script asks for while the user is at the third party. */
export function statusOf({ row }: ConnectSession): JsonObject {
  return {
    state: row.connectedId !== null ? 'connected' : row.problem !== null ? 'failed' : 'open',
    attempts: row.attempts,
  }
}
