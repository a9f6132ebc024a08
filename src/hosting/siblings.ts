// What the processes of one `tenon serve --processes` tell each other, and how each hears from the one that keeps them.
import cluster from 'node:cluster'
import { ConnectorError } from '../errors.ts'

/** What every process can be asked for. */
export interface Asked {
  /** By name; anything but `ok` makes the service not ready. */
  readonly checks: Readonly<Record<string, string>>
  /** In the text form of Prometheus. */
  readonly metrics: string
}

export type Question = keyof Asked

/** What one process said; null: nothing, within the time that there was. */
export interface SiblingAnswer<Q extends Question> {
  /** From 1 on; the one that replaces another has its number. */
  readonly process: number
  readonly value: Asked[Q] | null
}

export interface Answers<Q extends Question> {
  /** Processes that there should be. */
  readonly wanted: number
  readonly answers: readonly SiblingAnswer<Q>[]
}

/** From the one that keeps the processes. `leave`: another one has taken over. `stop`: all of them end. */
export type ToProcess =
  | { readonly tenon: 'leave' | 'stop' }
  | { readonly tenon: 'tell'; readonly id: number; readonly question: Question }
  | { readonly tenon: 'answers'; readonly id: number; readonly answers: Answers<Question> }

/** To it. `listening`: this process takes requests. */
export type FromProcess =
  | { readonly tenon: 'listening' }
  | { readonly tenon: 'ask'; readonly id: number; readonly question: Question }
  | { readonly tenon: 'told'; readonly id: number; readonly value: Asked[Question] }

export type Answering = { readonly [Q in Question]: () => Promise<Asked[Q]> }

export interface ToldOfProcesses {
  readonly checks: Asked['checks']
  readonly processes: { readonly wanted: number; readonly running: number }
}

/** The other processes of this service, seen by one of them. */
export class Siblings {
  readonly #leaving = new AbortController()
  readonly #stopped = new AbortController()
  readonly #asked = new Map<number, (answers: Answers<Question>) => void>()
  #answering: Answering | null = null
  #lastId = 0

  constructor() {
    process.on('message', (message: ToProcess) => this.#hear(message))
  }

  /** The first one of all tells the user where the service is. */
  readonly isFirst: boolean = cluster.worker?.id === 1

  /** Aborted when another process has taken over, and when all of them end. */
  get ending(): AbortSignal {
    return AbortSignal.any([this.#leaving.signal, this.#stopped.signal])
  }

  /** Aborted when all of them end. */
  get stopped(): AbortSignal {
    return this.#stopped.signal
  }

  /** From now on this process takes requests, and answers what it is asked. */
  join(answering: Answering): void {
    this.#answering = answering
    send({ tenon: 'listening' })
  }

  /** What is wrong anywhere, with the number of its process. */
  async checks(): Promise<ToldOfProcesses> {
    const { wanted, answers } = await this.#ask('checks')
    const checks: Record<string, string> = {}
    for (const { process, value } of answers)
      for (const [name, state] of Object.entries(value ?? { process: 'it does not answer' }))
        if (state !== 'ok') checks[name] = `process ${process}: ${state}`
        else checks[name] ??= state
    const running = answers.filter(({ value }) => value !== null).length
    return { checks, processes: { wanted, running } }
  }

  /** Those of all processes, each with its number as the label `process`. */
  async metrics(): Promise<string> {
    const { answers } = await this.#ask('metrics')
    return joinMetrics(answers.map(({ process, value }) => ({ process, text: value ?? '' })))
  }

  async #ask<Q extends Question>(question: Q): Promise<Answers<Q>> {
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<Answers<Question>>()
    this.#asked.set(id, resolve)
    send({ tenon: 'ask', id, question })
    // Each answer is of the question that was asked.
    return (await promise) as Answers<Q>
  }

  #hear(message: ToProcess): void {
    switch (message.tenon) {
      case 'leave':
        this.#leaving.abort()
        return
      case 'stop':
        this.#stopped.abort()
        return
      case 'tell': {
        const { id, question } = message
        this.#answering?.[question]().then(
          (value) => send({ tenon: 'told', id, value }),
          // The caller goes on without this answer, and says so.
          () => {},
        )
        return
      }
      case 'answers':
        this.#asked.get(message.id)?.(message.answers)
        this.#asked.delete(message.id)
    }
  }
}

function send(message: FromProcess): void {
  // The one that keeps the processes is gone: this one ends at once, too.
  process.send?.(message, undefined, undefined, () => {})
}

let own: Siblings | null = null

/** Null: this process is none of several that one command keeps. */
export function siblings(): Siblings | null {
  if (!cluster.isWorker) return null
  return (own ??= new Siblings())
}

/** One text of several: each metric once, its values labelled with the process that they are of. */
export function joinMetrics(
  texts: readonly { readonly process: number; readonly text: string }[],
): string {
  const families = new Map<string, { readonly about: string[]; readonly values: string[] }>()
  for (const { process, text } of texts) {
    let family: { readonly about: string[]; readonly values: string[] } | undefined
    for (const line of text.split('\n')) {
      const name = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1]
      if (name !== undefined) {
        family = families.get(name) ?? { about: [], values: [] }
        families.set(name, family)
        if (!family.about.includes(line)) family.about.push(line)
      } else if (line !== '') family?.values.push(labelled(line, process))
    }
  }
  const lines = [...families.values()].flatMap(({ about, values }) => [...about, ...values])
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

function labelled(line: string, process: number): string {
  const [, name, rest] = /^([^\s{]+)(.*)$/.exec(line) ?? []
  if (name === undefined || rest === undefined)
    throw new ConnectorError('internal_error', 'a line of the metrics is in no form of theirs')
  const label = `process="${process}"`
  return rest.startsWith('{') ? `${name}{${label},${rest.slice(1)}` : `${name}{${label}}${rest}`
}
