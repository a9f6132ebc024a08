// What a user sees who lets an agent in: who asks, a place for a token, and what is allowed.
import { html, plainPage, type Html } from '../connect/html.ts'
import type { TokenScope } from '../store/applications-and-tokens.ts'

export interface Asking {
  /** What the client calls itself. */
  readonly name: string
  /** Where the answer goes: what is known of a client that nobody has proved. */
  readonly place: string
}

export interface PageAddresses {
  readonly base: string
}

/** Asks for a token of the user; with `problem`, again. */
export function signInPage(
  { base }: PageAddresses,
  asking: Asking,
  request: string,
  problem: string | null,
): string {
  return plainPage(
    'Allow an agent',
    html`<h1>Allow an agent</h1>
      ${who(asking)}
      <p>
        To say who you are, give a token that the application made for you. It is used once, now,
        and not passed on.
      </p>
      ${problem === null ? null : html`<p role="alert">${problem}</p>`}
      <form method="post" action="${base}/sign-in">
        <input type="hidden" name="request" value="${request}" />
        <p>
          <label>Token <input type="password" name="token" required autocomplete="off" /></label>
        </p>
        <p><button>Continue</button></p>
      </form>`,
  )
}

/** Leads to the page of the host app, which knows its user. */
export function leavePage(asking: Asking, url: string): string {
  return plainPage(
    'Allow an agent',
    html`<h1>Allow an agent</h1>
      ${who(asking)}
      <p><a href="${url}">Sign in to go on</a></p>`,
  )
}

/** Asks whether the agent may. */
export function consentPage(
  { base }: PageAddresses,
  asking: Asking,
  consent: string,
  { scope, mayWrite }: { readonly scope: TokenScope; readonly mayWrite: boolean },
): string {
  const { externalUserId, connectorTypes, connectorIds, actions } = scope
  return plainPage(
    'Allow an agent',
    html`<h1>Allow an agent</h1>
      ${who(asking)}
      <ul>
        <li>It acts for <strong>${externalUserId}</strong>.</li>
        <li>
          It uses
          ${connectorTypes === null ? 'every account that you connected' : `accounts of ${connectorTypes.join(', ')}`}${connectorIds === null ? '' : ', only those that the token names'}.
        </li>
        <li>
          It can read${mayWrite ? ' and change' : ''} what they
          hold${actions === null ? '' : `, by ${actions.join(', ')} only`}.
        </li>
        <li>For 30 days, or until the application ends your tokens.</li>
      </ul>
      <form method="post" action="${base}/answer">
        <input type="hidden" name="consent" value="${consent}" />
        <p>
          <button name="answer" value="allow">Allow</button>
          <button name="answer" value="refuse">Refuse</button>
        </p>
      </form>`,
  )
}

export function refusalPage(detail: string): string {
  return plainPage(
    'Allow an agent',
    html`<h1>This does not work</h1>
      <p>${detail}</p>
      <p>Nothing was allowed. Begin again in the agent.</p>`,
  )
}

function who({ name, place }: Asking): Html {
  return html`<p>
    ${name === '' ? 'A program' : html`A program that calls itself <strong>${name}</strong>`} wants
    to use your connected accounts. The answer goes to <strong>${place}</strong>. Go on only if you
    began this there.
  </p>`
}
