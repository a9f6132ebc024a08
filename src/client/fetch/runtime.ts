// What the program runs in, as far as it makes a difference.

/** Throws a TypeError where standards of the web are missing that every call needs. */
export function requireWebRuntime(): void {
  // The types say that they are always there.
  const { crypto: given, JSON: json } = globalThis as {
    readonly crypto?: Partial<typeof crypto>
    readonly JSON: object
  }
  if (!('rawJSON' in json))
    throw new TypeError(
      'tenon/fetch needs JSON.rawJSON, without which long numbers would lose digits: Chrome 114, Firefox 135, Safari 18.4, Node 22, or a later one',
    )
  if (given?.subtle === undefined || given.randomUUID === undefined)
    throw new TypeError(
      'tenon/fetch needs Web Crypto, which browsers give to pages of https and of localhost only: serve the page by https',
    )
}

/** Whether it is a page or a worker of one: everybody who opens it can read what it knows. */
export function isInBrowser(): boolean {
  // Some edge runtimes have the means of a worker, but none has an address of a page.
  const isWorker = 'importScripts' in globalThis && 'WorkerLocation' in globalThis
  return 'document' in globalThis || isWorker
}
