// Which token a token or a connect link was made with, so that the one ends with the other.
import type { Migration } from './migration.ts'

export const makers: Migration = {
  name: 'makers',
  statements: ({ text }) => [
    `alter table token add column made_by ${text}`,
    `alter table connect_session add column made_by ${text}`,
  ],
}
