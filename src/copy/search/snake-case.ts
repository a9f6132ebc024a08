// The names of fields as clients in Python spell them.

/** `emailAddress`: `email_address`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
}
