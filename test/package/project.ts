// A project of a host, far from this one, with the packed package in it.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { expect } from 'vitest'

import { root, run } from './fresh-process.ts'

/**
 * Makes an empty project with the packed package and links to those of its optional peers that are named.
 */
export async function packedProject(peers: readonly string[] = []): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'tenon-host-'))
  const packed = await run(root, 'npm', 'pack', '--silent', '--pack-destination', project)
  expect(packed).toEqual({ code: 0, out: expect.stringMatching(/^tenon-.*\.tgz\n$/), err: '' })
  const installed = join(project, 'node_modules/tenon')
  await mkdir(installed, { recursive: true })
  const tarball = join(project, packed.out.trim())
  await run(project, 'tar', '-xzf', tarball, '-C', installed, '--strip-components=1')
  await rm(tarball)
  for (const name of ['@types/node', ...peers]) {
    const link = join(project, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, 'node_modules', name), link)
  }
  await writeFile(join(project, 'package.json'), '{ "name": "host", "type": "module" }')
  return project
}

/** The packages that the service needs, as `missingPackage` names them. */
export const SERVICE_PEERS: readonly string[] = [
  '@fastify/busboy',
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/server',
  'kysely',
  'pg',
  'pino',
  'prom-client',
]
