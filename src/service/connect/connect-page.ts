// The connect page as HTML. It works without scripts; page.js adds what only scripts can do.
import {
  allSentencesOf,
  firstSentence,
  sentencesOf,
  vendorName,
} from '../../display/field-words.ts'
import { monogramOf } from '../../connect/monogram.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { Way } from '../../language/manifest/access/ways.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { translated } from '../../language/manifest/shown-texts.ts'
import type { ConnectorIcons } from '../connector-icons.ts'
import type { InstanceRow } from '../store/instances.ts'
import { type Choice, settingsOf, settingsShown, type ShownSetting } from './choice.ts'
import { ANOTHER } from './connect-attempts.ts'
import type { ConnectSession } from './connect-sessions.ts'
import { type FormField, textOf, type Typed, typedOf } from './form-fields.ts'
import { escapeHtml, type Html, html } from './html.ts'
import type { PageWord } from './english.ts'
import type { Language, Say } from './page-words.ts'
import { brokenWord, type ConnectProblem, fieldProblemText, problemText } from './problem-words.ts'

export interface PagePlace {
  /** Path of the page's folder: `/connect`. */
  readonly base: string
  readonly token: string
  readonly session: ConnectSession
  /** The operator's pictures of connectors. */
  readonly icons: ConnectorIcons
  /** In a frame of the host app, as far as the browser says. */
  readonly isFramed: boolean
  /** A page of its own, which may take the focus without a script. */
  readonly isDocument: boolean
  /** In a window that was opened for the third party's consent. */
  readonly isOwnWindow: boolean
  readonly language: Language
  /** The language that the link itself asks for, which stays in every address; null: what the browser prefers. */
  readonly asked: Language | null
  readonly say: Say
}

export function connectorsPage(place: PagePlace, manifests: readonly Manifest[]): string {
  const { say } = place
  const app = appOf(place)
  const options = inOrder(place, manifests).map((manifest) => {
    const { type, description } = manifest
    const help = description === null ? null : own(place, manifest, firstSentence(description))
    return {
      query: { connector: type },
      icon: tile(place, manifest),
      title: own(place, manifest, manifest.title),
      help,
      words: description,
    }
  })
  const main =
    manifests.length === 0
      ? html`<h1>${say('nothing_offered')}</h1>
          ${p(say('nothing_offered_advice', { app }))}`
      : html`<h1>${say('which', { app })}</h1>
          ${options.length > SEEN_AT_ONCE && narrowing(place)} ${choices(place, options)}`
  return page(place, say('connect'), html`${main} ${actions(cancelLink(place))}`, {
    step: 'connectors',
  })
}

/** By the names that are shown. */
function inOrder({ language }: PagePlace, manifests: readonly Manifest[]): readonly Manifest[] {
  const nameOf = (manifest: Manifest): string =>
    translated(manifest, language, manifest.title) ?? manifest.title
  return manifests.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), language))
}

/** More than these are found by words. */
const SEEN_AT_ONCE = 5

/** The page's script shows it, and narrows the list. */
function narrowing({ say }: PagePlace): Html {
  return html`<div class="field" data-narrow hidden>
    <label for="narrow">${say('find')}</label>
    <input
      type="search"
      id="narrow"
      autocomplete="off"
      spellcheck="false"
      placeholder="${say('find_by')}"
    />
    <p class="help" role="status" data-none="${say('find_nothing')}"></p>
    <p data-all hidden><button type="button" class="plain">${say('find_all')}</button></p>
  </div>`
}

/** `backTo`: what else may be chosen; null: nothing. */
export function waysPage(
  place: PagePlace,
  manifest: Manifest,
  ways: readonly Way[],
  backTo: 'connectors' | null,
): string {
  const vendor = vendorName(manifest.title)
  const { say } = place
  const signIn = say('sign_in_help', { vendor })
  const options = ways.map(({ kind, name, detail, method }) => ({
    query: { connector: manifest.type, way: name },
    icon: null,
    title: wayTitle(place, manifest, { kind, detail }),
    help:
      kind === 'consent' && detail === null
        ? html`${signIn}`
        : method?.description == null
          ? null
          : own(place, manifest, firstSentence(method.description)),
  }))
  const main = html`${heading(place, manifest)} ${p(say('how'))} ${choices(place, options)}
  ${actions(backLink(place, manifest, backTo), cancelLink(place))}`
  return page(place, say('connect_vendor', { vendor }), main, {
    step: 'ways',
    connector: manifest.type,
  })
}

/** What a way is called. The names of methods are the manifest's. */
function wayTitle(
  place: PagePlace,
  manifest: Manifest,
  { kind, detail }: Pick<Way, 'kind' | 'detail'>,
): Html {
  const vendor = vendorName(manifest.title)
  if (kind === 'form') return own(place, manifest, detail ?? vendor)
  const signIn = place.say('sign_in', { vendor })
  return detail === null ? html`${signIn}` : html`${signIn}: ${own(place, manifest, detail)}`
}

/**
 * A text of a manifest in the language of the page. One that the manifest has no words for stays English, and is marked, so
 * that it is read out as that.
 */
function own({ language }: PagePlace, manifest: Manifest, text: string): Html {
  if (language === 'en') return html`${text}`
  const said = translated(manifest, language, text)
  return said === null ? html`<span lang="en">${text}</span>` : html`${said}`
}

/** The first sentence of what a manifest says, and the rest folded. */
function described(place: PagePlace, manifest: Manifest, description: string): Html {
  const [first = '', rest = ''] = sentencesOf(description)
  const more = moreHelp(place.say('more_about'), [own(place, manifest, rest)])
  return html`<p class="help">${own(place, manifest, first)}</p>
    ${rest !== '' && more}`
}

export interface FormView {
  readonly choice: Choice
  /** What was typed; null: nothing yet. */
  readonly typed: Typed | null
  /** Names of fields whose value was taken out of an address; left out: none. */
  readonly taken?: ReadonlySet<string>
  readonly problem: ConnectProblem | null
  /** An account of the user at the same place, of which nobody has said whether it is meant; left out: none. */
  readonly twin?: InstanceRow
  /** What else may be chosen; null: nothing. */
  readonly backTo: 'ways' | 'connectors' | null
}

/** The form of a way, with what was typed and what was wrong with it. */
export function formPage(place: PagePlace, view: FormView): string {
  const { choice, problem } = view
  const { vendor, way } = choice
  const { say } = place
  const app = appOf(place)
  const isConsent = way.kind === 'consent'
  const used = isConsent
    ? 'used_consent'
    : choice.fields.credentials.length === 0
      ? 'used_nothing'
      : 'used_credentials'
  const main = html`${heading(place, choice.manifest)} ${reasonHtml(place, choice)}
  ${view.twin !== undefined && twinHtml(place, choice, view.twin)}
  ${problem && problemHtml(place, problem, choice)}
  ${problem === null && isConsent && p(say('sign_in_next', { vendor }))}
  ${isConsent && scopesHtml(place, choice)}
  ${!isConsent && way.method?.description != null && described(place, choice.manifest, way.method.description)}
  ${!isConsent && docsLink(place, choice)} ${formHtml(place, view)}
  ${isConsent && waiting(place, vendor)} ${p(say(used, { vendor, app }), 'fine')}`
  const title = say('connect_vendor', { vendor })
  return page(place, title, main, {
    state: problem === null ? 'open' : 'failed',
    step: isConsent ? 'consent' : 'form',
    connector: choice.manifest.type,
    code: problem?.code ?? null,
  })
}

/** What the user is asked to allow, in the manifest's words; null: it has none for any of the scopes. */
function scopesHtml(place: PagePlace, { manifest, scopes }: Choice): Html | null {
  if (scopes.length === 0) return null
  const { say } = place
  const items = scopes.map((words) => html`<li>${own(place, manifest, words)}</li>`)
  const rest = items.slice(SCOPES_AT_FIRST)
  const more = html`<details>
    <summary>${say('more_scopes', { count: String(rest.length) })}</summary>
    <ul>
      ${rest}
    </ul>
  </details>`
  return html`<div class="scopes">
    ${p(say('allows', { app: appOf(place) }))}
    <ul>
      ${items.slice(0, SCOPES_AT_FIRST)}
    </ul>
    ${rest.length > 0 && more}
  </div>`
}

/** Some ask for thirty. */
const SCOPES_AT_FIRST = 6

/** Where the third party says how these credentials are made; null: the manifest does not know, or says it of each field. */
function docsLink(place: PagePlace, { vendor, way, fields }: Choice): Html | null {
  const docs = way.method?.docs ?? null
  if (docs === null || fields.credentials.every((field) => field.docs !== null)) return null
  return html`<p class="help">${leadAway(place, docs, place.say('where_to_find', { vendor }))}</p>`
}

function leadAway({ say }: PagePlace, url: string, words: string): Html {
  return html`<a href="${url}" target="_blank" rel="noopener noreferrer">${words}</a>
    <span class="quiet">${say('new_tab')}</span>`
}

/** Says that there is an account at the same place; the buttons of the form ask which one is meant. */
function twinHtml(place: PagePlace, { manifest, vendor }: Choice, twin: InstanceRow): Html {
  const { say } = place
  const settings = settingsShown(manifest, twin.config).map(({ value }) => value)
  return html`<div class="notice known" role="alert" tabindex="-1" data-focus>
    <h2>${say('known', { vendor, settings: settings.join(', ') })}</h2>
    ${p(say('known_advice', { name: twin.name }))}
  </div>`
}

function formHtml(
  place: PagePlace,
  { choice, typed, taken, problem, twin, backTo }: FormView,
): Html {
  const { vendor, manifest, way, fields } = choice
  const { say } = place
  const values = typed ?? typedOf(allFields(choice), settingsOf(choice))
  const problems = problem?.fields ?? []
  const refused = problem?.code === 'credentials_refused' ? fields.credentials : []
  const alternatives = alternativesOf(fields.first)
  const isOpen = (field: FormField): boolean =>
    (values[field.name] ?? '').trim() !== '' || problemOf(place, problems, field) !== null
  const chosen = alternatives.filter(isOpen)
  const shown = chosen.length === 0 ? alternatives.slice(0, 1) : chosen
  const folded = alternatives.filter((field) => !shown.includes(field))
  const show = (field: FormField): Html =>
    fieldHtml(place, field, {
      manifest,
      note: noteOf(place, field, { alternatives, shown }),
      instead: shown.includes(field) ? folded : [],
      value: values[field.name],
      isTaken: taken?.has(field.name) === true,
      problem:
        problemOf(place, problems, field) ??
        (refused.length === 1 && refused.includes(field)
          ? { text: say('refused_one', { vendor }), tellsForm: false }
          : null),
      isOneOfThese: refused.length > 1 && refused.includes(field),
    })
  const isConsent = way.kind === 'consent'
  const hasOpenProblem = fields.more.some((field) => problemOf(place, problems, field) !== null)
  const takesFocus = isConsent && problem === null && place.isDocument && fields.first.length === 0
  const others = folded.map(
    (field) =>
      html`<details class="instead">
        <summary id="${field.name}-instead">
          ${say('use_instead', { field: labelIn(place, manifest, field) })}
        </summary>
        ${show(field)}
      </details>`,
  )
  const more = html`<details ${hasOpenProblem && html`open`}>
    <summary>${say('more_settings')}</summary>
    ${fields.more.map(show)}
  </details>`
  const verb = say(choice.instance === null ? 'connect' : 'reconnect')
  const submit = html`<button type="submit" ${takesFocus && html`autofocus`}>
    ${isConsent ? say('continue_to', { vendor }) : verb}
  </button>`
  const submits =
    twin === undefined
      ? submit
      : html`<button type="submit" name="again" value="${twin.id}">${say('reconnect')}</button>
          <button type="submit" name="again" value="${ANOTHER}" class="plain">
            ${say('connect_another')}
          </button>`
  return html`<form
    method="post"
    action="${hrefOf(place, {})}"
    data-kind="${way.kind}"
    data-working="${say(isConsent ? 'going_to' : 'asking', { vendor })}"
    data-unreachable="${say('unreachable')}"
    ${isConsent && place.isFramed && html`target="_blank"`}
  >
    <input type="hidden" name="connector" value="${manifest.type}" />
    <input type="hidden" name="way" value="${way.name}" />
    ${refused.length > 1 && html`<p class="wrong" id="${REFUSED}">${say('refused_of_these')}</p>`}
    ${fields.credentials.map(show)}
    ${fields.first.filter((field) => !folded.includes(field)).map(show)} ${others}
    ${fields.more.length > 0 && more}
    ${actions(submits, backLink(place, manifest, backTo), cancelLink(place))}
    <p class="working" role="status"></p>
  </form>`
}

export function allFields({ fields }: Choice): readonly FormField[] {
  return [...fields.credentials, ...fields.first, ...fields.more]
}

/** Settings of which the address of every call needs one; none: it needs no particular one. */
function alternativesOf(first: readonly FormField[]): readonly FormField[] {
  const optional = first.filter(({ required }) => !required)
  return optional.length > 1 ? optional : []
}

/**
 * What stands behind the label of a field; null: nothing. `alternatives`: settings of which one is needed. `shown`: those of
 * them that are not folded.
 */
function noteOf(
  { say }: PagePlace,
  field: FormField,
  { alternatives, shown }: Readonly<Record<'alternatives' | 'shown', readonly FormField[]>>,
): string | null {
  if (field.required) return null
  if (!alternatives.includes(field)) return say('optional')
  return shown.length > 1 && shown.includes(field) ? say('one_needed') : null
}

/** The label of a field, where it stands in a sentence of the page. */
function labelIn({ language }: PagePlace, manifest: Manifest, { label }: FormField): string {
  return translated(manifest, language, label) ?? label
}

function backLink(place: PagePlace, { type }: Manifest, backTo: FormView['backTo']): Html | null {
  if (backTo === null) return null
  return backTo === 'ways'
    ? html`<a href="${hrefOf(place, { connector: type })}">${place.say('another_way')}</a>`
    : html`<a href="${hrefOf(place, {})}">${place.say('choose_another')}</a>`
}

/** On the way to the third party. The form's own answer may not lead away from our origin, so the page does. */
export function leavingPage(place: PagePlace, vendor: string, url: string): string {
  const { say } = place
  const title = say('going_to', { vendor })
  const main = html`<h1>${title}</h1>
    <p><a class="button" href="${url}" autofocus>${say('continue_to', { vendor })}</a></p>`
  return page(place, title, main, { state: 'leaving', step: 'leaving', refresh: url })
}

/** It worked, or nobody knows yet. `row` is null when the instance was deleted since. */
export function connectedPage(
  place: PagePlace,
  connection: string,
  row: InstanceRow | null,
  known: { readonly manifest: Manifest; readonly settings: readonly ShownSetting[] } | null,
): string {
  const { say, session } = place
  const vendor = known === null ? say('the_account') : vendorName(known.manifest.title)
  const doer = session.appName ?? say('the_app_does')
  const names = { vendor, app: appOf(place), doer }
  const isProved = row?.state !== 'pending'
  const title = say(isProved ? 'connected' : 'saved', names)
  const advice = say(isProved ? 'connected_advice' : 'connected_pending', names)
  const isAgain = isProved && session.row.instanceId !== null
  const main = html`${isProved && html`<div class="tick" aria-hidden="true"></div>`}
  ${news(isAgain ? say('connected_again', names) : title, advice)}
  ${known !== null && settingsHtml(place, known.manifest, known.settings)}
  ${place.isOwnWindow ? p(say('close_window')) : actions(returnLink(place, { connection }))}`
  const made = html`data-connection="${connection}" data-connector="${row?.connectorType ?? ''}"`
  return page(place, title, main, { state: 'connected', step: 'connected', made })
}

/** Whose data it is. */
function settingsHtml(
  place: PagePlace,
  manifest: Manifest,
  settings: readonly ShownSetting[],
): readonly Html[] {
  return settings.map(
    ({ label, value }) => html`<p class="fine">${own(place, manifest, label)}: ${value}</p>`,
  )
}

export function gonePage(place: PagePlace): string {
  const title = place.say('gone')
  const advice = place.say('gone_advice', { app: appOf(place) })
  const main = html`${news(title, advice)} ${actions(returnLink(place, CANCELLED))}`
  return page(place, title, main, { state: 'failed', step: 'gone', code: 'instance_unknown' })
}

export function busyPage(place: PagePlace): string {
  const { say } = place
  const title = say('busy')
  const again = html`<a class="button" href="${hrefOf(place, {})}">${say('look_again')}</a>`
  const main = html`${news(title, say('busy_advice'))} ${actions(again)}`
  return page(place, title, main, { step: 'busy' })
}

/** In the window of a consent that failed: the other window tells why. */
export function closeWindowPage(place: PagePlace, problem: ConnectProblem, vendor: string): string {
  const { title, advice } = problemText(problem, { ...place, vendor })
  const main = news(title, advice, place.say('close_window_again'))
  return page(place, title, main, { state: 'failed', step: 'consent', code: problem.code })
}

/**
 * For a visitor without a session, whose link is unknown, over, or was opened in another browser; with `refusal`, for
 * one who asks for what the page does not offer.
 */
export function noticePage(
  place: Pick<PagePlace, 'base' | 'language' | 'say'> &
    Partial<Pick<PagePlace, 'session' | 'isFramed'>>,
  requestId: string,
  refusal: PageWord | null,
): string {
  const { base, language, say, session, isFramed = false } = place
  const title = say(refusal === null ? 'over' : 'impossible')
  const detail = say(refusal ?? 'over_advice')
  const main = html`<h1>${title}</h1>
    ${p(detail)}
    ${session !== undefined && actions(returnLink({ say, session, isFramed }, { error: 'expired' }))}
    ${p(say('request', { id: requestId }), 'fine')}`
  return documentOf({ base, language }, title, { main, attributes: html`data-state="over"` })
}

interface PageState {
  /** Default: open. */
  readonly state?: 'open' | 'failed' | 'leaving' | 'connected'
  /** What the host app hears of: where the user is. */
  readonly step: string
  readonly connector?: string
  /** Why it failed; null: it did not. */
  readonly code?: string | null
  /** Tells the host app what was connected. */
  readonly made?: Html
  readonly refresh?: string
}

function page(
  place: PagePlace,
  title: string,
  main: Html,
  { state = 'open', step, connector, code = null, made, refresh }: PageState,
): string {
  const { base, language, isFramed, isOwnWindow, token } = place
  const { attempts, allowedOrigin } = place.session.row
  const attributes = html`data-state="${state}" data-attempts="${attempts}"
  data-status="${base}/${token}/status" data-here="${hrefOf(place, {})}" data-step="${step}"
  ${connector !== undefined && html`data-type="${connector}"`}
  ${code !== null && html`data-code="${code}"`}
  ${allowedOrigin !== null && html`data-origin="${allowedOrigin}"`}
  ${isOwnWindow && html`data-window`} ${made ?? null}`
  const whole = html`${brand(place)} ${main}`
  const theme = place.session.accent === null ? null : `${base}/${token}/theme.css`
  const parts = { main: whole, isFramed, refresh, attributes, theme }
  return documentOf({ base, language }, title, parts)
}

interface DocumentParts {
  readonly main: Html
  readonly attributes: Html
  readonly refresh?: string | undefined
  /** The address of a style sheet with the colour of the app; null or left out: it has none. */
  readonly theme?: string | null
  readonly isFramed?: boolean
}

function documentOf(
  { base, language }: Pick<PagePlace, 'base' | 'language'>,
  title: string,
  { main, attributes, refresh, theme = null, isFramed = false }: DocumentParts,
): string {
  return html`<!doctype html>
    <html lang="${language}" ${isFramed && html`data-framed`}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        ${refresh !== undefined && html`<meta http-equiv="refresh" content="0; url=${refresh}" />`}
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${base}/assets/page.css" />
        ${theme !== null && html`<link rel="stylesheet" href="${theme}" />`}
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
    readonly title: Html
    readonly help: Html | null
    /** What it is found by as well; null or left out: nothing more. */
    readonly words?: string | null
  }[],
): Html {
  const items = options.map(
    ({ query, icon, title, help, words = null }) =>
      html`<li ${words !== null && html`data-words="${words}"`}>
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

/** The picture of the app that sent the user here; null: it has none. Its address changes with it. */
function brand(place: PagePlace): Html | null {
  const { base, token, session } = place
  if (session.logoHash === null) return null
  const address = `${base}/${token}/logo?v=${session.logoHash.slice(0, 16)}`
  return html`<img class="brand" src="${address}" alt="${appOf(place)}" />`
}

/** What the page calls the app that sent the user here. */
function appOf({ session, say }: Pick<PagePlace, 'session' | 'say'>): string {
  return session.appName ?? say('the_app')
}

function heading(place: PagePlace, manifest: Manifest): Html {
  const vendor = vendorName(manifest.title)
  const words = place.session.row.instanceId === null ? 'connect_to' : 'reconnect_to'
  return html`<header>
    ${tile(place, manifest)}
    <h1>${place.say(words, { vendor, app: appOf(place) })}</h1>
  </header>`
}

/** The picture of a connector: the operator's, else its monogram. Attributes of an SVG are no inline style. */
function tile({ base, icons }: PagePlace, { type, icon }: Manifest): Html {
  if (icons.has(type)) return html`<img class="tile" src="${base}/icons/${type}" alt="" />`
  const { letters, ground, ink } = monogramOf(type, icon)
  return html`<svg class="tile" viewBox="0 0 40 40" aria-hidden="true">
    <rect width="40" height="40" rx="10" fill="${ground}" />
    <text x="20" y="20" fill="${ink}" text-anchor="middle" dominant-baseline="central">
      ${letters}
    </text>
  </svg>`
}

/** Why somebody should reconnect; null: it is no reconnection. */
function reasonHtml({ say }: PagePlace, { instance, vendor }: Choice): Html | null {
  if (instance === null) return null
  const { name, state, stateReason } = instance
  // Only those that were accepted are kept until others are.
  if (stateReason === null)
    return html`${p(say(state === 'active' ? 'new_credentials' : 'other_credentials', { name }))}`
  const reason = say(brokenWord(stateReason.code), { vendor })
  return html`${p(say('broken_connection', { name, reason }))}
  ${forDevelopers(say, stateReason.detail, '')}`
}

/** For those who are asked about it: the person at the page has no use for it. Null, '': there is none. */
function forDevelopers(say: Say, detail: string | null, requestId: string): Html {
  return html`<details>
    <summary>${say('for_developers')}</summary>
    ${detail !== null && html`<p class="detail" lang="en">${detail}</p>`}
    ${requestId !== '' && p(say('request', { id: requestId }), 'fine')}
  </details>`
}

function problemHtml(place: PagePlace, problem: ConnectProblem, choice: Choice): Html {
  const { say, isDocument } = place
  const { manifest, vendor } = choice
  const fields = allFields(choice)
  const { requestId } = problem
  const { title, advice, detail } = problemText(problem, { ...place, vendor })
  const placeOf = (pointer: string): number =>
    fields.findIndex((each) => isAt(pointer, each.pointer))
  const inOrder = problem.fields.toSorted((a, b) => placeOf(a.pointer) - placeOf(b.pointer))
  const items = inOrder.map(({ pointer, ...fault }) => {
    const field = fields[placeOf(pointer)]
    // What is wrong with a field stands at the field, once.
    return field === undefined
      ? html`<li>${fieldProblemText(say, fault)}</li>`
      : html`<li><a href="#${field.name}">${own(place, manifest, field.label)}</a></li>`
  })
  const list = html`<ul>
    ${items}
  </ul>`
  const hasDetails = detail !== null || requestId !== ''
  const details = forDevelopers(say, detail, requestId)
  const focus = isDocument && html`autofocus`
  return html`<div class="notice" role="alert" tabindex="-1" ${focus} data-focus>
    <h2>${title}</h2>
    ${p(advice)} ${items.length > 0 && list} ${hasDetails && details}
  </div>`
}

function fieldHtml(
  place: PagePlace,
  field: FormField,
  {
    manifest,
    note,
    instead,
    value,
    isTaken,
    problem,
    isOneOfThese,
  }: {
    readonly manifest: Manifest
    readonly note: string | null
    /** Fields that are folded, of which one does as well. */
    readonly instead: readonly FormField[]
    readonly value: string | undefined
    /** It is a part of the address that was entered. */
    readonly isTaken: boolean
    readonly problem: FieldProblem | null
    /** One of several that were refused together, of which nobody said which one is wrong. */
    readonly isOneOfThese: boolean
  },
): Html {
  const { say } = place
  const { name, docs, form, example, required, fallback, kind } = field
  const label = own(place, manifest, field.label)
  // What a value has to look like is said once: where it is wrong, with that.
  const isFormTold = problem?.tellsForm === true
  const { first, rest } = helpOf(
    place,
    manifest,
    field.helps.filter((text) => !isFormTold || text !== form),
  )
  const vendor = vendorName(manifest.title)
  const hint =
    fallback !== null && kind !== 'yes_no' && kind !== 'choice'
      ? say('left_empty', { value: fallback })
      : null
  const named = labelIn(place, manifest, field)
  const words = say('where_to_find_field', { field: named, vendor })
  const link = docs === null ? null : leadAway(place, docs, words)
  const sample =
    example === null ? null : html`${say('for_example')} <span class="sample">${example}</span>`
  const isHelped = first.length > 0 || [hint, link, sample].some((each) => each !== null)
  const describedBy = [
    ...(isOneOfThese ? [REFUSED] : []),
    ...(isHelped ? [`${name}-help`] : []),
    ...(isTaken ? [`${name}-taken`] : []),
    ...(problem === null ? [] : [`${name}-problem`]),
    ...instead.map((other) => `${other.name}-instead`),
  ]
  const attributes = html`id="${name}" name="${name}"
  ${describedBy.length > 0 && html`aria-describedby="${describedBy.join(' ')}"`}
  ${(problem !== null || isOneOfThese) && html`aria-invalid="true"`} ${required && html`required`}`
  const below = html`${isHelped && html`<p class="help" id="${name}-help">${first} ${hint} ${sample} ${link}</p>`}
  ${rest.length > 0 && moreHelp(say('more_field', { field: named }), rest)}
  ${isTaken && html`<p class="help" id="${name}-taken">${say('taken')}</p>`}
  ${problem !== null && html`<p class="wrong" id="${name}-problem">${problem.text} ${isFormTold && form !== null && own(place, manifest, form)}</p>`}`
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
    ${INPUTS[kind](field, attributes, value ?? '', say)} ${below}
  </div>`
}

function moreHelp(title: string, rest: readonly Html[]): Html {
  return html`<details class="more">
    <summary>${title}</summary>
    <p class="help">${rest}</p>
  </details>`
}

/** So many sentences below a field are read at a glance; of more the first one is, and the rest is folded. */
const SENTENCES_AT_FIRST = 2

/** What helps with a field: what is in sight, and what is folded. */
function helpOf(
  place: PagePlace,
  manifest: Manifest,
  helps: readonly string[],
): Readonly<Record<'first' | 'rest', readonly Html[]>> {
  const { language } = place
  const said = helps.map((text) => {
    const words = translated(manifest, language, text)
    return { text: words ?? text, isForeign: words === null && language !== 'en' }
  })
  const show = ({ text, isForeign }: { text: string; isForeign: boolean }): Html =>
    isForeign ? html`<span lang="en">${text}</span> ` : html`${text} `
  const count = said.flatMap(({ text }) => allSentencesOf(text)).length
  const [begin] = said
  if (count <= SENTENCES_AT_FIRST || begin === undefined) return { first: said.map(show), rest: [] }
  const [first = '', ...more] = sentencesOf(begin.text)
  const rest = [...more.map((text) => ({ ...begin, text })), ...said.slice(1)]
  return { first: [show({ ...begin, text: first })], rest: rest.map(show) }
}

const PLAIN = html`autocomplete="off" autocapitalize="none" spellcheck="false"`

const INPUTS: Readonly<
  Record<
    Exclude<FormField['kind'], 'yes_no'>,
    (field: FormField, attributes: Html, value: string, say: Say) => Html
  >
> = {
  text: ({ inputType }, attributes, value) =>
    html`<input type="${inputType}" value="${value}" ${PLAIN} ${attributes} />`,
  // What was typed never comes back from here.
  secret: (_field, attributes) => html`<input type="password" ${PLAIN} ${attributes} />`,
  number: (_field, attributes, value) =>
    html`<input type="text" inputmode="decimal" value="${value}" ${PLAIN} ${attributes} />`,
  choice: ({ choices, fallback, required }, attributes, value, say) => {
    const chosen = value === '' ? fallback : value
    const options = choices.map((choice) => {
      const text = textOf(choice)
      return html`<option value="${text}" ${text === chosen && html`selected`}>${text}</option>`
    })
    return html`<select ${attributes}>
      <option value="">${required && say('choose')}</option>
      ${options}
    </select>`
  },
  lines: (_field, attributes, value) =>
    html`<textarea rows="3" ${PLAIN} ${attributes}>${value}</textarea>`,
  json: (_field, attributes, value) =>
    html`<textarea rows="4" class="mono" ${PLAIN} ${attributes}>${value}</textarea>`,
}

interface FieldProblem {
  readonly text: string
  /** Whether what a value has to look like belongs behind it. */
  readonly tellsForm: boolean
}

function problemOf(
  { say }: PagePlace,
  problems: ConnectProblem['fields'],
  { pointer, form }: FormField,
): FieldProblem | null {
  const found = problems.find((problem) => isAt(problem.pointer, pointer))
  if (found === undefined) return null
  const tellsForm = found.word === 'wrong_form' && form !== null
  return { text: tellsForm ? say('does_not_fit') : fieldProblemText(say, found), tellsForm }
}

/** The id of what is said above several fields of which one was refused. */
const REFUSED = 'refused'

function isAt(pointer: string, field: string): boolean {
  return pointer === field || pointer.startsWith(`${field}/`)
}

/** What the page's script shows while the user is at the third party. */
function waiting(place: PagePlace, vendor: string): Html {
  const { say } = place
  const again = html`<a href="${hrefOf(place, {})}" data-again>${say('start_again')}</a>`
  return html`<template id="waiting">
    <h1 tabindex="-1" data-focus>${say('go_on_at', { vendor })}</h1>
    <p role="status">${say('go_on_advice', { vendor })}</p>
    ${actions(again, cancelLink(place))}
  </template>`
}

const CANCELLED = { error: 'cancelled' }

function cancelLink(place: PagePlace): Html {
  return html`<a ${leaving(place, CANCELLED)}>${place.say('cancel')}</a>`
}

function returnLink(place: Returning, answer: Readonly<Record<string, string>>): Html {
  const words = place.say('return_to', { app: appOf(place) })
  return html`<a class="button" ${leaving(place, answer)}>${words}</a>`
}

type Returning = Pick<PagePlace, 'session' | 'isFramed' | 'say'>

/** Of a link back to the host app with what came of the visit. Out of a frame it goes to the whole window. */
function leaving(
  { session: { row }, isFramed }: Pick<PagePlace, 'session' | 'isFramed'>,
  answer: Readonly<Record<string, string>>,
): Html {
  const url = new URL(row.returnUrl)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  return html`href="${url.href}" ${isFramed && html`target="_top"`} data-close`
}

function hrefOf(
  { base, token, asked }: PagePlace,
  query: Readonly<Record<string, string>>,
): string {
  const text = new URLSearchParams({ ...query, ...(asked !== null && { lang: asked }) }).toString()
  return `${base}/${token}${text === '' ? '' : `?${text}`}`
}

/** What the page's script asks for while the user is at the third party. */
export function statusOf({ row }: ConnectSession): JsonObject {
  return {
    state: row.connectedId !== null ? 'connected' : row.problem !== null ? 'failed' : 'open',
    attempts: row.attempts,
  }
}
