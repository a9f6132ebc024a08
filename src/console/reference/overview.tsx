// The first page of the reference: what a program needs to know before its first request.
import type { ReactNode } from 'react'
import { tokenOf } from '../code/http-code.ts'
import { CodeView } from '../parts/code-view.tsx'
import { ROOT } from '../place.tsx'
import { AsMarkdown } from './as-markdown.tsx'
import type { ApiDocument } from './document.ts'
import { Method } from './method.tsx'
import { useAccess } from './session.ts'

export function Overview({ document: api }: { readonly document: ApiDocument }): ReactNode {
  const access = useAccess()
  const clientId = (access.kind === 'inside' ? access.session.client_id : null) ?? 'default'
  return (
    <article className="reference-page">
      <AsMarkdown path="/docs.md" />
      <h1 tabIndex={-1}>API reference</h1>
      <p className="lead">
        Everything this service does over HTTP. Each page has the parameters of a request, the same
        request for curl, TypeScript and Python, and for the command line where a command does it,
        its answers and its errors, and sends it where you are signed in to the console.
      </p>
      <h2>Address</h2>
      <CodeView text={api.server} label="address of the service" />
      <p>
        Every path stands below <code>/v1</code> and below <code>/api/v1</code>. Bodies are JSON.
      </p>
      <h2>Token</h2>
      <p>
        Every request carries a token: <code>Authorization: Bearer &lt;token&gt;</code>. An
        application token does everything for its organization; for code that acts for one end user,
        mint a <a href="#mintScopedToken">scoped token</a>. These lines get an application token,
        which is good for 15 minutes:
      </p>
      <CodeView text={tokenOf(api.server, clientId ?? 'default')} label="token" />
      <h2>Errors</h2>
      <p>
        An error is <code>application/problem+json</code> (RFC 9457) with a <code>code</code> that
        never changes its name. <a href={`${ROOT}/docs/errors`}>All codes</a>, what they mean and
        whether the same request can succeed later.
      </p>
      <h2>Operations</h2>
      {api.groups.map(({ name, about, operations }) => (
        <section key={name}>
          <h3>{name}</h3>
          <p className="quiet">{about}</p>
          <ul className="reference-rows">
            {operations.map(({ id, method, path, summary }) => (
              <li key={id}>
                <a href={`#${id}`}>{summary}</a>
                <span>
                  <Method of={method} /> <code>{path}</code>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </article>
  )
}
