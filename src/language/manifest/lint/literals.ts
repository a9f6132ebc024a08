// Texts that look like an expression of this or another notation and would travel as they are written.
import { ROOTS } from '../../expression/parse-text.ts'
import { isJsonObject } from '../../json/members.ts'
import { accessParts } from '../access/all-access.ts'
import { httpOf } from '../body-forms/forms.ts'
import type { DocumentPath } from '../document.ts'
import { keyAt, type Lint, type Place } from './lint.ts'
import { requestsOf } from './request-facts.ts'
import { paramsOf } from './scopes.ts'

export function lintLiterals(lint: Lint): void {
  const { server, defaults, auth } = lint.source
  const visit = (value: unknown, at: DocumentPath, names: readonly string[] = []): void => {
    if (typeof value === 'string') checkText(lint, value, { at }, names)
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value)) {
        const step = Array.isArray(value) ? Number(key) : key
        visit(member, [...at, step], names)
      }
  }
  for (const { at, source: request, action } of requestsOf(lint)) {
    const names = action === null ? [] : [...paramsOf(lint.source, action).members().keys()]
    checkPath(lint, httpOf(request), { at: [...at, 'http'] }, names)
    for (const word of PLACES) visit(request[word], [...at, word], names)
  }
  for (const { at, source } of lint.actions) {
    visit(source.response?.set, [...at, 'response', 'set'])
    visit(source.pagination?.carry, [...at, 'pagination', 'carry'])
    for (const [index, { if: test }] of (source.refuse ?? []).entries())
      checkCondition(lint, test, { at: [...at, 'refuse', index, 'if'] })
    for (const [index, { if: test }] of (source.steps ?? []).entries())
      checkCondition(lint, test, { at: [...at, 'steps', index, 'if'] })
  }
  visit(server.url, ['server', 'url'])
  visit(server.headers, ['server', 'headers'])
  visit(defaults?.request?.headers, ['defaults', 'request', 'headers'])
  const message = defaults?.error_body?.message
  if (message !== undefined) visit(message, ['defaults', 'error_body', 'message'])
  for (const method of lint.methods)
    for (const { at, source } of accessParts(method).urls) visit(source, at)
  for (const [name, method] of Object.entries(auth)) {
    visit(method.server?.url, ['auth', name, 'server', 'url'])
    visit(method.apply, ['auth', name, 'apply'])
  }
}

const PLACES = ['query', 'headers', 'body', 'form', 'multipart', 'related', 'mcp'] as const

const ROOT = ROOTS.join('|')
/** `{ params.x }`, `${config.x}`, `{config.x}`, `<params.x>`, but not `{{ … }}`. */
const FOREIGN = new RegExp(
  `(?<!\\{)\\$?\\{\\s*((?:${ROOT})\\.[\\w.-]+)\\s*\\}(?!\\})|<((?:${ROOT})\\.[\\w.-]+)>`,
)
const ANSWER = /^\$(?:\.[A-Za-z_][\w.[\]*-]*|headers\.[\w-]+|link\.\w+|parent\.\w+)$/

function checkText(lint: Lint, text: string, place: Place, names: readonly string[]): void {
  const [written, braced, angled] = FOREIGN.exec(text) ?? []
  if (written !== undefined) {
    const message = `"${written}" is no expression and would travel as it is written`
    lint.error('expression/foreign', place, message, `write "{{ ${braced ?? angled} }}"`)
  } else if (ANSWER.test(text)) {
    const name = text.split('.').at(-1) ?? ''
    const root = names.includes(name) ? `params.${name}` : 'params.…'
    const instead = text.startsWith('$.') && names.length === 0 ? 'response.body…' : root
    const message = `a $ path reads answers; here "${text}" would travel as it is written`
    const hint = `write "{{ ${instead} }}"; where the vendor wants this very text, "{{ '${text}' }}"`
    lint.error('expression/path-as-text', place, message, hint)
  }
}

/** `/tickets/{id}`, `/tickets/:id` and `/tickets/<id>`, as documentation prints them. */
function checkPath(lint: Lint, http: string, place: Place, names: readonly string[]): void {
  checkText(lint, http, place, names)
  const plain = http.replaceAll(/\{\{.*?\}\}/gs, '')
  const name = /\/(?::([A-Za-z_]\w*)|<([A-Za-z_]\w*)>|\{([A-Za-z_]\w*)\})(?=\/|$)/.exec(plain)
  if (name === null) return
  const found = name[1] ?? name[2] ?? name[3] ?? ''
  const message = `"${name[0].slice(1)}" would travel as it is written`
  lint.error('expression/foreign', place, message, `write {{ params.${found} }}`)
}

/** A condition without an expression is a text, and every text is true. */
function checkCondition(lint: Lint, test: unknown, place: Place): void {
  if (typeof test !== 'string' || test.includes('{{')) return
  const message = 'a text without an expression is always true'
  lint.error('expression/condition-is-text', place, message, `write "{{ … }}"`)
}

/** What a method puts in front of its value already, and what it leaves to the author. */
export function lintSchemes(lint: Lint): void {
  for (const { at, source } of lint.methods) {
    const { apply } = source as { readonly apply?: Readonly<Record<string, unknown>> }
    const bearer = apply?.['bearer']
    if (typeof bearer === 'string' && /^\s*bearer\s/i.test(bearer)) {
      const message = 'bearer writes the word Bearer; here it would stand twice'
      const hint = `write bearer: "${bearer.replace(/^\s*bearer\s+/i, '')}"`
      lint.error('auth/scheme-twice', { at: [...at, 'apply', 'bearer'] }, message, hint)
    }
    const headers = isJsonObject(apply?.['headers']) ? apply['headers'] : {}
    for (const [name, value] of Object.entries(headers)) {
      if (typeof value !== 'string' || !/^authorization$/i.test(name)) continue
      // Outside of what is filled in, base64 has no colon.
      const isEncoded = /base64/.test(value) || !value.replaceAll(/\{\{.*?\}\}/gs, '').includes(':')
      if (!/^basic\s/i.test(value) || isEncoded) continue
      const message = 'Basic takes name and password in base64, not as they are'
      const hint = 'write basic: { username: …, password: … } instead of the header'
      lint.error('auth/basic-not-encoded', { at: [...at, 'apply', 'headers', name] }, message, hint)
    }
    lintSameUrl(lint, accessParts({ at, source }).urls)
    lintConstants(lint, source, at)
  }
}

/** People open one address, and another one answers with a token. */
function lintSameUrl(
  lint: Lint,
  urls: readonly { readonly at: DocumentPath; readonly source: string }[],
): void {
  const [first, ...others] = urls
  for (const { at, source } of others) {
    if (source !== first?.source || at.at(-2) !== 'token') continue
    const message = 'the consent page and the exchange of tokens have the same address'
    const hint = 'vendors print two: one that people open, and one that answers with a token'
    lint.warn('auth/same-url', { at }, message, hint)
  }
}

/** Scopes in one text, and secrets that are written down, wherever they stand in a method. */
function lintConstants(lint: Lint, block: object, at: DocumentPath): void {
  for (const [key, value] of Object.entries(block) as [string, unknown][]) {
    const here = [...at, Array.isArray(block) ? Number(key) : key]
    if (key === 'credentials') continue
    if (at.at(-1) === 'scopes' && typeof value === 'string') {
      if (!/[\s,]/.test(value)) continue
      const message = `"${value}" is several scopes in one text`
      const hint = `write [${value.split(/[\s,]+/).join(', ')}]`
      lint.error('auth/scopes-joined', { at: here }, message, hint)
    } else if (at.at(-1) === 'params' && /secret|password|private_key/i.test(key)) {
      if (typeof value !== 'string' || value.includes('{{')) continue
      const message = `"${key}" is a secret, and a manifest is no place for one`
      const hint =
        'leave it out: client_auth sends the client that the operator or the credentials give'
      lint.error('auth/secret-in-manifest', keyAt(...here), message, hint)
    } else if (typeof value === 'object' && value !== null) lintConstants(lint, value, here)
  }
}
