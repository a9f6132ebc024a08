// Types for a manifest of one's own: the entry `tenon/codegen`.
export { generateTypes } from './generate-types.ts'
