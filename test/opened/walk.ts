// The pages of a service that runs, opened by somebody who has just started it.
import { findChromium, type OpenBrowser, openBrowser, screenshot } from '../fixtures/browser.ts'

const chromium = await findChromium()
if (chromium === null)
  process.stderr.write('no Chromium here: no page of a built service is opened\n')

export interface Application {
  readonly client_id: string
  readonly client_secret: string
}

/**
 * Signs in at the console, connects an account of the sandbox, runs an operation, and opens the reference of the API.
 * Gives the faults of the pages.
 */
export async function openPages(
  url: string,
  application: Application,
  name: string,
): Promise<readonly string[]> {
  if (chromium === null) return []
  await using browser: OpenBrowser = await openBrowser(chromium)
  const { page, faults } = await browser.page()
  await page.goto(`${url}/console`)
  await page.getByLabel('Client id').fill(application.client_id)
  await page.getByLabel('Client secret').fill(application.client_secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  await page.goto(`${url}/console/instances/new?connector=jira`)
  await page.getByLabel('E-mail and API token').check()
  await page.getByRole('button', { name: 'Fill in demo credentials' }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('link', { name: 'Explore', exact: true }).click()
  await page.getByRole('link', { name: 'issues.get', exact: true }).click()
  await page.getByLabel('issueIdOrKey').fill('OPS-1')
  await page.getByLabel('issueIdOrKey').press('Control+Enter')
  await page.getByText(/ms · 1 upstream request/).waitFor()
  await screenshot(page, `opened-${name}`)
  await page.goto(`${url}/docs`)
  await page.getByText('/v1/integrations/connectors').first().waitFor()
  return faults
}
