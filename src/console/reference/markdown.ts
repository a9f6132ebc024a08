// The Markdown of the documentation as the tree that marked makes of it, and what our pages need beyond that.
import { Lexer, type MarkedToken, type Token } from 'marked'

export function readMarkdown(text: string): readonly MarkedToken[] {
  return tokensIn({ tokens: new Lexer().lex(text) })
}

/** What a token has in it; its reader is not extended, so that there are none but its own. */
export function tokensIn({ tokens = [] }: { readonly tokens?: Token[] }): readonly MarkedToken[] {
  return tokens as MarkedToken[]
}

/** All blocks in their order, those within lists and quotes too. */
export function* blocksIn(blocks: readonly MarkedToken[]): Generator<MarkedToken> {
  for (const block of blocks) {
    yield block
    if (block.type === 'blockquote') yield* blocksIn(tokensIn(block))
    if (block.type === 'list') for (const item of block.items) yield* blocksIn(tokensIn(item))
  }
}

/** Of a heading as it is written, as GitHub and the site spell it. */
export function anchorOf(title: string): string {
  const words = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
  return words
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

/** The id of `<a id="…">`, a place that links lead to. */
export function idIn({ raw }: MarkedToken): string | undefined {
  return /^<a id="([^"]+)">/.exec(raw)?.[1]
}

/** The words alone. */
export function wordsIn(tokens: readonly MarkedToken[]): string {
  return tokens.map(wordsOf).join('')
}

function wordsOf(token: MarkedToken): string {
  if ('tokens' in token && token.tokens !== undefined) return wordsIn(tokensIn(token))
  if (token.type === 'text') return plain(token.text)
  // Comments and anchors are not seen; other markup is text.
  if (token.type === 'html') return /^(?:<!--|<a id=|<\/a>)/.test(token.raw) ? '' : token.raw
  if (token.type === 'br') return '\n'
  return 'text' in token ? token.text : ''
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

function plain(text: string): string {
  return text.replaceAll(/&(lt|gt|amp|quot);/g, (_, name: string) => ENTITIES[name] ?? '')
}
