// The tables of one instance's copies in SQLite: one file per instance, so rows need no instance of their own.
import { type Dialect, SLOT_COLUMNS } from '../sql/dialect.ts'
import { listOf, plain, sql } from '../sql/sql.ts'
import { fts5Text } from '../sql/word-query.ts'

/**
 * A record's row number is scope_no · 2^40 + seq: the full-text tables hand out row numbers for nothing, and walk them
 * in the order of arrival. Documents come last, so that reading the other columns does not walk through them.
 */
export const SQLITE_TABLES: string = `
CREATE TABLE IF NOT EXISTS replica_scope (
  instance_id TEXT NOT NULL, entity TEXT NOT NULL, epoch INTEGER NOT NULL, scope_no INTEGER NOT NULL UNIQUE,
  serving INTEGER NOT NULL, layout_hash TEXT NOT NULL, layout TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 0,
  next_seq INTEGER NOT NULL DEFAULT 1, live INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0,
  mixed INTEGER NOT NULL DEFAULT 0, complete INTEGER NOT NULL DEFAULT 0, synced_at INTEGER,
  facts TEXT NOT NULL DEFAULT '', owner TEXT NOT NULL DEFAULT '', fence INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER NOT NULL DEFAULT 0, settings TEXT NOT NULL DEFAULT '',
  generation TEXT NOT NULL DEFAULT '', traced INTEGER NOT NULL DEFAULT 0, forgotten INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (instance_id, entity, epoch)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS replica_record (
  row INTEGER PRIMARY KEY, scope_no INTEGER NOT NULL, record_id TEXT NOT NULL, doc_hash BLOB NOT NULL,
  ${SLOT_COLUMNS.map((slot) => `${slot} TEXT,`).join(' ')} lift TEXT, parent_id TEXT,
  observed_at INTEGER NOT NULL, held_until INTEGER NOT NULL, folded TEXT,
  changed INTEGER NOT NULL DEFAULT 0, added INTEGER NOT NULL DEFAULT 0, doc TEXT NOT NULL,
  UNIQUE (scope_no, record_id)
) STRICT;
CREATE TABLE IF NOT EXISTS replica_removed (
  scope_no INTEGER NOT NULL, record_id TEXT NOT NULL, seq INTEGER NOT NULL, doc_hash BLOB NOT NULL, parent_id TEXT,
  observed_at INTEGER NOT NULL, held_until INTEGER NOT NULL, removed_run TEXT NOT NULL, removed_at INTEGER NOT NULL,
  changed INTEGER NOT NULL DEFAULT 0, doc TEXT NOT NULL, PRIMARY KEY (scope_no, record_id)
) STRICT;
CREATE TABLE IF NOT EXISTS replica_term (
  scope_no INTEGER NOT NULL, term TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (scope_no, term)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sync_seen (
  instance_id TEXT NOT NULL, entity TEXT NOT NULL, run_id TEXT NOT NULL, chunk_no INTEGER NOT NULL, bits BLOB NOT NULL,
  PRIMARY KEY (instance_id, entity, run_id, chunk_no)
) STRICT;
CREATE TABLE IF NOT EXISTS sync_todo (
  instance_id TEXT NOT NULL, entity TEXT NOT NULL, parent_id TEXT NOT NULL, mark INTEGER NOT NULL,
  not_before INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (instance_id, entity, parent_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sync_entry (
  instance_id TEXT NOT NULL, entity TEXT NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (instance_id, entity, name)
) STRICT;
`

/** Columns that files of earlier versions lack. */
export const SQLITE_ADDED_COLUMNS: readonly (readonly [
  table: string,
  column: string,
  type: string,
])[] = [
  ['replica_scope', 'settings', "TEXT NOT NULL DEFAULT ''"],
  ['replica_scope', 'generation', "TEXT NOT NULL DEFAULT ''"],
  ['replica_scope', 'traced', 'INTEGER NOT NULL DEFAULT 0'],
  ['replica_scope', 'forgotten', 'INTEGER NOT NULL DEFAULT 0'],
  ['replica_record', 'changed', 'INTEGER NOT NULL DEFAULT 0'],
  ['replica_record', 'added', 'INTEGER NOT NULL DEFAULT 0'],
  ['replica_removed', 'changed', 'INTEGER NOT NULL DEFAULT 0'],
]

/** Made once every column is there. */
export const SQLITE_INDEXES: string = `
${SLOT_COLUMNS.map((slot) => `CREATE INDEX IF NOT EXISTS replica_${slot} ON replica_record (scope_no, ${slot}) WHERE ${slot} IS NOT NULL;`).join('\n')}
CREATE INDEX IF NOT EXISTS replica_parent ON replica_record (scope_no, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS replica_changed ON replica_record (scope_no, changed);
CREATE INDEX IF NOT EXISTS replica_removed_run ON replica_removed (scope_no, removed_run);
CREATE INDEX IF NOT EXISTS replica_removed_changed ON replica_removed (scope_no, changed, seq);
CREATE INDEX IF NOT EXISTS replica_term_version ON replica_term (scope_no, version);
`

/**
 * The full-text tables; removed words leave the file at once. A batch is one segment (16 MiB of words fit), and eight
 * of a size are merged instead of four: a third less work in a first load, and a word is still found in few places.
 */
export const SQLITE_WORD_TABLES: string = `
CREATE VIRTUAL TABLE words USING fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii');
CREATE VIRTUAL TABLE parts USING fts5(sub, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
${['words', 'parts'].map((table) => `INSERT INTO ${table} (${table}, rank) VALUES ('secure-delete', 1), ('hashsize', 16777216), ('automerge', 8);`).join('\n')}
`

/** Room for this many records in one copy. */
const ROWS_PER_SCOPE = 2 ** 40

export function rowNumber(scopeNo: number, seq: number): number {
  return scopeNo * ROWS_PER_SCOPE + seq
}

const WORDS_MATCH = plain('words MATCH')

function quoted(literal: string): string {
  return `"${literal.replaceAll('"', '""')}"`
}

export const SQLITE_DIALECT: Dialect = {
  inScope: (scope, table) => sql`${plain(table)}.scope_no = ${scope.scopeNo}`,
  // The plus sign keeps the index on scope and id from being preferred to the walk by row number.
  inWalkedScope: (scope) => sql`+r.scope_no = ${scope.scopeNo}`,
  scopeColumns: plain('scope_no'),
  wordTables: [plain('words'), plain('parts')],
  seq: plain('r.row'),
  toStored: (scope, seq) => rowNumber(scope.scopeNo, seq),
  fromStored: (scope, stored) => Number(stored) - rowNumber(scope.scopeNo, 0),
  lifted: (lift) => plain(`(r.lift ->> '$."${lift}"')`),
  folded: (lift) => plain(`(r.folded ->> '$."${lift}"')`),
  isIn: (expression, values) =>
    values.length === 1
      ? sql`${expression} = ${values[0] ?? ''}`
      : sql`${expression} IN (${listOf(values)})`,
  hasWords: (query) =>
    sql`r.row IN (SELECT rowid FROM words WHERE ${WORDS_MATCH} ${fts5Text(query)})`,
  ofRare: () => null,
  correlated: (condition) => condition,
  hasPart: (literal) =>
    sql`r.row IN (SELECT rowid FROM parts WHERE parts MATCH ${quoted(literal)})`,
  led: (query) => ({
    from: plain('words CROSS JOIN replica_record r ON r.row = words.rowid'),
    where: sql`${WORDS_MATCH} ${fts5Text(query)}`,
    seq: plain('words.rowid'),
  }),
  ledByPart: (literal) => ({
    from: plain('parts CROSS JOIN replica_record r ON r.row = parts.rowid'),
    where: sql`parts MATCH ${quoted(literal)}`,
    seq: plain('parts.rowid'),
  }),
  records: plain('replica_record r'),
  documentsOf: (scope, numbers) =>
    sql`SELECT p.seq, r.record_id, r.doc FROM (${numbers}) p JOIN replica_record r ON +r.scope_no = ${scope.scopeNo} AND r.row = p.seq ORDER BY p.seq DESC`,
  recordsBy: (index) =>
    plain(`replica_record r ${index === null ? 'NOT INDEXED' : `INDEXED BY ${index}`}`),
  each: (values) => ({
    from: sql`json_each(${JSON.stringify(values)}) AS each`,
    value: plain('each.value'),
  }),
  hasLateral: false,
  maxSortedAlong: 0,
  window: 20_000,
}
