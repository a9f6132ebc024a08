// The connect page as HTML. It works without scripts; page.js adds what only scripts can do.
import type { JsonObject } from '../../language/json/json.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import type { InstanceRow } from '../store/instances.ts'
import { type Choice, settingsOf } from './choice.ts'
import { appOf } from './connect-attempts.ts'
import type { ConnectSession } from './connect-sessions.ts'
import { type FormField, textOf, type Typed, typedOf } from './form-fields.ts'
import { escapeHtml, type Html, html } from './html.ts'
import type { ConnectProblem, FieldProblem } from './problem-words.ts'
import { vendorOf, type Way } from './ways.ts'

/** Where the page is, and how it is shown. */
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

/** Where the user goes back to, with what came of it. */
export function returnHref(
  { session: { row } }: Pick<PagePlace, 'session'>,
  answer: { readonly connection: string } | { readonly error: 'cancelled' },
): string {
  const url = new URL(row.returnUrl)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  return url.href
}

/** Which connector? */
export function connectorsPage(place: PagePlace, manifests: readonly Manifest[]): string {
  const items = manifests.map(
    (manifest) =>
      html`<li>
        <a href="${hrefOf(place, { connector: manifest.type })}">
          ${tile(vendorOf(manifest))}
          <span
            ><strong>${manifest.title}</strong
            ><span class="help">${manifest.description}</span></span
          >
        </a>
      </li>`,
  )
  const main =
    manifests.length === 0
      ? html`<h1>There is nothing to connect</h1>
          <p>${capital(appName(place))} offers no connection here.</p>`
      : html`<h1>What do you want to connect to ${appName(place)}?</h1>
          <ul class="choices">
            ${items}
          </ul>`
  return page(place, 'Connect', html`${main}${cancel(place)}`, { state: 'open' })
}

/** Which way? */
export function waysPage(place: PagePlace, manifest: Manifest, ways: readonly Way[]): string {
  const vendor = vendorOf(manifest)
  const items = ways.map(
    ({ kind, name, title, method }) =>
      html`<li>
        <a href="${hrefOf(place, { connector: manifest.type, way: name })}">
          <span>
            <strong>${title}</strong>
            <span class="help"
              >${
                kind === 'consent'
                  ? `You sign in at ${vendor} and agree there. Your password stays with ${vendor}.`
                  : (method?.description ?? null)
              }</span
            >
          </span>
        </a>
      </li>`,
  )
  const main = html`${heading(place, vendor)}
    <p>Choose how.</p>
    <ul class="choices">
      ${items}
    </ul>
    ${cancel(place)}`
  return page(place, `Connect ${vendor}`, main, { state: 'open' })
}

/** What the form of a way shows. */
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
  const { vendor, way, fields } = choice
  const app = appName(place)
  const isConsent = way.kind === 'consent'
  const all = [...fields.credentials, ...fields.first, ...fields.more]
  const main = html`${heading(place, vendor)} ${reasonHtml(choice)}
    ${problem === null ? null : problemHtml(place, problem, all)}
    ${
      problem === null && isConsent
        ? html`<p>
            You go to ${vendor}, sign in there and agree. Your password stays with ${vendor}.
          </p>`
        : null
    }
    ${
      isConsent || way.method?.description == null
        ? null
        : html`<p class="help">${way.method.description}</p>`
    }
    ${formHtml(place, view)} ${isConsent ? waiting(place, vendor) : null}
    <p class="fine">
      ${
        isConsent
          ? 'What you agree to is'
          : 'What you enter is encrypted before it is stored. It is'
      }
      used to work with ${vendor} for ${app}. Go on only if you came here from ${app} yourself.
    </p>`
  return page(place, `Connect ${vendor}`, main, { state: problem === null ? 'open' : 'failed' })
}

function formHtml(place: PagePlace, { choice, typed, problem, backTo }: FormView): Html {
  const { vendor, manifest, way, fields } = choice
  const all = [...fields.credentials, ...fields.first, ...fields.more]
  const values = typed ?? typedOf(all, settingsOf(choice))
  const problems = problem?.fields ?? []
  const show = (field: FormField): Html =>
    fieldHtml(field, noteOf(field, fields.first), values[field.name], problems)
  const isConsent = way.kind === 'consent'
  const hasOpenProblem = fields.more.some(({ pointer }) => problemOf(problems, pointer) !== null)
  const takesFocus = isConsent && problem === null && place.isDocument && fields.first.length === 0
  return html`<form
    method="post"
    action="${place.base}/${place.token}"
    data-kind="${way.kind}"
    data-working="${isConsent ? `Going to ${vendor} …` : `Asking ${vendor} …`}"
    ${isConsent && place.isFramed ? html`target="_blank"` : null}
  >
    <input type="hidden" name="connector" value="${manifest.type}" />
    <input type="hidden" name="way" value="${way.name}" />
    ${fields.credentials.map(show)} ${fields.first.map(show)}
    ${
      fields.more.length === 0
        ? null
        : html`<details ${hasOpenProblem ? html`open` : null}>
            <summary>More settings</summary>
            ${fields.more.map(show)}
          </details>`
    }
    <p class="actions">
      <button type="submit" ${takesFocus ? html`autofocus` : null}>
        ${isConsent ? `Continue to ${vendor}` : choice.instance === null ? 'Connect' : 'Reconnect'}
      </button>
      ${backLink(place, manifest, backTo)} ${cancelLink(place)}
    </p>
    <p class="working" role="status"></p>
  </form>`
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
  return html`<a href="${hrefOf(place, backTo === 'ways' ? { connector: type } : {})}"
    >${backTo === 'ways' ? 'Another way' : 'Choose another'}</a
  >`
}

/** On the way to the third party. The form's own answer may not lead away from our origin, so the page does. */
export function leavingPage(place: PagePlace, vendor: string, url: string): string {
  return page(
    place,
    `Going to ${vendor}`,
    html`<h1>Going to ${vendor} …</h1>
      <p><a class="button" href="${url}" autofocus>Continue to ${vendor}</a></p>`,
    { state: 'leaving', refresh: url },
  )
}

/** It worked. `row` is null when the instance was deleted since. */
export function connectedPage(
  place: PagePlace,
  id: string,
  row: InstanceRow | null,
  vendor: string,
): string {
  const app = appName(place)
  const isTried = row === null || row.state !== 'pending'
  const main = html`<div class="tick" aria-hidden="true"></div>
    <h1 tabindex="-1" data-focus>
      ${vendor} is ${place.session.row.instanceId === null ? 'connected' : 'connected again'}
    </h1>
    <p>
      ${
        isTried
          ? `${capital(app)} can work with it now.`
          : `${vendor} did not answer just now, so nobody knows yet whether it accepts what you entered. It is tried again when ${app} uses it.`
      }
    </p>
    ${
      place.isOwnWindow
        ? html`<p>You can close this window and go on in the other one.</p>`
        : html`<p class="actions">
            <a
              class="button"
              href="${returnHref(place, { connection: id })}"
              ${top(place)}
              data-close
              >Return to ${app}</a
            >
          </p>`
    }`
  return page(place, `${vendor} is connected`, main, {
    state: 'connected',
    connection: id,
    connector: row?.connectorType ?? '',
  })
}

/** The instance to reconnect was deleted. */
export function gonePage(place: PagePlace): string {
  const main = html`<h1 tabindex="-1" data-focus>This connection is gone</h1>
    <p>It was deleted in the meantime. Go back to ${appName(place)} and connect anew.</p>
    <p class="actions">
      <a class="button" href="${returnHref(place, { error: 'cancelled' })}" ${top(place)} data-close
        >Return to ${appName(place)}</a
      >
    </p>`
  return page(place, 'This connection is gone', main, { state: 'failed' })
}

/** Another attempt is under way. */
export function busyPage(place: PagePlace): string {
  return page(
    place,
    'One moment',
    html`<h1 tabindex="-1" data-focus>One moment</h1>
      <p>This is being connected right now, by this window or another one.</p>
      <p class="actions"><a class="button" href="${place.base}/${place.token}">Look again</a></p>`,
    { state: 'open' },
  )
}

/** In the window of a consent that failed: the other window tells why. */
export function closeWindowPage(place: PagePlace, problem: ConnectProblem): string {
  return page(
    place,
    problem.title,
    html`<h1 tabindex="-1" data-focus>${problem.title}</h1>
      <p>${problem.advice}</p>
      <p>You can close this window and try again in the other one.</p>`,
    { state: 'failed' },
  )
}

/** For a visitor without a session: the link is unknown, over, or was opened in another browser. */
export function overPage(base: string, requestId: string): string {
  const detail =
    'It works for ten minutes, and connects one account. Go back to the app you came from and start again.'
  return noticePage(base, requestId, { title: 'This link is over', detail })
}

/** For a visitor who asks for what the page does not offer. */
export function refusedPage(base: string, requestId: string, detail: string): string {
  return noticePage(base, requestId, { title: 'This is not possible', detail })
}

function noticePage(
  base: string,
  requestId: string,
  { title, detail }: { readonly title: string; readonly detail: string },
): string {
  return documentOf(base, title, {
    attributes: html`data-state="over"`,
    refresh: null,
    isFramed: false,
    main: html`<h1>${title}</h1>
      <p>${detail}</p>
      <p class="fine">Request ${requestId}</p>`,
  })
}

interface PageState {
  readonly state: 'open' | 'failed' | 'leaving' | 'connected'
  readonly connection?: string
  readonly connector?: string
  readonly refresh?: string
}

function page(place: PagePlace, title: string, main: Html, about: PageState): string {
  const { row } = place.session
  return documentOf(place.base, title, {
    main,
    refresh: about.refresh ?? null,
    isFramed: place.isFramed,
    attributes: html`data-state="${about.state}" data-attempts="${row.attempts}"
    data-status="${place.base}/${place.token}/status"
    ${row.allowedOrigin === null ? null : html`data-origin="${row.allowedOrigin}"`}
    ${place.isOwnWindow ? html`data-window` : null}
    ${
      about.connection === undefined
        ? null
        : html`data-connection="${about.connection}" data-connector="${about.connector ?? ''}"`
    }`,
  })
}

function documentOf(
  base: string,
  title: string,
  parts: {
    readonly attributes: Html
    readonly refresh: string | null
    readonly isFramed: boolean
    readonly main: Html
  },
): string {
  return html`<!doctype html>
    <html lang="en" ${parts.isFramed ? html`data-framed` : null}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        ${parts.refresh === null ? null : html`<meta http-equiv="refresh" content="0; url=${parts.refresh}" />`}
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${base}/assets/page.css" />
        ${script(`${base}/assets/page.js`)}
      </head>
      <body ${parts.attributes}>
        <main>${parts.main}</main>
      </body>
    </html> `.markup
}

/** Not a template: the bundler rewrites tagged templates that end a script, and then needs a package of its own. */
function script(src: string): Html {
  return { markup: `<script type="module" src="${escapeHtml(src)}"></script>` }
}

function appName({ session }: PagePlace): string {
  return appOf(session.appName)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function heading(place: PagePlace, vendor: string): Html {
  const again = place.session.row.instanceId !== null
  return html`<header>
    ${tile(vendor)}
    <h1>${again ? 'Reconnect' : 'Connect'} ${vendor} to ${appName(place)}</h1>
  </header>`
}

function tile(name: string): Html {
  return html`<span class="tile" aria-hidden="true">${name.charAt(0).toUpperCase()}</span>`
}

/** Why somebody should reconnect. */
function reasonHtml({ instance }: Choice): Html | null {
  if (instance === null) return null
  return html`<p>
    ${
      instance.stateReason === null
        ? `The connection “${instance.name}” gets new credentials. Until they are accepted it stays as it is.`
        : `The connection “${instance.name}” does not work any more: ${instance.stateReason.detail}`
    }
  </p>`
}

function problemHtml(
  { isDocument }: PagePlace,
  problem: ConnectProblem,
  fields: readonly FormField[],
): Html {
  const placeOf = (pointer: string): number =>
    fields.findIndex((each) => isAt(pointer, each.pointer))
  const inOrder = problem.fields.toSorted((a, b) => placeOf(a.pointer) - placeOf(b.pointer))
  const items = inOrder.map(({ pointer, detail }) => {
    const field = fields[placeOf(pointer)]
    return field === undefined
      ? html`<li>${detail}</li>`
      : html`<li><a href="#${field.name}">${field.label}</a>: ${detail}</li>`
  })
  return html`<div
    class="notice"
    role="alert"
    tabindex="-1"
    ${isDocument ? html`autofocus` : null}
    data-focus
  >
    <h2>${problem.title}</h2>
    <p>${problem.advice}</p>
    ${problem.detail === null ? null : html`<p class="detail">${problem.detail}</p>`}
    ${
      items.length === 0
        ? null
        : html`<ul>
            ${items}
          </ul>`
    }
    ${problem.requestId === '' ? null : html`<p class="fine">Request ${problem.requestId}</p>`}
  </div>`
}

function fieldHtml(
  field: FormField,
  note: string | null,
  value: string | undefined,
  problems: readonly FieldProblem[],
): Html {
  const { name, label, help, required, fallback, kind } = field
  const problem = problemOf(problems, field.pointer)
  const hint =
    fallback !== null && kind !== 'yes_no' && kind !== 'choice' ? `Left empty: ${fallback}` : null
  const described = [
    help === null && hint === null ? null : `${name}-help`,
    problem === null ? null : `${name}-problem`,
  ].filter((id) => id !== null)
  const attributes = html`id="${name}" name="${name}"
  ${described.length === 0 ? null : html`aria-describedby="${described.join(' ')}"`}
  ${problem === null ? null : html`aria-invalid="true"`} ${required ? html`required` : null}`
  const below = html`${
    help === null && hint === null
      ? null
      : html`<p class="help" id="${name}-help">
          ${help}${help !== null && hint !== null ? ' ' : null}${hint}
        </p>`
  }
  ${problem === null ? null : html`<p class="wrong" id="${name}-problem">${problem}</p>`}`
  if (kind === 'yes_no') {
    const isOn = value === undefined ? fallback === 'true' : value === 'true'
    return html`<div class="field check">
      <input type="checkbox" value="true" ${isOn ? html`checked` : null} ${attributes} />
      <label for="${name}">${label}</label>
      ${below}
    </div>`
  }
  return html`<div class="field">
    <label for="${name}"
      >${label} ${note === null ? null : html`<span class="quiet">${note}</span>`}</label
    >
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
    return html`<select ${attributes}>
      ${required ? html`<option value="">Choose …</option>` : html`<option value=""></option>`}
      ${choices.map((choice) => {
        const text = textOf(choice)
        return html`<option value="${text}" ${text === chosen ? html`selected` : null}>
          ${text}
        </option>`
      })}
    </select>`
  },
  lines: (_field, attributes, value) =>
    html`<textarea rows="3" ${PLAIN} ${attributes}>${value}</textarea>`,
  json: (_field, attributes, value) =>
    html`<textarea rows="4" class="mono" ${PLAIN} ${attributes}>${value}</textarea>`,
}

function problemOf(problems: readonly FieldProblem[], pointer: string): string | null {
  return problems.find((problem) => isAt(problem.pointer, pointer))?.detail ?? null
}

function isAt(pointer: string, field: string): boolean {
  return pointer === field || pointer.startsWith(`${field}/`)
}

function waiting(place: PagePlace, vendor: string): Html {
  return html`<template id="waiting">
    <h1 tabindex="-1" data-focus>Go on at ${vendor}</h1>
    <p role="status">
      A window of ${vendor} has opened. Sign in there and agree; this page goes on by itself.
    </p>
    <p class="actions">
      <a href="${place.base}/${place.token}" data-again>Start again</a> ${cancelLink(place)}
    </p>
  </template>`
}

function cancel(place: PagePlace): Html {
  return html`<p class="actions">${cancelLink(place)}</p>`
}

function cancelLink(place: PagePlace): Html {
  return html`<a href="${returnHref(place, { error: 'cancelled' })}" ${top(place)} data-close
    >Cancel</a
  >`
}

/** A link out of a frame goes to the whole window. */
function top({ isFramed }: PagePlace): Html | null {
  return isFramed ? html`target="_top"` : null
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
