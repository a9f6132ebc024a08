// The parts of a manifest that building a request looks at.
import type { Manifest } from '../../../src/language/manifest/manifest.ts'

/** A manifest whose only content is its type, its server and what is given. */
export function exampleManifest(parts: Partial<Manifest> = {}): Manifest {
  const manifest: Partial<Manifest> = {
    type: 'example',
    server: { urls: [['https://api.example.net']], hosts: ['api.example.net'], headers: [] },
    ...parts,
  }
  return manifest as Manifest
}
