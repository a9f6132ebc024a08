// `headers`: headers of any name.
import { headerValue } from '../../expression/text-value.ts'
import type { Entry } from '../manifest.ts'
import type { TemplateMapSource } from '../source.ts'
import type { CredentialPlace } from './place.ts'

export const headers: CredentialPlace<TemplateMapSource, readonly Entry[]> = {
  resolve: (source, place) => place.headers(source),
  carried: (entries) =>
    entries.map(({ name, value }) => ({
      in: 'header',
      name: name.toLowerCase(),
      values: [{ template: value, put: headerValue }],
      write: ([text]) => text,
      read: (header) => [header],
    })),
  headerNames: (source) => Object.keys(source),
}
