// `query`: query parameters of any name.
import type { Entry } from '../manifest.ts'
import type { TemplateMapSource } from '../source.ts'
import type { CredentialPlace } from './place.ts'

export const query: CredentialPlace<TemplateMapSource, readonly Entry[]> = {
  resolve: (source, place) => place.query(source),
  carried: (entries) => entries.map((entry) => ({ in: 'query', ...entry })),
}
