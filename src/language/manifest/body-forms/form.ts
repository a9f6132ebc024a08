// `form`: names and values as a browser sends them.
import type { Entry } from '../manifest.ts'
import type { BodyForm } from './body-form.ts'

interface FormBody {
  readonly kind: 'form'
  readonly entries: readonly Entry[]
}

export const form: BodyForm<'form', FormBody> = {
  kind: 'form',
  sent: { as: 'a form', fits: /x-www-form-urlencoded/i },
  arrivesAs: 'text',
  entries: ({ entries }) => entries,
  bodyOf: (entries) => ({ kind: 'form', entries }),
  data: ({ entries }) => ({
    kind: 'object',
    members: entries.map(({ name, value }) => [name, value]),
  }),
  compile({ entries }, compileEntries) {
    const render = compileEntries(entries)
    return (scope, refusals) => ({
      content: render(scope, refusals),
      type: 'application/x-www-form-urlencoded',
    })
  },
  read: ({ entries }, sent) => sent.form(entries),
}
