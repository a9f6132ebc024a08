// The two files of Handlebars that the parser of expressions needs, and the part of its syntax tree that it reads.
// The public `parse` would not do: its lexer refuses `list.0`, and it nests as deeply as a text says. Loading these two
// files takes 5 ms and 0.9 MB, loading the package 28 ms and 2.1 MB, at every start of a command.

declare module 'handlebars/dist/cjs/handlebars/compiler/parser.js' {
  /** A position; lines from 1, columns from 0. */
  interface Location {
    readonly first_line: number
    readonly first_column: number
    readonly last_line: number
    readonly last_column: number
  }
  interface Lexer {
    readonly yylloc: Location
    readonly yytext: string
    /** The next token's number, or undefined when a piece was skipped. */
    next(): number | undefined
    unput(text: string): void
  }
  interface Parser {
    lexer: Lexer
    yy: object
    /** Numbers of tokens by name. */
    readonly symbols_: Readonly<Record<string, number>>
    parseError: (message: string, details: { readonly token: string }) => never
    parse(source: string): unknown
  }
  const parser: Parser
  export default parser
}

declare module 'handlebars/dist/cjs/handlebars/compiler/helpers.js' {
  /** Functions by which the parser makes the nodes of its tree. */
  const nodes: object
  export default nodes
}
