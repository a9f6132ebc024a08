// The bill of materials of what is shipped, as CycloneDX: what npm installs with the package, and what its files are made
// of. `node scripts/sbom.ts` prints that of the build in dist, where `npm run build` writes it to, too.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import packageJson from '../package.json' with { type: 'json' }

interface Component {
  readonly 'bom-ref': string
  readonly properties?: readonly { readonly name: string }[]
}

/** What is used of the document that npm makes. Source: CycloneDX 1.5. */
interface Bom {
  readonly metadata: { readonly component: Component & { readonly name: string } }
  readonly components: readonly Component[]
  readonly dependencies: readonly {
    readonly ref: string
    readonly dependsOn?: readonly string[]
  }[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const OF_DEVELOPMENT = 'cdx:npm:package:development'
const TAKEN_IN = { name: 'tenon:taken-in', value: 'true' }

/** The text of the document for the build in a folder. It is the same for the same sources, wherever and whenever it is made. */
export function billOfMaterials(dist: string): string {
  const bom = bomOfNpm()
  const takenIn = takenInto(dist)
  const shipped = bom.components.filter(
    (each) => takenIn.has(each['bom-ref']) || !isOfDevelopment(each),
  )
  const refs = new Set([
    bom.metadata.component['bom-ref'],
    ...shipped.map((each) => each['bom-ref']),
  ])
  const missing = [...takenIn].filter((ref) => !refs.has(ref))
  if (missing.length > 0) throw new Error(`the lockfile does not name ${missing.join(', ')}`)
  const { component } = bom.metadata
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    // Without the time and the machine that it was made at.
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { ...component, name: packageJson.name },
    },
    components: shipped.map((each) => ({
      ...each,
      properties: takenIn.has(each['bom-ref']) ? [TAKEN_IN] : [],
    })),
    dependencies: bom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: dependsOn.filter((on) => refs.has(on)),
      })),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function isOfDevelopment({ properties = [] }: Component): boolean {
  return properties.some(({ name }) => name === OF_DEVELOPMENT)
}

/** Of everything that the lockfile names. */
function bomOfNpm(): Bom {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`)
  // As npm documents it.
  return JSON.parse(stdout) as Bom
}

/** Packages that are part of files, as the licences next to them say: `name@version`. */
function takenInto(dist: string): ReadonlySet<string> {
  const ofPackage = readFileSync(join(dist, 'LICENSES.txt'), 'utf8')
  const ofConsole = readFileSync(join(dist, 'console/LICENSES.md'), 'utf8')
  const named = [
    ...ofPackage.matchAll(/(?:^|\n-{80}\n\n)(\S+) (\d\S*)\n/g),
    ...ofConsole.matchAll(/^## (\S+) - (\S+)/gm),
  ]
  return new Set(named.map(([, name = '', version = '']) => `${name}@${version}`))
}

/** Writes it next to the licences. */
export function writeBillOfMaterials(dist: string): void {
  writeFileSync(join(dist, 'sbom.cdx.json'), billOfMaterials(dist))
}

if (import.meta.main) process.stdout.write(billOfMaterials(join(root, 'dist')))
