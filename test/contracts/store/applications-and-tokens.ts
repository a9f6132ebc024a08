import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Store } from '../../../src/service/store/store.ts'
import { organizationEntry, sessionInput, scopedToken, tokenRow, unique } from './rows.ts'

export function applicationsAndTokens(store: () => Store): void {
  test('an application is found by its client id', async () => {
    const { applications } = store()
    const clientId = unique('client')
    const before = await applications.count()
    const application = {
      clientId,
      organizationId: 'acme',
      name: 'Größe "1"\n',
      secretHash: 'abc',
      redirectUrls: ['https://app.example.com/connected'],
    }
    await applications.create(application, organizationEntry('acme', 'application.create'))
    const found = await applications.byClientId(clientId)
    const told = {
      ...application,
      compat: null,
      createdAt: expect.any(Number),
      disabledAt: null,
      logoHash: null,
      accent: null,
    }
    expect(found).toEqual({ ...told, allows: [], addresses: [] })
    const addresses = ['203.0.113.0/24', '2001:db8::7']
    await applications.update(clientId, { allows: ['request'], addresses, accent: '#0f766e' })
    expect(await applications.byClientId(clientId)).toEqual({
      ...told,
      accent: '#0f766e',
      allows: ['request'],
      addresses,
    })
    expect(Math.abs((found?.createdAt ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(await applications.count()).toBe(before + 1)
    expect(await applications.byClientId('nobody')).toBe(null)
  })

  test('a token and a session tell from where their application may be used', async () => {
    const { applications, tokens, consoleSessions } = store()
    const clientId = unique('client')
    const organizationId = unique('org')
    const addresses = ['203.0.113.0/24']
    const base = { organizationId, name: 'n', secretHash: 'h', redirectUrls: [], addresses }
    await applications.create({ ...base, clientId })
    const token = tokenRow({ organizationId, clientId })
    await tokens.insert(token)
    expect(await tokens.find(token.hash)).toMatchObject({ addresses })
    const session = { sessionHash: unique('session'), organizationId, clientId, personId: null }
    await consoleSessions.open(session, 'h', 60_000, organizationEntry(organizationId))
    expect(await consoleSessions.find(session.sessionHash, 60_000)).toMatchObject({ addresses })
    await applications.update(clientId, { addresses: [] })
    expect(await tokens.find(token.hash)).not.toHaveProperty('addresses')
    expect(await consoleSessions.find(session.sessionHash, 60_000)).toMatchObject({ addresses: [] })
  })

  test('a list of applications is of one organisation, or of all', async () => {
    const { applications } = store()
    const [one, other] = [unique('org'), unique('org')]
    const base = { name: 'n', secretHash: 'h', redirectUrls: [] }
    await applications.create({ ...base, clientId: `${one}-b`, organizationId: one })
    await applications.create({ ...base, clientId: `${one}-a`, organizationId: one })
    await applications.create({ ...base, clientId: `${other}-a`, organizationId: other })
    const ids = (await applications.list(one)).map(({ clientId }) => clientId)
    expect(ids).toEqual([`${one}-a`, `${one}-b`])
    expect((await applications.list()).length).toBeGreaterThanOrEqual(3)
  })

  test('a change of an application touches what is named only', async () => {
    const { applications } = store()
    const clientId = unique('client')
    await applications.create({
      clientId,
      organizationId: 'acme',
      name: 'before',
      secretHash: 'abc',
      redirectUrls: ['https://a.example'],
    })
    expect(await applications.update(clientId, { redirectUrls: [] })).toBe(true)
    expect(await applications.update(clientId, { compat: 'agent-sdk' })).toBe(true)
    expect(await applications.update(clientId, {})).toBe(true)
    expect(await applications.byClientId(clientId)).toMatchObject({
      name: 'before',
      secretHash: 'abc',
      redirectUrls: [],
      compat: 'agent-sdk',
      disabledAt: null,
    })
    expect(await applications.update('nobody', { name: 'x' })).toBe(false)
  })

  test('a secret has its maker, end and last use, and the one before is good until a time', async () => {
    const { applications } = store()
    const clientId = unique('client')
    const now = Date.now()
    const hour = 3_600_000
    const base = { organizationId: 'acme', name: 'n', redirectUrls: [], clientId }
    const first = { ...base, secretHash: 'first' }
    await applications.create(first, undefined, { madeBy: 'cli', endsAt: now + hour })
    const secrets = async () =>
      (await applications.secrets([clientId])).toSorted((one, other) =>
        one.secretHash < other.secretHash ? -1 : 1,
      )
    const known = { clientId, madeBy: 'cli', madeAt: expect.any(Number), endsAt: now + hour }
    const unused = { replacedAt: null, usedAt: null }
    expect(await secrets()).toEqual([{ ...known, ...unused, secretHash: 'first' }])
    for (let use = 0; use < 2; use++) await applications.noteSecretUse(clientId, 'first')
    const [used] = await secrets()
    expect(Math.abs((used?.usedAt ?? 0) - now)).toBeLessThan(60_000)
    const second = { secretHash: 'second', madeBy: 'person:ada', endsAt: null }
    expect(await applications.rotateSecret(clientId, second, now + 2 * hour)).toBe(true)
    // An end that was there before does not move.
    expect(await secrets()).toEqual([
      { ...used, replacedAt: expect.any(Number) },
      { ...known, ...unused, ...second },
    ])
    expect((await applications.byClientId(clientId))?.secretHash).toBe('second')
    const third = { secretHash: 'third', madeBy: null, endsAt: null }
    await applications.rotateSecret(clientId, third, now - 1)
    // What is over goes with the next rotation.
    await applications.rotateSecret(clientId, { ...third, secretHash: 'third2' }, now + hour)
    expect((await secrets()).map(({ secretHash }) => secretHash)).toEqual([
      'first',
      'third',
      'third2',
    ])
    expect(await applications.endEarlierSecrets(clientId)).toBe(2)
    expect(await applications.endEarlierSecrets(clientId)).toBe(0)
    await applications.rotateSecret(clientId, { ...third, secretHash: 'last' }, null)
    expect((await secrets()).map(({ secretHash }) => secretHash)).toEqual(['last'])
    expect(await applications.rotateSecret('nobody', third, null)).toBe(false)
    expect(await applications.endEarlierSecrets('nobody')).toBe(0)
    expect(await applications.secrets([])).toEqual([])
  })

  test('a secret that an earlier version made is kept next to a new one, and its use is noted', async () => {
    const { applications } = store()
    const clientId = unique('client')
    const base = { organizationId: 'acme', name: 'n', redirectUrls: [], clientId }
    await applications.create({ ...base, secretHash: 'old' })
    const nothing = { clientId, secretHash: 'old', madeBy: null, madeAt: null, replacedAt: null }
    expect(await applications.secrets([clientId])).toEqual([])
    await applications.noteSecretUse(clientId, 'old')
    const usedAt = expect.any(Number)
    expect(await applications.secrets([clientId])).toEqual([{ ...nothing, endsAt: null, usedAt }])
    const other = unique('client')
    await applications.create({ ...base, clientId: other, secretHash: 'old' })
    const endsAt = Date.now() + 60_000
    const next = { secretHash: 'new', madeBy: 'cli', endsAt: null }
    await applications.rotateSecret(other, next, endsAt)
    const kept = { ...nothing, clientId: other, endsAt, usedAt: null, replacedAt: usedAt }
    expect(await applications.secrets([other])).toContainEqual(kept)
  })

  test('the picture of an application is kept as it is, replaced, and erased', async () => {
    const { applications } = store()
    const clientId = unique('client')
    const base = { organizationId: 'acme', name: 'n', secretHash: 'h', redirectUrls: [] }
    await applications.create({ ...base, clientId })
    const hashOf = async () => (await applications.byClientId(clientId))?.logoHash
    expect([await hashOf(), await applications.logo(clientId)]).toEqual([null, null])
    const images = [
      Uint8Array.from({ length: 65_536 }, (_, at) => at % 256),
      new Uint8Array([0, 255]),
    ]
    for (const logo of images) {
      expect(await applications.update(clientId, { logo })).toBe(true)
      expect(await applications.logo(clientId)).toEqual(logo)
      expect(await hashOf()).toBe(hash('sha256', logo))
    }
    await applications.update(clientId, { name: 'other' })
    expect(await applications.logo(clientId)).toEqual(images[1])
    await applications.update(clientId, { logo: null })
    expect([await hashOf(), await applications.logo(clientId)]).toEqual([null, null])
    expect(await applications.update('nobody', { logo: images[0] ?? null })).toBe(false)
    expect(await applications.logo('nobody')).toBe(null)
  })

  test('a token is found while it lives', async () => {
    const { tokens } = store()
    const token = scopedToken('acme', 'user-1')
    await tokens.insert(token, organizationEntry('acme', 'token.create'))
    expect(await tokens.find(token.hash)).toEqual({ ...token, compat: null })
    const dead = tokenRow({ expiresAt: Date.now() - 60_000 })
    await tokens.insert(dead)
    expect(await tokens.find(dead.hash)).toBe(null)
    expect(await tokens.find('unknown')).toBe(null)
  })

  test('a token ends for good when its application is disabled', async () => {
    const { applications, tokens } = store()
    const clientId = unique('client')
    const base = { organizationId: 'acme', name: 'n', secretHash: 'h', redirectUrls: [] }
    await applications.create({ ...base, clientId })
    const token = tokenRow({ clientId })
    await tokens.insert(token)
    expect(await tokens.find(token.hash)).toEqual({ ...token, compat: null })
    await applications.update(clientId, { disabledAt: Date.now() })
    expect(await tokens.find(token.hash)).toBe(null)
    await applications.update(clientId, { disabledAt: null })
    expect(await tokens.find(token.hash)).toBe(null)
  })

  test('T4 a token is revoked by its own organisation only', async () => {
    const { tokens } = store()
    const token = tokenRow()
    await tokens.insert(token)
    expect(await tokens.revoke('other', token.hash)).toBe(false)
    expect(await tokens.find(token.hash)).toEqual({ ...token, compat: null })
    expect(await tokens.revoke('acme', token.hash)).toBe(true)
    expect(await tokens.revoke('acme', token.hash)).toBe(false)
    expect(await tokens.find(token.hash)).toBe(null)
  })

  test('all scoped tokens of one user are revoked at once', async () => {
    const { tokens } = store()
    const organization = unique('org')
    const mine = [scopedToken(organization, 'a'), scopedToken(organization, 'a')]
    const others = [scopedToken(organization, 'b'), tokenRow({ organizationId: organization })]
    for (const token of [...mine, ...others]) await tokens.insert(token)
    expect(await tokens.revokeUser(organization, 'a')).toBe(2)
    for (const token of mine) expect(await tokens.find(token.hash)).toBe(null)
    for (const token of others)
      expect(await tokens.find(token.hash)).toEqual({ ...token, compat: null })
  })

  test('T2 what a token made ends with it: tokens, and connect links of either', async () => {
    const { tokens, connectSessions } = store()
    const [maker, made, other] = [tokenRow(), tokenRow(), tokenRow()]
    await tokens.insert(maker)
    await tokens.insert({ ...made, madeBy: maker.hash })
    await tokens.insert(other)
    const links = [maker.hash, made.hash, other.hash, null].map((madeBy) =>
      Object.assign(sessionInput(), { madeBy }),
    )
    for (const each of links) await connectSessions.insert(each, organizationEntry('acme'))
    expect(await tokens.revoke('other', maker.hash)).toBe(false)
    expect(await tokens.revoke('acme', maker.hash)).toBe(true)
    const left = await Promise.all([made, other].map(({ hash }) => tokens.find(hash)))
    expect(left.map((row) => row !== null)).toEqual([false, true])
    const open = await Promise.all(links.map(({ tokenHash }) => connectSessions.find(tokenHash)))
    expect(open.map((row) => row !== null)).toEqual([false, false, true, true])
  })

  test('T2 the links for a user end with the tokens of the user', async () => {
    const { tokens, connectSessions } = store()
    const organizationId = unique('org')
    const links = [
      sessionInput({ organizationId, externalUserId: 'a' }),
      sessionInput({ organizationId, externalUserId: 'b' }),
      sessionInput({ organizationId: unique('org'), externalUserId: 'a' }),
    ]
    for (const each of links)
      await connectSessions.insert(each, organizationEntry(each.organizationId))
    expect(await tokens.revokeUser(organizationId, 'a')).toBe(0)
    const open = await Promise.all(links.map(({ tokenHash }) => connectSessions.find(tokenHash)))
    expect(open.map((row) => row !== null)).toEqual([false, true, true])
  })

  test('what is expired is purged', async () => {
    const { tokens } = store()
    await tokens.insert(tokenRow({ expiresAt: Date.now() - 60_000 }))
    expect(await tokens.purgeExpired()).toBeGreaterThanOrEqual(1)
    expect(await tokens.purgeExpired()).toBe(0)
  })
}
