// A value whose inside is not read.

/** JSON text in UTF-8 that is passed on as it came. Its maker has checked that it is that. */
export class JsonBytes {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}
