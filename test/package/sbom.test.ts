// The bill of materials in the package, held against the lockfile and against what was built.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './fresh-process.ts'

interface Component {
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly object[]
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly properties: readonly { readonly name: string }[]
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const bom = JSON.parse(read('dist/sbom.cdx.json')) as {
  readonly bomFormat: string
  readonly specVersion: string
  readonly metadata: { readonly component: Component; readonly timestamp?: string }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}
const { packages } = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly integrity: string; readonly dev?: boolean }>
  >
}
const idOf = ({ name, version }: Pick<Component, 'name' | 'version'>): string =>
  `${name}@${version}`

test('Y1 it names what npm installs with the package, and what its files are made of', () => {
  const installed = Object.entries(packages)
    .filter(([path, { dev, ...more }]) => path !== '' && dev !== true && !('devOptional' in more))
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
  const takenIn = [
    ...read('dist/LICENSES.txt').matchAll(/^(\S+) (\d+\.\d+\.\d+\S*)\n\n/gm),
    ...read('dist/console/LICENSES.md').matchAll(/^## (\S+) - (\S+) /gm),
  ].map(([, name, version]) => `${name}@${version}`)
  expect(takenIn).toEqual(expect.arrayContaining(['ajv@8.20.0', 'react@19.3.1']))
  expect(bom.components.map(idOf).toSorted()).toEqual(
    [...new Set([...installed, ...takenIn])].toSorted(),
  )
  const marked = bom.components.filter(({ properties }) => properties.length > 0).map(idOf)
  expect(marked.toSorted()).toEqual([...new Set(takenIn)].toSorted())
})

test('Y1 each component has its licence, its address and the hash of the lockfile', () => {
  const hashes = new Map(
    Object.entries(packages)
      .filter(([path]) => path !== '')
      .map(([path, { version, integrity }]) => [
        `${path.replace(/^.*node_modules\//, '')}@${version}`,
        Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
      ]),
  )
  for (const component of bom.components) {
    const id = idOf(component)
    const { purl, licenses = [], hashes: told } = component
    expect([id, purl, licenses.length, told]).toEqual([
      id,
      `pkg:npm/${id.replace(/^@/, '%40')}`,
      1,
      [{ alg: 'SHA-512', content: hashes.get(id) }],
    ])
  }
})

test('Y1 it says nothing of the machine that it was made on', () => {
  const { bomFormat, specVersion, metadata, dependencies } = bom
  expect([bomFormat, specVersion, metadata.timestamp, metadata.component.name]).toEqual([
    'CycloneDX',
    '1.5',
    undefined,
    'tenon',
  ])
  const known = new Set(['tenon@0.1.0', ...bom.components.map(idOf)])
  const named = dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
  expect(named.filter((ref) => !known.has(ref))).toEqual([])
})
