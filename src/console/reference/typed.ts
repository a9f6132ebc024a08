// What people type into the form of an operation.

/** Texts of parameters by place and name, and the text of the body. */
export interface Typed {
  readonly values: Readonly<Record<string, string>>
  readonly body: string
}

/** Whether a parameter is an id, which only the service can give. */
export function isId(name: string): boolean {
  return name.endsWith('_id')
}
