// Which version of its connector a consent is for: two majors may send the user to different places.
import type { Migration } from './migration.ts'

export const consentVersions: Migration = {
  name: 'consent-versions',
  statements: ({ text }) => [`alter table oauth_state add column connector_version ${text}`],
}
