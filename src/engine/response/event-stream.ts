// Server-sent events as they arrive. Source: WHATWG HTML, section 9.2 (server-sent events).

/** One event. */
export interface StreamEvent {
  readonly data: string
  /** The id that this event or one before it has; null: there was none. */
  readonly id: string | null
}

/** Takes an event stream apart, piece by piece, in a time that grows with its length. Names of events are not kept. */
export class EventStream {
  readonly #decoder = new TextDecoder()
  /** The pieces of the line that has not ended yet. */
  #rest: string[] = []
  #endsInReturn = false
  #data: string[] = []
  #id: string | null = null
  #lastId: string | null = null
  #retryMs: number | null = null

  /** The id of the last event, also of one without data: where the stream can be taken up again; null: nowhere. */
  get lastId(): string | null {
    return this.#lastId
  }

  /** How long the server wants to be left alone before that; null: it did not say. */
  get retryMs(): number | null {
    return this.#retryMs
  }

  /** The events with data that this piece completes. */
  read(piece: Uint8Array): readonly StreamEvent[] {
    const decoded = this.#decoder.decode(piece, { stream: true })
    if (decoded === '') return []
    // A return at the end of a piece has ended its line; the line feed behind it is a part of that end.
    const text = this.#endsInReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded
    this.#endsInReturn = text.endsWith('\r')
    const lines = text.split(LINE_END)
    const open = lines.pop() ?? ''
    const events = lines.flatMap((line) => {
      const whole = this.#rest.length === 0 ? line : this.#rest.join('') + line
      this.#rest = []
      return this.#take(whole)
    })
    if (open !== '') this.#rest.push(open)
    return events
  }

  #take(line: string): readonly StreamEvent[] {
    if (line !== '') {
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (field === 'data') this.#data.push(value)
      else if (field === 'id' && !value.includes('\0')) this.#id = value
      else if (field === 'retry' && /^\d{1,9}$/.test(value)) this.#retryMs = Number(value)
      return []
    }
    const data = this.#data
    this.#data = []
    this.#lastId = this.#id === '' ? null : this.#id
    return data.length === 0 ? [] : [{ data: data.join('\n'), id: this.#lastId }]
  }
}

const LINE_END = /\r\n|\n|\r/
