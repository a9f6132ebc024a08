/** The type of a field of the synchronized copy. A file of its own, as pages in a browser read what names it. */
export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
