// The reference of the API: the OpenAPI document as pages, and the table of error codes.
import { REMEDIES } from '../../display/error-remedies.ts'
import { type ErrorCode, ERRORS } from '../../errors.ts'
import { html, plainPage } from '../connect/html.ts'
import type { Mounts } from '../http/site.ts'
import { type BuiltPages, isConsoleBuilt, mountBuiltPages, PAGE_HEADERS } from './console-pages.ts'

const DOCS: BuiltPages = {
  at: '/docs',
  called: 'The API reference',
  page: 'reference.html',
  paths: ['/docs', '/docs/errors'],
}

/**
 * Mounts `/docs`, which reads `/openapi.json` and sends requests with the session of the console, and `/docs/errors`.
 * Without the built files the table of errors is still there: every error of the command line ends with its address.
 */
export function mountDocs(site: Mounts, folder: string, isCheckout: boolean): void {
  mountBuiltPages(site, DOCS, folder, isCheckout)
  if (isConsoleBuilt(folder, DOCS.page)) return
  const headers = { ...PAGE_HEADERS, 'content-type': 'text/html; charset=utf-8' }
  const content = errorsPage()
  site.on(['GET', 'HEAD'], '/docs/errors', () => ({ status: 200, headers, content }))
}

function errorsPage(): string {
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const { status, origin, title } = ERRORS[code]
    return html`<tr id="${code}">
      <td><code>${code}</code></td>
      <td>${status ?? '–'}</td>
      <td>${origin}</td>
      <td>${title}</td>
      <td>${REMEDIES[code]}</td>
    </tr>`
  })
  return plainPage(
    'Error codes',
    html`<h1>Error codes</h1>
      <table>
        <tr>
          <th>Code</th>
          <th>Status</th>
          <th>Who has to act</th>
          <th>Meaning</th>
          <th>What to do</th>
        </tr>
        ${rows}
      </table>`,
  )
}
