// The shape of the words that demo data is made of.
import type { Json } from '../../language/json/json.ts'
import type { DocumentPath, InnerSpan } from '../../language/manifest/document.ts'
import type { TreeRules } from './demo-trees.ts'
import type { MakeValue } from './world.ts'

/** What compiling a value needs to know, and where its findings go. */
export interface DemoCompiler {
  /** Names of the sets, and of the forms of each. */
  readonly sets: ReadonlyMap<string, ReadonlySet<string>>
  /** How documents are written as text, by name. */
  readonly trees: ReadonlyMap<string, TreeRules>
  /** How times are written where nothing else is said. */
  readonly timeFormat: string
  problem(
    at: DocumentPath,
    message: string,
    options?: {
      readonly hint?: string | null
      readonly part?: 'key' | 'value'
      readonly inner?: InnerSpan
    },
  ): void
}

/** One word of the vocabulary: `{ $int: [1, 5] }`. */
export interface Directive {
  /** Members that may stand beside it. */
  readonly options?: readonly string[]
  compile(argument: Json, place: DirectivePlace): MakeValue
}

/** Where a directive stands, and how it compiles what is inside it. */
export interface DirectivePlace {
  readonly at: DocumentPath
  /** Names the spot in the document: with the row it makes every draw a draw of its own. */
  readonly spot: string
  readonly compiler: DemoCompiler
  /** The value beside the directive; undefined when it is not there. */
  option(name: string): Json | undefined
  compile(value: Json, ...steps: (string | number)[]): MakeValue
  fail(message: string, hint?: string): MakeValue
}
