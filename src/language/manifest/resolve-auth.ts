// Authentication methods: what credentials they have, where these go, and how access is got with them.
import type { Text } from '../expression/syntax.ts'
import { resolveAccess } from './access/all-access.ts'
import { resolveApply } from './credential-places/places.ts'
import type { PlacedMethod } from './draft.ts'
import { resolveInput } from './input-schema.ts'
import type { AuthMethod } from './manifest.ts'
import { type RequestDefaults, resolveRequest } from './resolve-request.ts'
import type { Resolver, Site } from './resolver.ts'
import { orNull } from './or-null.ts'
import type { BaseUrlSource } from './source.ts'

/** Resolves one method. `requests`: what holds for every request. */
export function resolveMethod(
  { name, at, source }: PlacedMethod,
  resolver: Resolver,
  requests: RequestDefaults,
): AuthMethod {
  const site = resolver.site('auth', at, { method: name })
  return {
    name,
    title: source.title ?? null,
    description: source.description ?? null,
    credentials: resolveInput(source.credentials, site.in('credentials')),
    urls: orNull(source.server, ({ url }) => resolveUrls(url, site.in('server', 'url'))),
    derive: Object.entries(source.derive ?? {}).map(([setting, value]) => ({
      setting: setting.slice('config.'.length),
      value: site.in('derive', setting).template(value, 'derive'),
    })),
    apply: resolveApply(source.apply, site.in('apply'), requests.style),
    ...resolveAccess(source, site, {
      style: requests.style,
      resolve: (request, at, auth) => resolveRequest(request, at, requests, auth),
    }),
  }
}

/** Resolves one base URL or several. */
export function resolveUrls(url: BaseUrlSource, site: Site): readonly Text[] {
  if (typeof url === 'string') return [site.text(url, 'server.url')]
  return url.map((candidate, index) => site.in(index).text(candidate, 'server.url'))
}
