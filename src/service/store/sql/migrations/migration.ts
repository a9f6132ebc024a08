// One step of the schema. Steps are only ever added: a step that was released is never edited.

/** What a database calls the types of the schema. */
export interface ColumnTypes {
  /** Compared byte by byte. */
  readonly text: string
  /** 64 bits. */
  readonly integer: string
  readonly bytes: string
  /** What follows the columns of a table. */
  readonly options: string
}

export interface Migration {
  readonly name: string
  /** SQL statements, run in order within the one transaction of all pending steps. */
  readonly statements: (types: ColumnTypes) => readonly string[]
}
