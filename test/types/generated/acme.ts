// Made by `tenon types` (format 3) from acme 1.0.0. Do not edit.
// manifest sha256-8b4ae876045be2252531ad22a7453176ba36bd3e111b2465be1a693efbc81c39
/* eslint-disable */ /* oxlint-disable */

import type { CallOptions, ConnectorOf, PageCall } from 'tenon'

export interface CustomersRecord {
  id?: string
  name?: string | null
  [member: string]: unknown
}
export interface CustomersListParams {
  after?: string
  /** At least 1, at most 100. */
  limit?: number
}
export interface AcmeConfig {
  region: "eu" | "us"
}
export interface AcmeKeyCredentials {
  api_key: string
}

export interface CustomersListMeta {}

export interface AcmeCustomers {
  /** List customers */
  list(params?: CustomersListParams, options?: CallOptions): PageCall<CustomersRecord, CustomersListMeta>
}

/** Its entities, also for `execute`. */
export interface AcmeEntities {
  readonly customers: AcmeCustomers
}

/** Acme CRM */
export interface Acme extends ConnectorOf<AcmeEntities>, AcmeEntities {}

export type AcmeCredentials = AcmeKeyCredentials

export interface AcmeSettings {
  credentials: AcmeCredentials
  config: AcmeConfig
}

declare module 'tenon' {
  interface Connectors {
    acme: Acme
  }
}
