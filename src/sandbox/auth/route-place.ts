// Where a vendor answers a request of a manifest.
import type { Text } from '../../language/expression/syntax.ts'
import type { RequestTemplate } from '../../language/manifest/manifest.ts'
import type { VendorParts } from '../answer/vendor-call.ts'
import { basePaths } from '../wire/routes.ts'

/** Method, paths and whether it needs credentials. */
export interface RoutePlace {
  readonly method: string
  readonly paths: readonly (readonly Text[])[]
  readonly open: boolean
}

/** The place of a request, below every base URL. */
export function placeOf(request: RequestTemplate, vendor: VendorParts): RoutePlace {
  const bases = request.origin === null ? basePaths(vendor.manifest, vendor.known) : [[]]
  return {
    method: request.method,
    paths: bases.map((base) =>
      base.length + request.path.length === 0 ? [['']] : [...base, ...request.path],
    ),
    open: request.auth === 'none',
  }
}
