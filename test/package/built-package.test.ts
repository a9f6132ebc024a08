import { expect, test } from 'vitest'

import { sandbox } from '../../src/sandbox/open-sandbox.ts'

import { runModule } from './fresh-process.ts'

test('the built client runs a packaged connector', async () => {
  await using vendor = await sandbox('jira')
  const program = `
    import { connect } from 'tenon'
    const options = JSON.parse(process.argv.at(-1))
    const jira = await connect('jira', { ...options, limits: null })
    const page = await jira.execute('issues', 'api_search', { jql: 'project = OPS', maxResults: 3 })
    console.log(page.records.length)
    await jira.close()`
  expect(await runModule(program, JSON.stringify(vendor.options()))).toEqual({
    code: 0,
    out: '3\n',
    err: '',
  })
})

test('the manifest as a value is the same connector', async () => {
  await using vendor = await sandbox('facebook-marketing')
  const program = `
    import { connect } from 'tenon'
    import { facebookMarketing } from 'tenon/facebook-marketing'
    console.log(facebookMarketing.type, Object.isFrozen(facebookMarketing.entities[0]))
    const options = JSON.parse(process.argv.at(-1))
    await using ads = await connect(facebookMarketing, { ...options, limits: null })
    console.log(typeof ads.describe()[0].entity)`
  expect(await runModule(program, JSON.stringify(vendor.options()))).toEqual({
    code: 0,
    out: 'facebook-marketing true\nstring\n',
    err: '',
  })
})

test('a mistake in the parameters is explained as from the sources', async () => {
  await using vendor = await sandbox('jira')
  const program = `
    import { connect } from 'tenon'
    const jira = await connect('jira', JSON.parse(process.argv.at(-1)))
    const error = await jira.execute('issues', 'get', { issueIdOrKey: 'A-1', expnd: 'names' }).catch((reason) => reason)
    console.log(JSON.stringify([error.code, error.errors.map(({ pointer, detail }) => pointer + ' ' + detail)]))
    await jira.close()`
  const { out } = await runModule(program, JSON.stringify(vendor.options()))
  expect(JSON.parse(out)).toEqual([
    'params_invalid',
    ['/params/expnd unknown parameter, did you mean "expand"?'],
  ])
})

test('a connector that is not packaged is named with the ways to one', async () => {
  const program = `
    import { connect } from 'tenon'
    const error = await connect('acme', { credentials: {} }).catch((reason) => reason)
    console.log(error.code, JSON.stringify(error.details))`
  expect(await runModule(program)).toEqual({
    code: 0,
    out: 'connector_unknown {"connector":"acme"}\n',
    err: '',
  })
})

test('stack traces of an error name places in the sources', async () => {
  const program = `
    process.setSourceMapsEnabled(true)
    const { connect } = await import('tenon')
    const error = await connect('acme', { credentials: {} }).catch((reason) => reason)
    console.log(/src\\/client\\/packaged\\.ts:\\d+/.test(error.stack))`
  expect(await runModule(program)).toEqual({ code: 0, out: 'true\n', err: '' })
})
