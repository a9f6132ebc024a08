// The reference of the API: its operations at the side, one of them in the middle.
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef } from 'react'
import { localProblem, unreachable } from '../api/problem.ts'
import { useAnswer } from '../api/use-answer.ts'
import { ProblemNotice } from '../parts/answer.tsx'
import { Mark } from '../parts/mark.tsx'
import { ThemeChoice } from '../parts/theme-choice.tsx'
import { BASE, ROOT } from '../place.tsx'
import { type ApiDocument, readDocument } from './document.ts'
import { Method } from './method.tsx'
import { NothingCalled, useNamed } from './named.tsx'
import { OperationView } from './operation-view.tsx'
import { Overview } from './overview.tsx'
import { useAccess } from './session.ts'
import { currentIf, Side } from './side.tsx'

/** What the address has below `/docs`; the pages of a prefix are whole pages, which the browser loads. */
const PATH = window.location.pathname.slice(`${ROOT}/docs/`.length).replace(/\/$/, '')

const DocPage = lazy(async () => ({ default: (await import('./doc-view.tsx')).DocPage }))

export function Reference(): ReactNode {
  const api = useAnswer('document', loadDocument)
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Head version={api.last?.version ?? ''} />
      {PATH !== '' ? (
        <Suspense fallback={<Waiting />}>
          <DocPage path={PATH} />
        </Suspense>
      ) : api.kind === 'loading' ? (
        <Waiting />
      ) : api.kind === 'ready' ? (
        <Pages document={api.value} />
      ) : (
        <main id="main" className="reference-page">
          <h1>API reference</h1>
          <ProblemNotice problem={api.problem} retry={api.reload} />
        </main>
      )}
    </>
  )
}

function Waiting(): ReactNode {
  return (
    <p className="reference-page quiet" role="status">
      Loading …
    </p>
  )
}

async function loadDocument(): Promise<ApiDocument> {
  const response = await fetch(`${ROOT}/openapi.json`).catch(() => null)
  if (response === null) throw unreachable()
  if (!response.ok)
    throw localProblem(
      'document_missing',
      'There is no document to show',
      `The service answers /openapi.json with ${response.status}. An app that mounts it may have left that door shut.`,
    )
  return readDocument(await response.text(), window.location.origin + ROOT)
}

function Head({ version }: { readonly version: string }): ReactNode {
  const access = useAccess()
  return (
    <header className="reference-head">
      <a className="brand" href={`${ROOT}/docs`}>
        <Mark /> Tenon <span className="fine">{version}</span>
      </a>
      <nav aria-label="Other pages">
        <a href={`${ROOT}/docs`}>API</a>
        <a href={`${ROOT}/docs/contents`}>All pages</a>
        <a href={`${ROOT}/docs/errors`}>Errors</a>
        <a href={`${ROOT}/docs/changelog`}>Changelog</a>
        <a href={`${ROOT}/openapi.json`}>OpenAPI</a>
        {access.kind === 'inside' ? <a href={BASE}>Console</a> : null}
        {access.kind === 'outside' && access.console ? (
          <a href={BASE} target="_blank" rel="opener">
            Sign in
          </a>
        ) : null}
        <ThemeChoice />
      </nav>
    </header>
  )
}

/** What an operation does; what else there is to know of it stands on its page. */
function inMenu(summary: string): string {
  return summary.split(';', 1).join('')
}

function Pages({ document: api }: { readonly document: ApiDocument }): ReactNode {
  const hash = useNamed()
  const place = useRef<HTMLElement>(null)
  const shown = useMemo(
    // Behind a dot stands a field of the operation.
    () =>
      api.groups
        .flatMap(({ operations }) => operations)
        .find(({ id }) => id === hash.split('.')[0]),
    [api, hash],
  )
  useEffect(() => {
    document.title = `${shown?.summary ?? 'API reference'} · Tenon`
    const field = hash.includes('.') ? document.getElementById(hash) : null
    if (field !== null) {
      field.scrollIntoView()
      return
    }
    if (hash !== 'main') window.scrollTo(0, 0)
    // Screen readers and the keyboard go on at what was asked for.
    if (shown !== undefined) place.current?.querySelector('h1')?.focus({ preventScroll: true })
  }, [shown, hash])
  return (
    <div className="reference">
      <Side label="Operations">
        {api.groups.map(({ name, operations }) => (
          <section key={name}>
            <h2>{name}</h2>
            <ul>
              {operations.map(({ id, method, summary }) => (
                <li key={id}>
                  <a href={`#${id}`} {...currentIf(id === shown?.id)}>
                    <Method of={method} />
                    <span>{inMenu(summary)}</span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </Side>
      <main id="main" ref={place}>
        {shown === undefined ? (
          <>
            {hash === '' ? null : (
              <div className="reference-page not-there">
                <NothingCalled name={hash} what="operation" shown="all of them are below" />
              </div>
            )}
            <Overview document={api} />
          </>
        ) : (
          <OperationView key={shown.id} document={api} operation={shown} />
        )}
      </main>
    </div>
  )
}
