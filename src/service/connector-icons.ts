// Pictures of connectors that the operator brought, for people who look at the console and the connect page.
import type { Mounts } from './http/site.ts'
import { pathUnknown } from './http/site.ts'

export interface ConnectorIcon {
  readonly type: 'image/svg+xml' | 'image/png'
  readonly bytes: Buffer
  readonly etag: string
}

/** By connector type. */
export type ConnectorIcons = ReadonlyMap<string, ConnectorIcon>

/**
 * Pages show these files as `<img>`, where no script of an SVG runs and nothing is loaded. When such a file is opened
 * as a page of its own, this holds it to the same.
 */
const HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, max-age=300',
}

/** Mounts `<at>/icons/{connector_type}`, for everybody. */
export function mountIcons(site: Mounts, at: '/console' | '/connect', icons: ConnectorIcons): void {
  site.on('GET', `${at}/icons/{connector_type}`, ({ arrival, path }) => {
    const icon = icons.get(path['connector_type'] ?? '')
    if (icon === undefined) throw pathUnknown()
    const { type, bytes, etag } = icon
    const headers = { ...HEADERS, etag }
    if (arrival.headers['if-none-match'] === etag) return { status: 304, headers, content: null }
    return {
      status: 200,
      headers: { 'content-type': type, ...headers },
      content: { before: '', bytes, after: '' },
    }
  })
}
