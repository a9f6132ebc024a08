// The languages of the connect page: the same words in each, chosen as the visitor wants, and nothing said besides them.
import { expect, test } from 'vitest'
import { firstSentence } from '../../../src/display/field-words.ts'
import type { Manifest } from '../../../src/language/manifest/manifest.ts'
import { loadManifestFile, requireManifest } from '../../../src/language/manifest/load.ts'
import { type Choice, choose, type Offer, waysIn } from '../../../src/service/connect/choice.ts'
import {
  busyPage,
  closeWindowPage,
  connectedPage,
  connectorsPage,
  formPage,
  gonePage,
  leavingPage,
  noticePage,
  type PagePlace,
  waysPage,
} from '../../../src/service/connect/connect-page.ts'
import type { InstanceRow } from '../../../src/service/store/instances.ts'
import type { ConnectSession } from '../../../src/service/connect/connect-sessions.ts'
import { ENGLISH, type PageWord } from '../../../src/service/connect/english.ts'
import {
  chooseLanguage,
  type Language,
  LANGUAGES,
  sayIn,
} from '../../../src/service/connect/page-words.ts'
import { connectProblem, tellAddresses } from '../../../src/service/connect/problem-words.ts'
import { ConnectorError } from '../../../src/errors.ts'

const words = Object.keys(ENGLISH) as PageWord[]
const namesIn = (text: string): readonly string[] => (text.match(/\{[a-z]+\}/g) ?? []).toSorted()

test.for(Object.keys(LANGUAGES) as Language[])(
  '%s has each word, with the same names in it',
  (name) => {
    const dictionary = LANGUAGES[name]
    expect(Object.keys(dictionary)).toEqual(words)
    for (const word of words)
      expect([word, namesIn(dictionary[word])]).toEqual([word, namesIn(ENGLISH[word])])
  },
)

test.for([
  { name: 'the link wins', lang: 'de', accept: 'en', want: 'de' },
  { name: 'a link of a language that is not there does not', lang: 'fr', accept: 'de', want: 'de' },
  { name: 'a region is of its language', lang: undefined, accept: 'de-AT', want: 'de' },
  { name: 'weights count', lang: undefined, accept: 'fr;q=0.9, en;q=0.4, de;q=0.6', want: 'de' },
  { name: 'what is refused is not taken', lang: undefined, accept: 'de;q=0, it', want: 'en' },
  { name: 'nothing is English', lang: undefined, accept: undefined, want: 'en' },
  {
    name: 'a name of the language itself is none',
    lang: 'constructor',
    accept: undefined,
    want: 'en',
  },
] as const)('$name', ({ lang, accept, want }) => expect(chooseLanguage(lang, accept)).toBe(want))

test('a sentence begins with a capital letter, names stay as they are', () => {
  expect(sayIn('en')('nothing_offered_advice', { app: 'the app' })).toBe(
    'The app offers no connection here.',
  )
  expect(sayIn('de')('return_to', { app: '{vendor} <x>' })).toBe('Zurück zu {vendor} <x>')
})

test.for([
  { description: 'Calls of Gong. Times are seconds.', want: 'Calls of Gong.' },
  {
    description: 'Files of GitHub.com, e.g. releases. More',
    want: 'Files of GitHub.com, e.g. releases.',
  },
  { description: 'Calls of Gong', want: 'Calls of Gong' },
  { description: 'Calls.\n  Übrigens: v1.2 is gone.', want: 'Calls.' },
])('of “$description” an end user reads one sentence', ({ description, want }) =>
  expect(firstSentence(description)).toBe(want),
)

/** Every word of the dictionary as a mark, so that what is left is said besides it. */
const place: PagePlace = {
  base: '/connect',
  token: 'token',
  icons: new Map(),
  session: {
    row: {
      attempts: 0,
      allowedOrigin: null,
      instanceId: null,
      connectedId: null,
      problem: null,
      returnUrl: 'https://app.example.com/back',
      connectorTypes: null,
    },
    appName: '9',
    logoHash: null,
    accent: null,
    // The pages read these members only.
  } as unknown as ConnectSession,
  isFramed: true,
  isDocument: false,
  isOwnWindow: false,
  language: 'en',
  asked: null,
  say: (word) => `[${word}]`,
}

/** What a page says in letters besides the words and what the manifest and the app say. */
function leftOver(page: string, known: readonly string[]): string {
  const text = page
    // The letters of a monogram, for the eye only.
    .replaceAll(/<svg class="tile".*?<\/svg>/gs, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\[[a-z_]+\]/g, ' ')
  const rest = known
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, each) => left.replaceAll(each, ' '), text.replaceAll(/\s+/g, ' '))
  return rest.replaceAll(/[^\p{L}]+/gu, '')
}

/** What the page takes from a manifest for a choice. */
function textsOf({ manifest, vendor, way, scopes, fields }: Choice): readonly string[] {
  const shown = [...fields.credentials, ...fields.first, ...fields.more].flatMap((field) => [
    field.label,
    ...field.helps,
    field.example,
    field.fallback,
    ...field.choices.map(String),
  ])
  const texts = [manifest.title, manifest.description, vendor, way.detail]
  const described = way.method?.description ?? ''
  // The rest of it is folded.
  const parts = [firstSentence(described), described.slice(firstSentence(described).length)]
  return [...texts, ...parts, ...scopes, ...shown].flatMap((text) =>
    typeof text === 'string' ? [text.replaceAll(/\s+/g, ' ').trim()] : [],
  )
}

test('what a manifest says in English only is marked on a page of another language, and nowhere else', async () => {
  const { translations, ...manifest } = requireManifest(
    await loadManifestFile('manifests/gong.yaml'),
  )
  const offer: Offer = { organizationId: 'acme', manifests: [manifest], instance: null }
  const ports = { oauthClients: { of: () => null } } as never
  const choice = choose(ports, offer, 'gong', 'access_key')
  if (choice === null) throw new TypeError('a way that is offered can be chosen')
  const view = { choice, typed: null, problem: null, backTo: null }
  const german = formPage({ ...place, language: 'de', say: sayIn('de') }, view)
  const marked = [...german.matchAll(/<span lang="en">([^<]*)<\/span>/g)].map(([, text]) => text)
  expect(marked).toEqual([
    'An access key and its secret, made by a Gong technical administrator on Gong&#39;s API settings page.',
    'Access key',
    'In Gong: Admin center, Settings, Ecosystem, API, Get API Key.',
    'Secret of the access key',
    'Shown only once, together with the key. If it is lost, make another key.',
    'API base URL',
    'Base URL of the customer, shown on Gong&#39;s API settings page.',
  ])
  expect(formPage({ ...place, say: sayIn('en') }, view)).not.toContain('lang="en">A')
  // Also where a list of what is wrong leads to a field.
  const [field] = choice.fields.credentials
  const errors = [{ pointer: field?.pointer ?? '', code: 'required', detail: 'must be given' }]
  const attempt = {
    session: place.session,
    manifest,
    way: 'access_key',
    isConsent: false,
    requestId: '7',
  }
  const problem = connectProblem(
    new ConnectorError('credentials_invalid', '5', { errors }),
    attempt,
  )
  const refused = formPage({ ...place, language: 'de', say: sayIn('de') }, { ...view, problem })
  expect(refused).toContain(`<a href="#${field?.name}"><span lang="en">Access key</span></a>`)
  // With words for all but one text, that one is marked.
  const { 'Access key.': _sentence, 'Access key': _title, ...others } = translations?.['de'] ?? {}
  const partly = choose(
    ports,
    { ...offer, manifests: [{ ...manifest, translations: { de: others } }] },
    'gong',
    'access_key',
  )
  if (partly === null) throw new TypeError('a way that is offered can be chosen')
  const half = formPage({ ...place, language: 'de', say: sayIn('de') }, { ...view, choice: partly })
  expect([...half.matchAll(/<span lang="en">([^<]*)<\/span>/g)].map(([, text]) => text)).toEqual([
    'Access key',
  ])
  expect(half).toContain('Geheimnis des Zugriffsschlüssels')
})

test.for(['facebook-marketing', 'github', 'gong', 'jira', 'slack', 'stripe'])(
  'the German pages of %s have no English text of its manifest',
  async (type) => {
    const manifest = requireManifest(await loadManifestFile(`manifests/${type}.yaml`))
    const german = { ...place, language: 'de', say: sayIn('de') } as const
    for (const client of [null, { id: 'x', secret: null }]) {
      const ports = { oauthClients: { of: () => client } } as never
      const offer: Offer = { organizationId: 'acme', manifests: [manifest], instance: null }
      const ways = waysIn(ports, offer, manifest)
      const forms = ways.map(({ name }) => {
        const choice = choose(ports, offer, type, name)
        if (choice === null) throw new TypeError('a way that is offered can be chosen')
        return formPage(german, { choice, typed: null, problem: null, backTo: null })
      })
      for (const page of [
        connectorsPage(german, [manifest]),
        ...(ways.length > 1 ? [waysPage(german, manifest, ways, null)] : []),
        ...forms,
      ])
        expect(page).not.toContain('<span lang="en">')
    }
  },
)

test.for([
  ['must match ^[a-z0-9][a-z0-9-]*$: The part before .example.com.', 'small_letters'],
  ['must match ^[0-9a-f-]{36}$: Id of the site.', 'wrong_form'],
  ['must be an e-mail address', null],
] as const)('at a field "%s" is told by the word %s', async ([detail, word]) => {
  const attempt = {
    session: place.session,
    manifest: requireManifest(await loadManifestFile('manifests/jira.yaml')),
    way: 'api_token',
    isConsent: false,
    requestId: '7',
  }
  const errors = [{ pointer: '/config/subdomain', code: 'pattern', detail }]
  const { fields } = connectProblem(new ConnectorError('config_invalid', '5', { errors }), attempt)
  expect(fields).toEqual([{ pointer: '/config/subdomain', word, detail, values: [] }])
})

test('an address in a field that no part of it fits is told as one', async () => {
  const attempt = {
    session: place.session,
    manifest: requireManifest(await loadManifestFile('manifests/jira.yaml')),
    way: 'api_token',
    isConsent: false,
    requestId: '7',
  }
  const detail = 'must match ^[0-9a-f-]{36}$: Id of the site.'
  const errors = [{ pointer: '/config/cloud_id', code: 'pattern', detail }]
  const problem = connectProblem(new ConnectorError('config_invalid', '5', { errors }), attempt)
  const fields = [{ name: 'config.cloud_id', pointer: '/config/cloud_id' }]
  const wordOf = (text: string): unknown =>
    tellAddresses(problem, fields, { 'config.cloud_id': text }).fields[0]?.word
  expect(wordOf('https://acme.example.com/browse/X')).toBe('an_address')
  expect(wordOf('acme.example.com')).toBe('an_address')
  expect(wordOf('1a2b')).toBe('wrong_form')
})

test.for([
  {
    code: 'credentials_refused',
    de: 'Gong nimmt die Zugangsdaten nicht an, die sie hat.',
    en: 'Gong does not accept the credentials that it has.',
  },
  {
    code: 'upstream_forbidden',
    de: 'Gong kennt ihr Konto, lässt es aber nicht herein.',
    en: 'Gong knows its account, but does not let it in.',
  },
  {
    code: 'grant_refused',
    de: 'Ihre Zustimmung bei Gong gilt nicht mehr.',
    en: 'What you agreed to at Gong is no longer valid.',
  },
  {
    code: 'of another version',
    de: 'Sie muss neu verbunden werden.',
    en: 'It has to be connected again.',
  },
])('why a connection is broken is said in words, and exactly to developers: $code', async (row) => {
  const manifest = requireManifest(await loadManifestFile('manifests/gong.yaml'))
  const detail = 'Call analytics (Gong): connection.get was refused (status 401)'
  const instance = {
    name: 'Sales',
    config: {},
    state: 'auth_error',
    authMethod: 'access_key',
    stateReason: { code: row.code, detail, since: 0, upstreamStatus: 401 },
  } as unknown as InstanceRow
  const offer: Offer = { organizationId: 'acme', manifests: [manifest], instance }
  const ports = { oauthClients: { of: () => null } } as never
  const choice = choose(ports, offer, 'gong', 'access_key')
  if (choice === null) throw new TypeError('a way that is offered can be chosen')
  for (const language of ['de', 'en'] as const) {
    const own = { ...place, language, say: sayIn(language) }
    const page = formPage(own, { choice, typed: null, problem: null, backTo: null })
    expect(page).toMatch(new RegExp(`<p[^>]*>[^<]*„?“?Sales“?”?[^<]*\\. ${row[language]}</p>`))
    const folded = /<details>.*?<\/details>/gs
    expect([page.includes(detail), page.replaceAll(folded, '').includes(detail)]).toEqual([
      true,
      false,
    ])
  }
})

const SITE = '1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d'
const BOTH = '(one of these is needed)'

test.for([
  { name: 'nothing is given', typed: null, wrong: [], shown: ['subdomain'], folded: ['cloud_id'] },
  {
    name: 'the first is given',
    typed: { 'config.subdomain': 'acme' },
    wrong: [],
    shown: ['subdomain'],
    folded: ['cloud_id'],
  },
  {
    name: 'the second is given',
    typed: { 'config.cloud_id': SITE },
    wrong: [],
    shown: ['cloud_id'],
    folded: ['subdomain'],
  },
  {
    name: 'blanks are given',
    typed: { 'config.cloud_id': ' ' },
    wrong: [],
    shown: ['subdomain'],
    folded: ['cloud_id'],
  },
  {
    name: 'the second is wrong',
    typed: {},
    wrong: ['cloud_id'],
    shown: ['cloud_id'],
    folded: ['subdomain'],
  },
  {
    name: 'one is given, and the other is wrong',
    typed: { 'config.subdomain': 'acme' },
    wrong: ['cloud_id'],
    shown: ['subdomain', 'cloud_id'],
    folded: [],
  },
  {
    name: 'both lack',
    typed: {},
    wrong: ['subdomain', 'cloud_id'],
    shown: ['subdomain', 'cloud_id'],
    folded: [],
  },
])('of fields of which one is needed, where $name', async ({ typed, wrong, shown, folded }) => {
  const manifest = requireManifest(await loadManifestFile('manifests/jira.yaml'))
  const offer: Offer = { organizationId: 'acme', manifests: [manifest], instance: null }
  const choice = choose({ oauthClients: { of: () => null } } as never, offer, 'jira', 'api_token')
  if (choice === null) throw new TypeError('a way that is offered can be chosen')
  const errors = wrong.map((name) => ({
    pointer: `/config/${name}`,
    code: 'required',
    detail: 'must be given',
  }))
  const attempt = {
    session: place.session,
    manifest,
    way: 'api_token',
    isConsent: false,
    requestId: '7',
  }
  const problem =
    errors.length === 0
      ? null
      : connectProblem(new ConnectorError('config_invalid', '5', { errors }), attempt)
  const page = formPage(
    { ...place, say: sayIn('en') },
    { choice, typed, problem, backTo: null },
  ).replaceAll(/\s+/g, ' ')
  const inside = [...page.matchAll(/<details class="instead">.*?<\/div> <\/details>/g)].map(String)
  const fieldsIn = (text: string): readonly string[] =>
    [...text.matchAll(/ id="config\.(\w+)" name=/g)].map(([, name = '']) => name)
  expect(inside.flatMap(fieldsIn)).toEqual(folded)
  expect(fieldsIn(inside.reduce((text, each) => text.replace(each, ''), page))).toEqual(shown)
  expect(page.split(BOTH).length - 1).toBe(folded.length > 0 ? 0 : 2)
  // Who cannot see it hears of the other way at the field.
  for (const name of folded) {
    expect(inside.join('')).toContain(`<summary id="config.${name}-instead">`)
    expect(page).toMatch(
      new RegExp(`id="config.${shown[0]}"[^>]*aria-describedby="[^"]*config.${name}-instead"`),
    )
  }
})

test.for([
  { language: 'en', first: 'Id of the site, which is the same whatever the site is called.' },
  { language: 'de', first: 'Die ID der Site, die gleich bleibt, wie auch immer die Site heißt.' },
] as const)('of more than two sentences the first is in sight: $language', async (row) => {
  const manifest = requireManifest(await loadManifestFile('manifests/jira.yaml'))
  const offer: Offer = { organizationId: 'acme', manifests: [manifest], instance: null }
  const choice = choose({ oauthClients: { of: () => null } } as never, offer, 'jira', 'api_token')
  if (choice === null) throw new TypeError('a way that is offered can be chosen')
  const { language, first } = row
  const own = { ...place, language, say: sayIn(language) }
  const page = formPage(own, { choice, typed: null, problem: null, backTo: null })
  const text = page.replaceAll(/\s+/g, ' ')
  const help = /<p class="help" id="config\.cloud_id-help">(.*?)<\/p>/.exec(text)?.[1] ?? ''
  expect(help).toContain(first)
  expect(help).not.toContain('36')
  // An example and a link are in sight as well.
  expect(help).toContain('1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d')
  expect(help).toContain('<a href="https://support.atlassian.com/')
  const folded =
    /id="config\.cloud_id-help">.*?<details class="more">(.*?)<\/details>/.exec(text)?.[1] ?? ''
  expect(folded).toContain('36')
  expect(folded).toContain('/_edge/tenant_info')
})

test('every page says nothing but words of the dictionaries and what manifests say', async () => {
  const manifests: readonly Manifest[] = await Promise.all(
    ['gong', 'jira', 'slack'].map(async (type) =>
      requireManifest(await loadManifestFile(`manifests/${type}.yaml`)),
    ),
  )
  for (const manifest of manifests) {
    const offer: Offer = { organizationId: 'acme', manifests: [manifest], instance: null }
    const ports = { oauthClients: { of: () => ({ id: 'x', secret: null }) } } as never
    const ways = waysIn(ports, offer, manifest)
    const choices = ways.map((way) => {
      const choice = choose(ports, offer, manifest.type, way.name)
      if (choice === null) throw new TypeError('a way that is offered can be chosen')
      return choice
    })
    const known = choices.flatMap(textsOf)
    const pages = choices.flatMap((choice) => {
      const { way } = choice
      const problems = [
        'credentials_invalid',
        'credentials_refused',
        'access_denied',
        'upstream_failed',
        'internal_error',
      ] as const
      return [null, ...problems].map((code) => {
        const attempt = {
          session: place.session,
          manifest,
          way: way.name,
          isConsent: way.kind === 'consent',
          requestId: '7',
        }
        const failure =
          code === null || code === 'access_denied'
            ? 'access_denied'
            : new ConnectorError(code, '5')
        const problem = code === null ? null : connectProblem(failure, attempt)
        const page = formPage(place, { choice, typed: null, problem, backTo: 'ways' })
        return problem === null ? page : page + closeWindowPage(place, problem, '8')
      })
    })
    pages.push(
      waysPage(place, manifest, ways, 'connectors'),
      connectorsPage(place, [manifest]),
      connectorsPage(place, []),
    )
    for (const page of pages) expect(leftOver(page, known)).toBe('')
  }
  for (const page of [
    busyPage(place),
    gonePage(place),
    leavingPage(place, '8', 'https://vendor.example.com'),
    connectedPage(place, '6', null, null),
    connectedPage({ ...place, isOwnWindow: true }, '6', null, null),
    noticePage(place, '7', null),
    noticePage(place, '7', 'foreign_form'),
  ])
    expect(leftOver(page, [])).toBe('')
})
