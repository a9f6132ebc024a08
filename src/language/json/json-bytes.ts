// A value that nobody looks into.

/** JSON text in UTF-8 that is passed on as it came. Whoever makes one has checked that it is that. */
export class JsonBytes {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}
