// Each rival, used as its own documentation shows, making the same two calls.
import axios from 'axios'
import { createCloudClient } from 'jira.js'
import createOpenapiFetch from 'openapi-fetch'
import SwaggerClient from 'swagger-client'

/** @param {string} url @param {{ username: string, password: string }} credentials */
export async function openRivals(url, credentials) {
  return [
    openAxios(url, credentials),
    openJiraJs(url, credentials),
    openOpenapiFetch(url, credentials),
    await openSwaggerClient(url, credentials),
  ]
}

const SEARCH = { jql: 'project = ACME', fields: '*navigable', maxResults: 50 }

function openAxios(url, credentials) {
  const client = axios.create({ baseURL: url, auth: credentials })
  return {
    name: 'axios',
    record: async () => (await client.get('/rest/api/3/issue/ACME-7')).data,
    page: async () => (await client.get('/rest/api/3/search/jql', { params: SEARCH })).data.issues,
  }
}

function openJiraJs(url, { username, password }) {
  const client = createCloudClient({
    host: url,
    auth: { type: 'basic', email: username, apiToken: password },
    onSchemaMismatch: 'silent',
  })
  return {
    name: 'jira.js',
    record: () => client.issues.getIssue({ issueIdOrKey: 'ACME-7' }),
    page: async () =>
      (
        await client.issueSearch.searchAndReconsileIssuesUsingJql({
          ...SEARCH,
          fields: [SEARCH.fields],
        })
      ).issues,
  }
}

function openOpenapiFetch(url, credentials) {
  const client = createOpenapiFetch({
    baseUrl: url,
    headers: { authorization: basic(credentials) },
  })
  return {
    name: 'openapi-fetch',
    record: async () =>
      (
        await client.GET('/rest/api/3/issue/{issueIdOrKey}', {
          params: { path: { issueIdOrKey: 'ACME-7' } },
        })
      ).data,
    page: async () =>
      (await client.GET('/rest/api/3/search/jql', { params: { query: SEARCH } })).data.issues,
  }
}

async function openSwaggerClient(url, credentials) {
  const parameter = (name, place, type = 'string') => ({
    name,
    in: place,
    required: place === 'path',
    schema: { type },
  })
  const client = await new SwaggerClient({
    spec: {
      openapi: '3.0.3',
      info: { title: 'Issues', version: '1' },
      servers: [{ url }],
      security: [{ basic: [] }],
      components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } },
      paths: {
        '/rest/api/3/issue/{issueIdOrKey}': {
          get: {
            operationId: 'getIssue',
            tags: ['issues'],
            parameters: [parameter('issueIdOrKey', 'path')],
            responses: { 200: { description: 'The issue' } },
          },
        },
        '/rest/api/3/search/jql': {
          get: {
            operationId: 'search',
            tags: ['issues'],
            parameters: [
              parameter('jql', 'query'),
              parameter('fields', 'query'),
              parameter('maxResults', 'query', 'integer'),
            ],
            responses: { 200: { description: 'The page' } },
          },
        },
      },
    },
    authorizations: { basic: credentials },
  })
  const { getIssue, search } = client.apis.issues
  return {
    name: 'swagger-client',
    record: async () => (await getIssue({ issueIdOrKey: 'ACME-7' })).body,
    page: async () => (await search(SEARCH)).body.issues,
  }
}

function basic({ username, password }) {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}
