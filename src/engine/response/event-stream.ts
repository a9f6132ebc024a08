// Server-sent events as they arrive. Source: WHATWG HTML, section 9.2 (server-sent events).

/** Takes an event stream apart, piece by piece. Only what events say is kept: their ids and names are of no use here. */
export class EventStream {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #data: string[] = []

  /** The data of the events that this piece completes. */
  read(piece: Uint8Array): readonly string[] {
    const lines = (this.#rest + this.#decoder.decode(piece, { stream: true })).split(LINE_END)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#take(line))
  }

  #take(line: string): readonly string[] {
    if (line !== '') {
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (field === 'data') this.#data.push(value)
      return []
    }
    const data = this.#data
    this.#data = []
    return data.length === 0 ? [] : [data.join('\n')]
  }
}

/** A return at the end of a piece may be half of a line end. */
const LINE_END = /\r\n|\n|\r(?!$)/
