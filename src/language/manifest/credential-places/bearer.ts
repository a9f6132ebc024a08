// `bearer`: a token in Authorization. Source: RFC 6750.
import type { Template } from '../../expression/syntax.ts'
import { headerValue } from '../../expression/text-value.ts'
import type { CredentialPlace } from './place.ts'

export const bearer: CredentialPlace<string, Template | null> = {
  resolve: (source, place) => (source === undefined ? null : place.template(source)),
  carried: (template) =>
    template === null
      ? []
      : [
          {
            in: 'header',
            name: 'authorization',
            values: [{ template, put: headerValue }],
            write: ([token]) => (token === undefined ? undefined : `Bearer ${token}`),
            read: (header) => /^Bearer (.+)$/i.exec(header)?.slice(1),
            tokenType: 'bearer',
          },
        ],
}
