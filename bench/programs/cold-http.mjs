// The same request with node:http alone. Argument: the vendor's address.
import { get } from 'node:http'

const authorization = `Basic ${Buffer.from('ada@example.com:a-token-of-some-length').toString('base64')}`
const body = await new Promise((resolve, reject) => {
  const url = `${process.argv[2]}/rest/api/3/issue/ACME-7`
  get(url, { headers: { accept: 'application/json', authorization } }, (response) => {
    const chunks = []
    response.on('data', (chunk) => chunks.push(chunk))
    response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())))
  }).on('error', reject)
})
if (body.key !== 'ACME-7') throw new Error('not the issue')
process.stdout.write(String(performance.now()), () => process.exit())
