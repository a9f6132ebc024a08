// GET /limits: what is told is what holds.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningService, runService } from '../fixtures/running-service.ts'

let world: RunningService

beforeAll(async () => {
  world = await runService()
})
afterAll(() => world[Symbol.asyncDispose]())

test('every limit in force is told, those of downloads and searches too', async () => {
  const answer = await world.call('GET', '/v1/limits')
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      request_body_bytes: 1_048_576,
      request_body_bytes_per_second: 8_388_608,
      request_members: 10_000,
      request_nesting: 32,
      upstream_body_bytes: 33_554_432,
      deadline_ms: 60_000,
      deadline_max_ms: 300_000,
      application_token_seconds: 900,
      scoped_token_seconds: 1200,
      idempotency_seconds: 86_400,
      cursor_seconds: 86_400,
      instances_per_page: 200,
      downloads_per_instance: 8,
      downloads_per_organization: 48,
      downloads_per_process: 64,
      download_seconds: 3600,
      download_bytes_per_second: 16_384,
      search: {
        page_records: 10_000,
        page_records_default: 1000,
        nesting: 10,
        conditions: 100,
        values_of_in: 1000,
        text_characters: 4096,
        pattern_characters: 256,
        pattern_words: 16,
        pattern_wildcards: 8,
        fields: 200,
        sort_conditions: 4,
        store_ms: 2000,
      },
      operations_running: 512,
      operations_waiting: 256,
      requests: null,
    },
  ])
})
