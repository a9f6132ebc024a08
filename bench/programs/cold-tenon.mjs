// From nothing to the first result with the built package. Argument: the vendor's address.
import { connect } from '../../dist/index.js'

const jira = await connect('jira', {
  credentials: { username: 'ada@example.com', password: 'a-token-of-some-length' },
  config: { subdomain: 'acme' },
  serverUrl: process.argv[2],
  allowHosts: ['127.0.0.1'],
})
const { data } = await jira.issues.get({ issueIdOrKey: 'ACME-7' })
if (data.key !== 'ACME-7') throw new Error('not the issue')
process.stdout.write(String(performance.now()), () => process.exit())
