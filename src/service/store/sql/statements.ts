// The statements that most groups consist of: rows found, inserted, changed and removed by what their members are.
import {
  type CompiledQuery,
  type Expression,
  expressionBuilder,
  type Kysely,
  type RawBuilder,
  sql,
  type SqlBool,
} from 'kysely'
import type { StoreDatabase, Wide } from './database.ts'
import type { Executor, TableName, Tables } from './schema.ts'

/** One table of any columns: the types of the functions here say which. */
interface AnyTables {
  readonly table: Record<string, unknown>
}

const eb = expressionBuilder<AnyTables, 'table'>()

/** What a member is compared with, where it is not to be equal to a value. */
class Comparison<V> {
  readonly operator: '>' | '<' | '<=' | 'in' | 'is not'
  readonly value: V | readonly V[] | Expression<V>

  constructor(operator: Comparison<V>['operator'], value: Comparison<V>['value']) {
    this.operator = operator
    this.value = value
  }
}

type Compare = <V>(value: V | Expression<V>) => Comparison<V>

export const above: Compare = (value) => new Comparison('>', value)
export const below: Compare = (value) => new Comparison('<', value)
export const atMost: Compare = (value) => new Comparison('<=', value)

export function oneOf<V>(values: readonly V[]): Comparison<V> {
  return new Comparison('in', values)
}

export const SOMETHING: Comparison<never> = new Comparison<never>('is not', sql<never>`null`)
const ANYTHING: Comparison<never> = new Comparison<never>('in', [])

/** A value that may be left out: then the member may be anything. */
export function given<V>(value: V | undefined): V | Comparison<never> {
  return value === undefined ? ANYTHING : value
}

export type Where<T extends TableName> = {
  readonly [M in keyof Tables[T]]?: Tables[T][M] | Comparison<Tables[T][M]>
}

/** One or several: then all of them hold. */
export type Wheres<T extends TableName> = Where<T> | readonly Where<T>[]

type Values<Row> = { readonly [M in keyof Row]: Row[M] | Expression<Row[M]> }

interface Order<T extends TableName> {
  readonly by: readonly (keyof Tables[T] & string)[]
  readonly isDescending?: boolean
  readonly limit?: number
}

/** Those that are undefined are left as they are. */
export type Changes<Row> = { readonly [M in keyof Row]?: Row[M] | Expression<Row[M]> | undefined }

/** Throws a TypeError where a member is undefined: a condition that got lost would show the rows of others. */
export function matching<T extends TableName>(where: Wheres<T>): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = []
  for (const each of Array.isArray(where) ? where : [where])
    for (const [member, value] of Object.entries<unknown>(each)) {
      if (value === undefined) throw new TypeError(`a statement does not say what ${member} is`)
      if (value === ANYTHING) continue
      if (!(value instanceof Comparison))
        conditions.push(eb(member, value === null ? 'is' : '=', value))
      // PostgreSQL knows no empty list.
      else if (Array.isArray(value.value) && value.value.length === 0)
        conditions.push(sql<SqlBool>`1 = 0`)
      else conditions.push(eb(member, value.operator, value.value))
    }
  return eb.and(conditions)
}

export function oneMore(member: string): RawBuilder<number> {
  return sql<number>`${sql.ref(member)} + 1`
}

/** The rows of the tables, as one transaction sees them, or everybody. */
export class Rows {
  /** For statements that are of no form here. */
  readonly db: Executor
  readonly database: StoreDatabase
  /** The types of the functions here hold what they are called with against the table. */
  readonly #any: Kysely<AnyTables>

  constructor(database: StoreDatabase, db: Executor = database.db) {
    this.db = db
    this.database = database
    this.#any = db as unknown as Kysely<AnyTables>
  }

  /** `StoreDatabase.transaction`. */
  async transaction<R>(run: (tx: Rows) => Promise<R>): Promise<R> {
    return await this.database.transaction((tx) => run(new Rows(this.database, tx)))
  }

  /** `StoreDatabase.now`. */
  now(ms = 0): RawBuilder<number> {
    return this.database.now(ms)
  }

  async find<T extends TableName>(table: T, where: Wheres<T>): Promise<Tables[T] | null> {
    const query = this.#any.selectFrom(named(table)).selectAll().where(matching(where))
    return ((await query.executeTakeFirst()) as Tables[T] | undefined) ?? null
  }

  /** The row and the time, locked until the transaction ends. SQLite has one writer at a time anyway. */
  async lock<T extends TableName>(
    table: T,
    where: Wheres<T>,
  ): Promise<(Tables[T] & { readonly now: number }) | null> {
    const query = this.#any
      .selectFrom(named(table))
      .selectAll()
      .select(this.now().as('now'))
      .where(matching(where))
    const locking = this.database.kind === 'postgres' ? query.forUpdate() : query
    const row = await locking.executeTakeFirst()
    return (row as (Tables[T] & { readonly now: number }) | undefined) ?? null
  }

  /** Rows in the order of members, or in the opposite order. */
  async list<T extends TableName>(
    table: T,
    where: Wheres<T>,
    order: Order<T>,
  ): Promise<readonly Tables[T][]> {
    return (await this.#listing(table, where, order).execute()) as unknown as readonly Tables[T][]
  }

  /** The same from every part of the table, see `StoreDatabase.wide`. */
  async listWide<T extends TableName>(
    table: T,
    where: Wheres<T>,
    order: Order<T> & { readonly limit: number },
  ): Promise<Wide<Tables[T]>> {
    const query = this.#listing(table, where, order).compile() as unknown as CompiledQuery<
      Tables[T]
    >
    const found = await this.database.wide(query, table)
    return { ...found, rows: inOrder(found.rows, order.by, order.limit) }
  }

  #listing<T extends TableName>(table: T, where: Wheres<T>, order: Order<T>) {
    const { by, isDescending = false, limit } = order
    let query = this.#any.selectFrom(named(table)).selectAll().where(matching(where))
    for (const member of by) query = query.orderBy(member, isDescending ? 'desc' : 'asc')
    return limit === undefined ? query : query.limit(limit)
  }

  async insert<T extends TableName>(table: T, row: Values<Tables[T]>): Promise<void> {
    await this.#any.insertInto(named(table)).values(row).execute()
  }

  /** False: there is a row with this key, which stays as it is. */
  async insertNew<T extends TableName>(table: T, row: Values<Tables[T]>): Promise<boolean> {
    const adding = this.#any.insertInto(named(table)).values(row)
    const { numInsertedOrUpdatedRows: count } = await adding
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    return Number(count) > 0
  }

  /** How many rows are changed. */
  async update<T extends TableName>(
    table: T,
    where: Wheres<T>,
    changes: Changes<Tables[T]>,
  ): Promise<number> {
    const query = this.#any.updateTable(named(table)).set(changes).where(matching(where))
    return Number((await query.executeTakeFirstOrThrow()).numUpdatedRows)
  }

  /** The row after the change; null: there is none. */
  async change<T extends TableName>(
    table: T,
    where: Wheres<T>,
    changes: Changes<Tables[T]>,
  ): Promise<Tables[T] | null> {
    const query = this.#any.updateTable(named(table)).set(changes).where(matching(where))
    const row = await query.returningAll().executeTakeFirst()
    return (row as Tables[T] | undefined) ?? null
  }

  /** How many rows are removed. */
  async remove<T extends TableName>(table: T, where: Wheres<T>): Promise<number> {
    const query = this.#any.deleteFrom(named(table)).where(matching(where))
    return Number((await query.executeTakeFirstOrThrow()).numDeletedRows)
  }

  /** The same from every part of the table, see `StoreDatabase.wide`. */
  async removeWide<T extends TableName>(table: T, where: Wheres<T>): Promise<number> {
    const query = this.#any.deleteFrom(named(table)).where(matching(where)).compile()
    return (await this.database.wide(query, table)).removed
  }
}

/** Rows of several parts, of which each has given as many as were asked for in this order. */
export function inOrder<Row extends object>(
  rows: readonly Row[],
  by: readonly (keyof Row)[],
  limit: number,
): readonly Row[] {
  const sorted = rows.toSorted((a, b) => {
    const member = by.find((name) => a[name] !== b[name])
    return member === undefined ? 0 : a[member] < b[member] ? -1 : 1
  })
  return sorted.slice(0, limit)
}

function named(table: TableName): 'table' {
  return table as string as 'table'
}

/** A row without members that only its table has. */
export function without<Row extends object, M extends keyof Row>(
  row: Row | null,
  ...members: readonly M[]
): Omit<Row, M> | null {
  if (row === null) return null
  const rest: Partial<Row> = {}
  // A member of the row has a name of the row's.
  for (const name in row) if (!members.includes(name as never)) rest[name] = row[name]
  // What was left out is all that is missing.
  return rest as Omit<Row, M>
}
