// Which methods of HTTP change nothing.

/** Source: RFC 9110 section 9.2.1. */
export const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request changes nothing, as its method says. */
export function isReading(method: string): boolean {
  return READING_METHODS.has(method.toUpperCase())
}
