// Made by `tenon types` (format 4) from acme 1.0.0. Do not edit.
// manifest sha256-884ba87579aa537538b13b4986ea8a5a785db2e32361ed142dc37d733919131e
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
