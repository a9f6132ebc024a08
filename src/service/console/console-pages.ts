// The console's files, and the one page that stands for all its screens.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Nothing from another origin, nothing inline; forms are sent by script alone. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const YEAR_SECONDS = 31_536_000

/** Whether a folder holds a built console. */
export function isConsoleBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'))
}

/** Mounts `/console` and everything below it but its API. A checkout that was not built says how to build. */
export async function mountConsolePages(app: FastifyInstance, folder: string): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers({
      'content-security-policy': POLICY,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  })
  if (!isConsoleBuilt(folder)) {
    const missing = (_request: unknown, reply: FastifyReply): FastifyReply =>
      reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT)
    app.get('/console', missing)
    app.get('/console/*', missing)
    return
  }
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/console/assets/',
    // Their names hold the hash of what is in them.
    immutable: true,
    maxAge: YEAR_SECONDS * 1000,
  })
  const page = (_request: unknown, reply: FastifyReply): FastifyReply =>
    reply.sendFile('index.html', folder, { cacheControl: false, lastModified: false, etag: false })
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
  })
  app.get('/console', page)
  app.get('/console/*', page)
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The console is not built</title>
<h1>The console is not built</h1>
<p>This is a checkout. Run <code>npm run build:console</code>, then start the service again.</p>
</html>
`
