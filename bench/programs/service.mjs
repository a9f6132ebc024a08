// The service as `tenon serve` runs it, of the built package: an embedded store, the log at its usual level.
// Arguments: the folder of the store, further manifests. Tells its parent the address and the first application.
import { createService, dedicateProcess, serve } from '../../dist/hosting/index.js'

import { answerUsage } from './usage.mjs'

const [data, ...manifests] = process.argv.slice(2)
dedicateProcess()
const service = await createService({
  data,
  manifests,
  port: 0,
  // What runs by itself would be measured too.
  jobs: false,
  allowHosts: ['127.0.0.1'],
  allowServerUrl: true,
  // A row that compares with and without.
  ...(process.env.TENON_BENCH_NO_LOGS === '1' ? { logsDays: 0 } : {}),
})
const { url } = await serve(service)
const { clientId, clientSecret } = service.firstApplication
answerUsage()
process.send({ url, clientId, clientSecret })
