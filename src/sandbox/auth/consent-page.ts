// The page on which a person agrees to a consent, or does not.
import type { WireAnswer } from '../wire/wire-answer.ts'
import type { Pair, WireRequest } from '../wire/wire-request.ts'

/** What becomes of consents: people are asked, and programs agreed with; or the answer is the same for all. */
export type Consent = 'ask' | 'allow' | 'deny'

export interface ConsentQuestion {
  readonly vendor: string
  readonly app: string
  readonly scopes: readonly string[]
  readonly redirectUri: URL
  /** Sent again with the answer. */
  readonly query: readonly Pair[]
}

/** The parameter of an authorization request that answers it: `allow` or `deny`. No vendor knows it. */
export const CONSENT_PARAM = 'sandbox_consent'

/** Names a scope that is agreed to, once for each; without one, all that are asked for are. */
export const SCOPE_PARAM = 'sandbox_scope'

/** Headers of the page. Like the pages of third parties it is shown in no frame, and remembered nowhere. */
const CONSENT_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
}

/** The address decides, else the sandbox; a person is who wants a page. */
export function decide(
  { headers }: WireRequest,
  given: ReadonlyMap<string, string>,
  consent: Consent,
): Consent {
  const said = given.get(CONSENT_PARAM)
  if (said === 'allow' || said === 'deny') return said
  if (consent !== 'ask') return consent
  return headers['accept']?.includes('text/html') === true ? 'ask' : 'allow'
}

/** Answers with the page. */
export function answerWithPage(question: ConsentQuestion): WireAnswer {
  const body = { kind: 'text', text: consentPage(question) } as const
  return { status: 200, headers: CONSENT_HEADERS, body }
}

/** The page as HTML, without scripts. The form asks the same address again, with the answer. */
function consentPage({ vendor, app, scopes, redirectUri, query }: ConsentQuestion): string {
  const hidden = query
    .filter(([name]) => name !== CONSENT_PARAM && name !== SCOPE_PARAM)
    .map(([name, value]) => `<input type="hidden" name="${text(name)}" value="${text(value)}">`)
  const asked =
    scopes.length === 0
      ? '<p>It asks for no particular scope.</p>'
      : `<p>It asks for:</p>\n<ul>\n${scopes.map(choice).join('\n')}\n</ul>\n${NONE_CHOSEN}`
  const place = redirectUri.host === '' ? redirectUri.protocol : redirectUri.host
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Allow access? · ${text(vendor)}, sandbox</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Allow access?</h1>
<p>The app <strong>${text(app)}</strong> asks for access to your account at <strong>${text(vendor)}</strong>.</p>
<form method="get">
${asked}
${hidden.join('\n')}
<button name="${CONSENT_PARAM}" value="allow">Allow</button>
<button name="${CONSENT_PARAM}" value="deny">Deny</button>
</form>
<p class="fine">Then you go back to ${text(place)}. This is a sandbox: a vendor on this machine, whose data is made up.</p>
</main>
</body>
</html>
`
}

/** Sent with every answer of the form, so that it says something when nothing is ticked. */
const NONE_CHOSEN = `<input type="hidden" name="${SCOPE_PARAM}" value="">`

function choice(scope: string): string {
  const value = text(scope)
  return `<li><label><input type="checkbox" name="${SCOPE_PARAM}" value="${value}" checked> <code>${value}</code></label></li>`
}

const STYLE = `
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: CanvasText; background: Canvas }
main { max-width: 30rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem }
ul { list-style: none; padding: 0 }
button { font: inherit; padding: .5rem 1.5rem; margin-right: .5rem }
.fine { font-size: .875rem; margin-top: 2rem }
`

function text(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
