// The dispatcher of undici that a host may give, by what every one of them has.

/**
 * A dispatcher of undici. Named by its shape, so that a host's compiler reads the types of undici only where the host
 * itself has them.
 */
export interface GivenDispatcher {
  dispatch(options: object, handler: object): boolean
  close(): Promise<void>
}
