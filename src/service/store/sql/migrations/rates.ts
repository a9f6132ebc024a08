// What is used of the rates of third parties, for all processes, and whom they asked for silence.
import type { Migration } from './migration.ts'

export const rates: Migration = {
  name: 'rates',
  statements: ({ text, integer, options }) => [
    `create table rate_use (
      owner_id ${text} not null,
      period_ms ${integer} not null,
      slice ${integer} not null,
      used ${text} not null,
      version ${integer} not null,
      expires_at ${integer} not null,
      primary key (owner_id, period_ms)
    ) ${options}`,
    `create table rate_block (
      owner_id ${text} not null primary key,
      blocked_until ${integer} not null
    ) ${options}`,
  ],
}
