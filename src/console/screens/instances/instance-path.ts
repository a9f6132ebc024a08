// The API's path of one instance.

export function instancePath(id: string): string {
  return `/integrations/connectors/${encodeURIComponent(id)}`
}
