// The tables of all instances' copies in PostgreSQL. Every key begins with the instance, so that they can be spread by it.
import type { Placement } from '../../database/citus.ts'
import { type Dialect, SLOT_COLUMNS } from '../sql/dialect.ts'
import { allOf, plain, someOf, sql, type Sql } from '../sql/sql.ts'
import { combineWords, tsqueryText, type WordQuery } from '../sql/word-query.ts'

const COPY =
  'instance_id text COLLATE "C" NOT NULL, entity text COLLATE "C" NOT NULL, epoch integer NOT NULL'
const ENTITY = 'instance_id text COLLATE "C" NOT NULL, entity text COLLATE "C" NOT NULL'

/** Safe to run again. Keys are compared by bytes everywhere, whatever the collation of the database. */
export const POSTGRES_SCHEMA: string = `
CREATE SEQUENCE IF NOT EXISTS replica_scope_no;
CREATE TABLE IF NOT EXISTS replica_scope (
  ${COPY}, scope_no bigint NOT NULL, serving integer NOT NULL, layout_hash text NOT NULL, layout text NOT NULL,
  version bigint NOT NULL DEFAULT 0, next_seq bigint NOT NULL DEFAULT 1, live bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0, mixed integer NOT NULL DEFAULT 0, complete integer NOT NULL DEFAULT 0,
  synced_at bigint, facts text NOT NULL DEFAULT '', owner text NOT NULL DEFAULT '', fence bigint NOT NULL DEFAULT 0,
  lease_until bigint NOT NULL DEFAULT 0, settings text NOT NULL DEFAULT '', PRIMARY KEY (instance_id, entity, epoch)
) WITH (fillfactor = 50);
DO $$ BEGIN
  -- Tables of earlier versions; asked first, because ALTER TABLE waits for every search.
  IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'replica_scope'::regclass AND attname = 'settings') THEN
    ALTER TABLE replica_scope ADD COLUMN settings text NOT NULL DEFAULT '';
  END IF;
END $$;
CREATE TABLE IF NOT EXISTS replica_record (
  ${COPY}, record_id text COLLATE "C" NOT NULL, seq bigint NOT NULL, doc_hash bytea NOT NULL,
  ${SLOT_COLUMNS.map((slot) => `${slot} text COLLATE "C",`).join(' ')} lift jsonb, parent_id text COLLATE "C",
  observed_at bigint NOT NULL, held_until bigint NOT NULL, folded jsonb, sub text COLLATE "C", terms tsvector NOT NULL,
  doc text NOT NULL, PRIMARY KEY (instance_id, entity, epoch, record_id)
);
CREATE INDEX IF NOT EXISTS replica_seq ON replica_record (instance_id, entity, epoch, seq);
${SLOT_COLUMNS.map((slot) => `CREATE INDEX IF NOT EXISTS replica_${slot} ON replica_record (instance_id, entity, epoch, ${slot}, seq) WHERE ${slot} IS NOT NULL;`).join('\n')}
CREATE INDEX IF NOT EXISTS replica_parent ON replica_record (instance_id, entity, epoch, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS replica_terms ON replica_record USING gin (terms);
CREATE TABLE IF NOT EXISTS replica_removed (
  ${COPY}, record_id text COLLATE "C" NOT NULL, seq bigint NOT NULL, doc_hash bytea NOT NULL, parent_id text COLLATE "C",
  observed_at bigint NOT NULL, held_until bigint NOT NULL, removed_run text NOT NULL, removed_at bigint NOT NULL,
  doc text NOT NULL, PRIMARY KEY (instance_id, entity, epoch, record_id)
);
CREATE INDEX IF NOT EXISTS replica_removed_run ON replica_removed (instance_id, entity, epoch, removed_run);
CREATE TABLE IF NOT EXISTS replica_term (
  ${COPY}, term text COLLATE "C" NOT NULL, version bigint NOT NULL, PRIMARY KEY (instance_id, entity, epoch, term)
);
CREATE INDEX IF NOT EXISTS replica_term_version ON replica_term (instance_id, entity, epoch, version);
CREATE TABLE IF NOT EXISTS sync_seen (
  ${ENTITY}, run_id text NOT NULL, chunk_no integer NOT NULL, bits bytea NOT NULL,
  PRIMARY KEY (instance_id, entity, run_id, chunk_no)
);
CREATE TABLE IF NOT EXISTS sync_todo (
  ${ENTITY}, parent_id text COLLATE "C" NOT NULL, mark bigint NOT NULL, not_before bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (instance_id, entity, parent_id)
);
CREATE TABLE IF NOT EXISTS sync_entry (
  ${ENTITY}, name text COLLATE "C" NOT NULL, value bytea NOT NULL, PRIMARY KEY (instance_id, entity, name)
);
`

/** What makes parts of texts quick to find. Without these extensions the same is found by looking at every text. */
export const POSTGRES_PARTS = `
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX IF NOT EXISTS replica_parts ON replica_record USING gin (instance_id, sub gin_trgm_ops) WHERE sub IS NOT NULL;
`

/** Tables of copies, in the order in which an instance is deleted from them. */
export const COPY_TABLES = [
  'replica_record',
  'replica_removed',
  'replica_term',
  'sync_seen',
  'sync_todo',
  'sync_entry',
  'replica_scope',
] as const

/** Where they lie on Citus: the copies of an instance together, and apart from everything else. */
export const COPY_PLACEMENTS: Readonly<Record<string, Placement>> = Object.fromEntries(
  COPY_TABLES.toReversed().map((table) => [table, { by: 'instance_id', group: 'copies' }]),
)

/** What PostgreSQL says differently; `hasParts`: whether the index on parts of texts is there. */
export function postgresDialect(
  hasParts: boolean,
  commonTerms: Pick<CommonTerms, 'rarePart'>,
): Dialect {
  const inScope: Dialect['inScope'] = ({ instanceId, entity, epoch }, table) => {
    const at = plain(table)
    return sql`${at}.instance_id = ${instanceId} AND ${at}.entity = ${entity} AND ${at}.epoch = ${epoch}`
  }
  return {
    inScope,
    inWalkedScope: (scope) => inScope(scope, 'r'),
    scopeColumns: plain('instance_id, entity, epoch'),
    wordTables: [],
    seq: plain('r.seq'),
    toStored: (_scope, seq) => seq,
    fromStored: (_scope, stored) => Number(stored),
    lifted: (lift) => plain(`((r.lift ->> '${lift}') COLLATE "C")`),
    folded: (lift) => plain(`((r.folded ->> '${lift}') COLLATE "C")`),
    isIn: (expression, values) =>
      values.length === 1
        ? sql`${expression} = ${values[0] ?? ''}`
        : sql`${expression} = ANY(${values}::text[])`,
    hasWords,
    // Without a limit of its own the planner has nothing but the index to find them by; OFFSET keeps it from looking further.
    ofRare: (query, hinted, scope) => {
      const part = commonTerms.rarePart(query)
      // The index is as quick with all of the words as with the rare ones, but for words that nearly every record has.
      return part === null
        ? null
        : sql`(SELECT r.* FROM replica_record r WHERE ${inScope(scope, 'r')} AND ${hasWords(hinted ? part : query)} OFFSET 0) r`
    },
    // Of a condition in this form the planner supposes that every other record meets it.
    correlated: (condition) => sql`coalesce(${condition}, FALSE)`,
    hasPart: (literal) =>
      hasParts ? sql`r.sub LIKE ${`%${literal.replace(/[%_\\]/g, '\\$&')}%`}` : null,
    led: () => null,
    ledByPart: () => null,
    records: plain('replica_record r'),
    recordsBy: null,
    each: (values) => ({
      from: sql`unnest(${values}::text[]) AS each(value)`,
      value: plain('each.value'),
    }),
    hasLateral: true,
    maxSortedAlong: 200,
    window: null,
  }
}

/** A tsquery holds less than 1 MiB of words; beyond this many terms it is taken apart. */
const MAX_TERMS = 5_000

function hasWords(query: WordQuery): Sql {
  if (countTerms(query) <= MAX_TERMS || query.kind === 'term')
    return sql`r.terms @@ ${tsqueryText(query)}::tsquery`
  if (query.kind === 'without') {
    const [words, others] = query.parts
    return sql`(${hasWords(words)} AND NOT ${hasWords(others)})`
  }
  if (query.kind === 'and') return allOf(query.parts.map(hasWords))
  const some = query.parts.filter((part) => part.kind === 'term')
  const rest = query.parts.filter((part) => part.kind !== 'term')
  const groups: WordQuery[] = []
  for (let at = 0; at < some.length; at += MAX_TERMS)
    groups.push({ kind: 'or', parts: some.slice(at, at + MAX_TERMS) })
  return someOf([...groups, ...rest].map(hasWords))
}

function countTerms(query: WordQuery): number {
  if (query.kind === 'term') return 1
  return query.parts.reduce((sum, part) => sum + countTerms(part), 0)
}

/** Statistics change when the server looks at the table again, which takes minutes. */
const GOOD_FOR_MS = 60_000

/** Terms that many records have, as the statistics of a table name them. */
export class CommonTerms {
  readonly #read: () => Promise<readonly string[]>
  readonly #nowMs: () => number
  #terms: ReadonlySet<string> = new Set()
  #readAtMs = -Infinity

  /** `read`: the common terms, none where there are no statistics: then nothing counts as rare. */
  constructor(read: () => Promise<readonly string[]>, nowMs: () => number) {
    this.#read = read
    this.#nowMs = nowMs
  }

  /** The part of a query that is rare; null where each of its terms is common. The planner supposes one record in 200 of it. */
  rarePart(query: WordQuery): WordQuery | null {
    if (this.#terms.size === 0) return null
    if (query.kind === 'term') return this.#terms.has(query.term) ? null : query
    if (query.kind === 'without') return this.rarePart(query.parts[0])
    const parts = query.parts.map((part) => this.rarePart(part))
    const rare = parts.filter((part) => part !== null)
    if (rare.length === 0 || (query.kind === 'or' && rare.length < parts.length)) return null
    const isWhole = parts.every((part, at) => part === query.parts[at])
    return isWhole ? query : combineWords(query.kind, rare)
  }

  /** Reads the statistics again when it is time; searches need not wait for it. */
  async refresh(): Promise<void> {
    if (this.#nowMs() - this.#readAtMs < GOOD_FOR_MS) return
    this.#readAtMs = this.#nowMs()
    this.#terms = new Set(await this.#read())
  }
}
