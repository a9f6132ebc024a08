// Made by `tenon types` (format 4) from stripe 1.1.0. Do not edit.
// manifest sha256-c85e2a323b45d6a76b26c96b3bcfb86ea12c9fc110bc79ea12c98470003b36df
/* eslint-disable */ /* oxlint-disable */

import type { CallOptions, ConnectorOf, Download, PageCall, Result, SearchCall, SearchParams } from 'tenon'

/**
 * Postal address. Empty text takes it away.
 * As text only the empty one.
 */
export type Address = {
  city?: string
  /** ISO code of two letters. */
  country?: string
  /** Street. */
  line1?: string
  /** Flat, building. */
  line2?: string
  postal_code?: string
  /** State, county or province. */
  state?: string
} | string
/** Id of the charge, begins with ch_ or py_. */
export type ChargeId = string
/** Whether the customer is charged or gets an invoice to pay. */
export type CollectionMethod = "charge_automatically" | "send_invoice"
/**
 * ISO code of the currency, lower case, for example eur.
 * Matches `^[a-z]{3}$`.
 */
export type Currency = string
/**
 * Up to four lines of your own on the invoice. Empty text takes them away.
 * At least 1 element, at most 4 elements, as text only the empty one.
 */
export type CustomFields = {
  /** At most 40 characters. */
  name: string
  /** At most 140 characters. */
  value: string
}[] | string
/** Credit (negative) or debt (positive) for the next invoice, in the smallest unit of the currency. */
export type CustomerBalance = number
/** Id of the customer, begins with cus_. */
export type CustomerId = string
/**
 * Amount per unit as text, in the smallest unit of the currency, with up to 12 decimals.
 * Matches `^-?\d+(\.\d{1,12})?$`.
 */
export type Decimal = string
/**
 * Discounts by the id of a coupon, a discount or a promotion code. Empty text takes them away.
 * At least 1 element, as text only the empty one.
 */
export type Discounts = {
  coupon?: string
  discount?: string
  promotion_code?: string
}[] | string
/** Id of the dispute, begins with du_ or dp_. */
export type DisputeId = string
/**
 * Members to send as objects in place of their ids, up to four levels deep, for example customer or latest_charge.refunds.
 * At least 1 element.
 */
export type Expand = string[]
/**
 * Members to send as objects in place of their ids; in lists they begin with data, for example data.customer.
 * At least 1 element.
 */
export type ExpandList = string[]
/**
 * Fee of the platform, in the smallest unit of the currency.
 * At least 0.
 */
export type Fee = number
/** Id of the file, begins with file_. */
export type FileId = string
/**
 * Addresses of images. Empty text takes them away.
 * At least 1 element, at most 8 elements, as text only the empty one.
 */
export type Images = string[] | string
/** Id of the invoice, begins with in_. */
export type InvoiceId = string
/**
 * Begins the numbers of the customer's invoices, 3 to 12 capitals or digits.
 * Matches `^[A-Z0-9]{3,12}$`.
 */
export type InvoicePrefix = string
/**
 * Page size. Stripe takes 10 by default.
 * At least 1, at most 100.
 */
export type Limit = number
/**
 * Features that a price list shows. Empty text takes them away.
 * At least 1 element, at most 15 elements, as text only the empty one.
 */
export type MarketingFeatures = {
  /** At most 80 characters. */
  name: string
}[] | string
/**
 * Features that a price list shows.
 * At least 1 element, at most 15 elements.
 */
export type NewMarketingFeatures = {
  /** At most 80 characters. */
  name: string
}[]
/**
 * Size in inches and weight in ounces. Empty text takes it away.
 * As text only the empty one.
 */
export type PackageDimensions = {
  height: number
  length: number
  weight: number
  width: number
} | string
/**
 * Stops payments for a time. Empty text goes on.
 * As text only the empty one.
 */
export type PauseCollection = ({
  /** What becomes of the invoices. */
  behavior: "keep_as_draft" | "mark_uncollectible" | "void"
  /** When payments go on, in seconds since 1970. */
  resumes_at?: number
} | string)
/** What becomes of the subscription where the first payment fails. */
export type PaymentBehavior = "allow_incomplete" | "default_incomplete" | "error_if_incomplete" | "pending_if_incomplete"
/** Id of the payment intent, begins with pi_. */
export type PaymentIntentId = string
/**
 * Where goods go. Empty text takes it away.
 * As text only the empty one.
 */
export type PaymentShipping = {
  address: PostalAddress
  /** Name of the recipient. */
  name: string
  /** Who brings it, for example FedEx. */
  carrier?: string
  /** Phone of the recipient. */
  phone?: string
  /** Tracking numbers, joined by commas. */
  tracking_number?: string
} | string
/** Id of the payout, begins with po_. */
export type PayoutId = string
/** Id of the price, begins with price_. */
export type PriceId = string
/** Id of the product, begins with prod_ unless you chose it. */
export type ProductId = string
/** Whether a part of a period is charged by its length. Stripe takes create_prorations by default. */
export type ProrationBehavior = "create_prorations" | "always_invoice" | "none"
/** Id of the refund, begins with re_. */
export type RefundId = string
/**
 * Where goods go. Empty text takes it away.
 * As text only the empty one.
 */
export type Shipping = {
  address: PostalAddress
  /** Name of the recipient. */
  name: string
  /** Phone of the recipient. */
  phone?: string
} | string
/** Id of the last record of the page before. Leave out for the first page. */
export type StartingAfter = string
/**
 * Text on the payer's bank statement; up to 22 characters, none of < > \ ' " *.
 * At most 22 characters.
 */
export type StatementDescriptor = string
/** Id of the subscription, begins with sub_. */
export type SubscriptionId = string
/** Whether the amount holds the tax already. */
export type TaxBehavior = "exclusive" | "inclusive" | "unspecified"
/**
 * Ids of tax rates. Empty text takes them away.
 * At least 1 element, as text only the empty one.
 */
export type TaxRates = string[] | string
/** Signing secret of the webhook endpoint that Stripe sends events of this account to. */
export type WebhookSecret = string

export interface BalanceRecord {
  available?: Record<string, unknown>[]
  connect_reserved?: Record<string, unknown>[]
  instant_available?: Record<string, unknown>[]
  issuing?: Record<string, unknown>
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  object?: string
  pending?: Record<string, unknown>[]
  refund_and_dispute_prefunding?: Record<string, unknown>
  [member: string]: unknown
}
export interface BalanceTransactionsRecord {
  /** In the smallest unit of the currency. */
  amount?: number
  /** In seconds since 1970. */
  available_on?: number
  balance_type?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  description?: string | null
  exchange_rate?: number | null
  fee?: number
  fee_details?: Record<string, unknown>[]
  id?: string
  /** amount less fee. */
  net?: number
  object?: string
  reporting_category?: string
  /** Id of what moved the money, or that object where expand names it. */
  source?: string | Record<string, unknown> | null
  /** available or pending. */
  status?: string
  type?: string
  [member: string]: unknown
}
export interface ChargesRecord {
  /** In the smallest unit of the currency. */
  amount?: number
  amount_captured?: number
  amount_refunded?: number
  application?: string | Record<string, unknown> | null
  application_fee?: string | Record<string, unknown> | null
  application_fee_amount?: number | null
  authorization_code?: string
  /** Names a record of `balance_transactions`. */
  balance_transaction?: string | Record<string, unknown> | null
  billing_details?: Record<string, unknown>
  calculated_statement_descriptor?: string | null
  captured?: boolean
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown> | null
  description?: string | null
  disputed?: boolean
  /** Names a record of `balance_transactions`. */
  failure_balance_transaction?: string | Record<string, unknown> | null
  failure_code?: string | null
  failure_message?: string | null
  fraud_details?: Record<string, unknown> | null
  id?: string
  level3?: Record<string, unknown>
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown>
  object?: string
  on_behalf_of?: string | Record<string, unknown> | null
  outcome?: Record<string, unknown> | null
  paid?: boolean
  /** Names a record of `payment_intents`. */
  payment_intent?: string | Record<string, unknown> | null
  payment_method?: string | null
  payment_method_details?: Record<string, unknown> | null
  presentment_details?: Record<string, unknown>
  radar_options?: Record<string, unknown>
  receipt_email?: string | null
  receipt_number?: string | null
  receipt_url?: string | null
  refunded?: boolean
  /** Sent only where expand names it. */
  refunds?: Record<string, unknown> | null
  review?: string | Record<string, unknown> | null
  shipping?: Record<string, unknown> | null
  source?: Record<string, unknown> | null
  source_transfer?: string | Record<string, unknown> | null
  statement_descriptor?: string | null
  statement_descriptor_suffix?: string | null
  /** succeeded, pending or failed. */
  status?: string
  transfer?: string | Record<string, unknown>
  transfer_data?: Record<string, unknown> | null
  transfer_group?: string | null
  [member: string]: unknown
}
export interface CustomersRecord {
  address?: Record<string, unknown> | null
  /** Credit (negative) or debt (positive), in the smallest unit of the currency. */
  balance?: number
  business_name?: string
  /** Sent only where expand names it. */
  cash_balance?: Record<string, unknown> | null
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string | null
  customer_account?: string | null
  default_source?: string | Record<string, unknown> | null
  /** True where only the id of a deleted customer is left. */
  deleted?: boolean
  delinquent?: boolean | null
  description?: string | null
  discount?: Record<string, unknown> | null
  /** E-mail address. */
  email?: string | null
  id?: string
  individual_name?: string
  /** Sent only where expand names it. */
  invoice_credit_balance?: Record<string, unknown>
  invoice_prefix?: string | null
  invoice_settings?: Record<string, unknown>
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown>
  name?: string | null
  next_invoice_sequence?: number
  object?: string
  phone?: string | null
  preferred_locales?: string[] | null
  shipping?: Record<string, unknown> | null
  /** Sent only where expand names it. */
  sources?: Record<string, unknown>
  /** Sent only where expand names it. */
  subscriptions?: Record<string, unknown>
  /** Sent only where expand names it. */
  tax?: Record<string, unknown>
  tax_exempt?: string | null
  /** Sent only where expand names it. */
  tax_ids?: Record<string, unknown>
  test_clock?: string | Record<string, unknown> | null
  [member: string]: unknown
}
export interface DisputesRecord {
  /** What is disputed, in the smallest unit of the currency. */
  amount?: number
  /** What has moved on the balance for it. */
  balance_transactions?: Record<string, unknown>[]
  /** Names a record of `charges`. */
  charge?: string | Record<string, unknown>
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  enhanced_eligibility_types?: string[]
  /** What was given to prove the payment; files by their ids. */
  evidence?: Record<string, unknown>
  /**
   * due_by is when evidence must be there, in seconds since 1970; submission_count how often it was sent.
   */
  evidence_details?: Record<string, unknown>
  id?: string
  intended_submission_method?: string | null
  /** Whether a refund still ends it. */
  is_charge_refundable?: boolean
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown>
  network_reason_code?: string | null
  object?: string
  /** Names a record of `payment_intents`. */
  payment_intent?: string | Record<string, unknown> | null
  payment_method_details?: Record<string, unknown>
  /** What the cardholder says, for example fraudulent or product_not_received. */
  reason?: string
  /**
   * needs_response, under_review, won, lost, prevented, or the same with warning_ or appeal_ before it, and warning_closed.
   */
  status?: string
  [member: string]: unknown
}
export interface EventsRecord {
  account?: string
  api_version?: string | null
  context?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** object holds what the event is about; previous_attributes what an update changed. */
  data?: Record<string, unknown>
  id?: string
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  object?: string
  pending_webhooks?: number
  /** The API request that caused it, with its id and idempotency key. */
  request?: Record<string, unknown> | null
  type?: string
  [member: string]: unknown
}
export interface FilesRecord {
  /** Time of creation, in seconds since 1970. */
  created?: number
  /**
   * In seconds since 1970; null for never.
   * In seconds since 1970.
   */
  expires_at?: number | null
  filename?: string | null
  id?: string
  links?: Record<string, unknown> | null
  object?: string
  purpose?: string
  /** Bytes. */
  size?: number
  title?: string | null
  type?: string | null
  /** Address of the content. It needs credentials: use file_contents.download. */
  url?: string | null
  [member: string]: unknown
}
export interface InvoiceItemsRecord {
  /** In the smallest unit of the currency. */
  amount?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown>
  customer_account?: string | null
  date?: number
  description?: string | null
  discountable?: boolean
  discounts?: ((string | Record<string, unknown>)[] | null)
  frozen_fields?: string[]
  id?: string
  /** Names a record of `invoices`. */
  invoice?: string | Record<string, unknown> | null
  invoicing_rules?: Record<string, unknown>[]
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown> | null
  net_amount?: number
  object?: string
  parent?: Record<string, unknown> | null
  period?: Record<string, unknown>
  /** The price, with its product and unit amount. */
  pricing?: Record<string, unknown> | null
  proration?: boolean
  proration_details?: Record<string, unknown>
  quantity?: number
  quantity_decimal?: string
  tax_rates?: Record<string, unknown>[] | null
  test_clock?: string | Record<string, unknown> | null
  [member: string]: unknown
}
export interface InvoicesRecord {
  account_country?: string | null
  account_name?: string | null
  account_tax_ids?: ((string | Record<string, unknown>)[] | null)
  /** In the smallest unit of the currency. */
  amount_due?: number
  amount_overpaid?: number
  amount_paid?: number
  amount_paid_off_stripe?: number
  amount_remaining?: number
  amount_shipping?: number
  application?: string | Record<string, unknown> | null
  attempt_count?: number
  attempted?: boolean
  auto_advance?: boolean
  automatic_tax?: Record<string, unknown>
  /** In seconds since 1970. */
  automatically_finalizes_at?: number | null
  billing_reason?: string | null
  collection_method?: string
  /** Sent only where expand names it. */
  confirmation_secret?: Record<string, unknown> | null
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  custom_fields?: Record<string, unknown>[] | null
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown> | null
  customer_account?: string | null
  customer_address?: Record<string, unknown> | null
  customer_email?: string | null
  customer_name?: string | null
  customer_phone?: string | null
  customer_shipping?: Record<string, unknown> | null
  customer_tax_exempt?: string | null
  customer_tax_ids?: Record<string, unknown>[] | null
  default_payment_method?: string | Record<string, unknown> | null
  default_source?: string | Record<string, unknown> | null
  default_tax_rates?: Record<string, unknown>[]
  description?: string | null
  discounts?: (string | Record<string, unknown>)[]
  /** In seconds since 1970. */
  due_date?: number | null
  /** In seconds since 1970. */
  effective_at?: number | null
  ending_balance?: number | null
  footer?: string | null
  from_invoice?: Record<string, unknown> | null
  /** Page where the customer pays; there once the invoice is finalized. */
  hosted_invoice_url?: string | null
  id?: string
  /** Address of the PDF; there once the invoice is finalized. */
  invoice_pdf?: string | null
  issuer?: Record<string, unknown>
  last_finalization_error?: Record<string, unknown> | null
  latest_revision?: string | Record<string, unknown> | null
  /** The first lines, as a list object with data and has_more. */
  lines?: Record<string, unknown>
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown> | null
  /** In seconds since 1970. */
  next_payment_attempt?: number | null
  /** Number for people; there once the invoice is finalized. */
  number?: string | null
  object?: string
  on_behalf_of?: string | Record<string, unknown> | null
  /** What made the invoice: a subscription or a quote, with its id. */
  parent?: Record<string, unknown> | null
  payment_settings?: Record<string, unknown>
  /** Sent only where expand names it. */
  payments?: Record<string, unknown>
  /** In seconds since 1970. */
  period_end?: number
  /** In seconds since 1970. */
  period_start?: number
  post_payment_credit_notes_amount?: number
  pre_payment_credit_notes_amount?: number
  receipt_number?: string | null
  rendering?: Record<string, unknown> | null
  shipping_cost?: Record<string, unknown> | null
  shipping_details?: Record<string, unknown> | null
  starting_balance?: number
  statement_descriptor?: string | null
  /** draft, open, paid, uncollectible or void. */
  status?: string | null
  status_details?: Record<string, unknown>
  status_transitions?: Record<string, unknown>
  subtotal?: number
  subtotal_excluding_tax?: number | null
  test_clock?: string | Record<string, unknown> | null
  threshold_reason?: Record<string, unknown>
  total?: number
  total_discount_amounts?: Record<string, unknown>[] | null
  total_excluding_tax?: number | null
  total_pretax_credit_amounts?: Record<string, unknown>[] | null
  total_taxes?: Record<string, unknown>[] | null
  /** In seconds since 1970. */
  webhooks_delivered_at?: number | null
  [member: string]: unknown
}
export interface PaymentIntentsRecord {
  allowed_payment_method_types?: string[] | null
  /** In the smallest unit of the currency. */
  amount?: number
  amount_capturable?: number
  amount_details?: Record<string, unknown>
  amount_received?: number
  application?: string | Record<string, unknown> | null
  application_fee_amount?: number | null
  automatic_payment_methods?: Record<string, unknown> | null
  /** In seconds since 1970. */
  canceled_at?: number | null
  cancellation_reason?: string | null
  capture_method?: string
  /** For the payer's browser only: not to be kept or logged. */
  client_secret?: string | null
  confirmation_method?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown> | null
  customer_account?: string | null
  description?: string | null
  excluded_payment_method_types?: string[] | null
  hooks?: Record<string, unknown>
  id?: string
  last_payment_error?: Record<string, unknown> | null
  /** Names a record of `charges`. */
  latest_charge?: string | Record<string, unknown> | null
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  managed_payments?: Record<string, unknown> | null
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown>
  next_action?: Record<string, unknown> | null
  object?: string
  on_behalf_of?: string | Record<string, unknown> | null
  payment_details?: Record<string, unknown>
  payment_method?: string | Record<string, unknown> | null
  payment_method_configuration_details?: Record<string, unknown> | null
  payment_method_options?: Record<string, unknown> | null
  payment_method_types?: string[]
  payment_record?: string | Record<string, unknown> | null
  presentment_details?: Record<string, unknown>
  processing?: Record<string, unknown> | null
  receipt_email?: string | null
  review?: string | Record<string, unknown> | null
  setup_future_usage?: string | null
  shipping?: Record<string, unknown> | null
  source?: string | Record<string, unknown> | null
  statement_descriptor?: string | null
  statement_descriptor_suffix?: string | null
  /**
   * requires_payment_method, requires_confirmation, requires_action, processing, requires_capture, canceled or succeeded.
   */
  status?: string
  transfer_data?: Record<string, unknown> | null
  transfer_group?: string | null
  [member: string]: unknown
}
export interface PaymentMethodsRecord {
  allow_redisplay?: string
  /** Name, address, e-mail and phone of the payer. */
  billing_details?: Record<string, unknown>
  /** Brand, last four digits and expiry. Only of cards. */
  card?: Record<string, unknown>
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown> | null
  customer_account?: string | null
  id?: string
  /** Only of Link. */
  link?: Record<string, unknown>
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown> | null
  object?: string
  /** Only of PayPal. */
  paypal?: Record<string, unknown>
  radar_options?: Record<string, unknown>
  /** Only of SEPA debits. */
  sepa_debit?: Record<string, unknown>
  /** Kind, for example card. The member of that name has the details. */
  type?: string
  /** Only of bank accounts in the USA. */
  us_bank_account?: Record<string, unknown>
  [member: string]: unknown
}
export interface PayoutsRecord {
  /** In the smallest unit of the currency. */
  amount?: number
  application_fee?: string | Record<string, unknown> | null
  application_fee_amount?: number | null
  /** When it is expected at the bank, in seconds since 1970. */
  arrival_date?: number
  /** Whether a schedule made it. */
  automatic?: boolean
  /** Names a record of `balance_transactions`. */
  balance_transaction?: string | Record<string, unknown> | null
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  description?: string | null
  /** Bank account or card that it goes to. */
  destination?: string | Record<string, unknown> | null
  /** Names a record of `balance_transactions`. */
  failure_balance_transaction?: string | Record<string, unknown> | null
  failure_code?: string | null
  failure_message?: string | null
  id?: string
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown> | null
  /** standard or instant. */
  method?: string
  object?: string
  /**
   * The payout that this one reverses.
   * Names a record of `payouts`.
   */
  original_payout?: string | Record<string, unknown> | null
  payout_method?: string | null
  /** completed, in_progress or not_applicable. */
  reconciliation_status?: string
  /**
   * The payout that reverses this one.
   * Names a record of `payouts`.
   */
  reversed_by?: string | Record<string, unknown> | null
  /** card, fpx or bank_account. */
  source_type?: string
  statement_descriptor?: string | null
  /** pending, in_transit, paid, failed or canceled. */
  status?: string
  trace_id?: Record<string, unknown> | null
  /** bank_account or card. */
  type?: string
  [member: string]: unknown
}
export interface PricesRecord {
  active?: boolean
  billing_scheme?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  /** Sent only where expand names it. */
  currency_options?: Record<string, unknown>
  custom_unit_amount?: Record<string, unknown> | null
  id?: string
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  lookup_key?: string | null
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown>
  nickname?: string | null
  object?: string
  /** Names a record of `products`. */
  product?: string | Record<string, unknown>
  recurring?: Record<string, unknown> | null
  tax_behavior?: string | null
  /** Sent only where expand names it. */
  tiers?: Record<string, unknown>[]
  tiers_mode?: string | null
  transform_quantity?: Record<string, unknown> | null
  /** one_time or recurring. */
  type?: string
  /** In the smallest unit of the currency; null for tiers and for what the payer chooses. */
  unit_amount?: number | null
  /** The same as text, with up to 12 decimals. */
  unit_amount_decimal?: string | null
  [member: string]: unknown
}
export interface ProductsRecord {
  active?: boolean
  /** Time of creation, in seconds since 1970. */
  created?: number
  /**
   * Id of the price, or the price where expand names it.
   * Names a record of `prices`.
   */
  default_price?: string | Record<string, unknown> | null
  /** True where only the id of a deleted product is left. */
  deleted?: boolean
  description?: string | null
  id?: string
  images?: string[]
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  marketing_features?: Record<string, unknown>[]
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown>
  name?: string
  object?: string
  package_dimensions?: Record<string, unknown> | null
  shippable?: boolean | null
  statement_descriptor?: string | null
  tax_code?: string | Record<string, unknown> | null
  tax_details?: Record<string, unknown> | null
  type?: string
  unit_label?: string | null
  /** Time of the last change, in seconds since 1970. */
  updated?: number
  url?: string | null
  [member: string]: unknown
}
export interface RefundsRecord {
  /** In the smallest unit of the currency. */
  amount?: number
  /** Names a record of `balance_transactions`. */
  balance_transaction?: string | Record<string, unknown> | null
  /** Names a record of `charges`. */
  charge?: string | Record<string, unknown> | null
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown> | null
  customer_account?: string | null
  description?: string
  destination_details?: Record<string, unknown>
  /** Names a record of `balance_transactions`. */
  failure_balance_transaction?: string | Record<string, unknown>
  failure_reason?: string
  id?: string
  instructions_email?: string
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown> | null
  next_action?: Record<string, unknown>
  object?: string
  /** Names a record of `payment_intents`. */
  payment_intent?: string | Record<string, unknown> | null
  payment_method?: string | Record<string, unknown> | null
  pending_reason?: string
  presentment_details?: Record<string, unknown>
  reason?: string | null
  receipt_number?: string | null
  source_transfer_reversal?: string | Record<string, unknown> | null
  /** pending, requires_action, succeeded, failed or canceled. */
  status?: string | null
  transfer_reversal?: string | Record<string, unknown> | null
  [member: string]: unknown
}
export interface SubscriptionsRecord {
  application?: string | Record<string, unknown> | null
  application_fee_percent?: number | null
  automatic_tax?: Record<string, unknown>
  /** In seconds since 1970. */
  billing_cycle_anchor?: number
  billing_cycle_anchor_config?: Record<string, unknown> | null
  billing_mode?: Record<string, unknown>
  billing_schedules?: Record<string, unknown>[]
  billing_thresholds?: Record<string, unknown> | null
  /** In seconds since 1970. */
  cancel_at?: number | null
  cancel_at_period_end?: boolean
  /** In seconds since 1970. */
  canceled_at?: number | null
  cancellation_details?: Record<string, unknown> | null
  collection_method?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown>
  customer_account?: string | null
  days_until_due?: number | null
  default_payment_method?: string | Record<string, unknown> | null
  default_source?: string | Record<string, unknown> | null
  default_tax_rates?: Record<string, unknown>[] | null
  description?: string | null
  discounts?: (string | Record<string, unknown>)[]
  /** In seconds since 1970. */
  ended_at?: number | null
  id?: string
  invoice_settings?: Record<string, unknown>
  /** The subscribed prices, as a list object; each item has its current period. */
  items?: Record<string, unknown>
  /** Names a record of `invoices`. */
  latest_invoice?: string | Record<string, unknown> | null
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  managed_payments?: Record<string, unknown> | null
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown>
  /** In seconds since 1970. */
  next_pending_invoice_item_invoice?: number | null
  object?: string
  on_behalf_of?: string | Record<string, unknown> | null
  pause_collection?: Record<string, unknown> | null
  payment_settings?: Record<string, unknown> | null
  pending_invoice_item_interval?: Record<string, unknown> | null
  pending_setup_intent?: string | Record<string, unknown> | null
  pending_update?: Record<string, unknown> | null
  presentment_details?: Record<string, unknown>
  schedule?: string | Record<string, unknown> | null
  /** In seconds since 1970. */
  start_date?: number
  /** incomplete, incomplete_expired, trialing, active, past_due, canceled, unpaid or paused. */
  status?: string
  status_details?: Record<string, unknown>
  test_clock?: string | Record<string, unknown> | null
  transfer_data?: Record<string, unknown> | null
  /** In seconds since 1970. */
  trial_end?: number | null
  trial_settings?: Record<string, unknown> | null
  /** In seconds since 1970. */
  trial_start?: number | null
  [member: string]: unknown
}
/** Whether Stripe finds the tax. */
export interface AutomaticTax {
  enabled: boolean
  /** Who owes the tax. */
  liability?: {
    type: "account" | "self"
    /** Only with type account. */
    account?: string
  }
}
/**
 * Why it was canceled.
 * At least 1 member.
 */
export interface CancellationDetails {
  /** In the words of the customer. */
  comment?: string
  feedback?: "customer_service" | "low_quality" | "missing_features" | "other" | "switched_service" | "too_complex" | "too_expensive" | "unused" | ""
}
/** Where goods went. */
export interface ChargeShipping {
  address: PostalAddress
  /** Name of the recipient. */
  name: string
  /** Who brings it, for example FedEx. */
  carrier?: string
  /** Phone of the recipient. */
  phone?: string
  /** Tracking numbers, joined by commas. */
  tracking_number?: string
}
/** Amounts in further currencies, for example {"usd":{"unit_amount":1200}}. */
export interface CurrencyOptions {
  [member: string]: unknown
}
/** The payer says how much. */
export interface CustomUnitAmount {
  enabled: true
  maximum?: number
  minimum?: number
  preset?: number
}
/**
 * Defaults for the customer's invoices.
 * At least 1 member.
 */
export interface CustomerInvoiceSettings {
  custom_fields?: CustomFields
  /** Id of the payment method that is charged. */
  default_payment_method?: string
  /** Text at the end. */
  footer?: string
  /** How the PDF looks. */
  rendering_options?: Record<string, unknown>
}
/**
 * Where the customer is taxed.
 * At least 1 member.
 */
export interface CustomerTax {
  /** Address on the internet that the place is taken from. Empty text takes it away. */
  ip_address?: string
  /** When the place is checked. */
  validate_location?: "deferred" | "immediately" | "auto"
}
/** Makes a price with the product. */
export interface DefaultPriceData {
  currency: Currency
  metadata?: NewMetadata
  recurring?: {
    interval: "day" | "week" | "month" | "year"
    /** At least 1. */
    interval_count?: number
  }
  tax_behavior?: TaxBehavior
  /**
   * In the smallest unit of the currency.
   * At least 0.
   */
  unit_amount?: number
  unit_amount_decimal?: Decimal
}
/** Revises an invoice. */
export interface FromInvoice {
  action: "revision"
  /** Id of the invoice. */
  invoice: string
}
/** A price that is made for this only. */
export interface ItemPriceData {
  currency: Currency
  /** Id of the product. */
  product: string
  recurring: {
    interval: "day" | "week" | "month" | "year"
    /** At least 1. */
    interval_count?: number
  }
  tax_behavior?: TaxBehavior
  /** In the smallest unit of the currency. */
  unit_amount?: number
  unit_amount_decimal?: Decimal
}
/** Texts by key, of your own; keys that are not given stay, empty text takes a key away. */
export interface Metadata {
  /** At most 500 characters. */
  [member: string]: string
}
/**
 * Where the customer is taxed.
 * At least 1 member.
 */
export interface NewCustomerTax {
  /** Address on the internet that the place is taken from. */
  ip_address?: string
  /** When the place is checked. */
  validate_location?: "deferred" | "immediately"
}
/** Up to 50 texts by key, of your own. */
export interface NewMetadata {
  /** At most 500 characters. */
  [member: string]: string
}
/** Size in inches and weight in ounces. */
export interface NewPackageDimensions {
  height: number
  length: number
  weight: number
  width: number
}
/** At least 1 member. */
export interface NewSubscriptionItem {
  discounts?: Discounts
  metadata?: NewMetadata
  /** Id of the price. */
  price?: string
  price_data?: ItemPriceData
  /**
   * How many.
   * At least 0.
   */
  quantity?: number
  tax_rates?: TaxRates
}
/** Options by kind, for example {"card":{"request_three_d_secure":"any"}}. */
export interface PaymentMethodOptions {
  [member: string]: unknown
}
/**
 * How invoices are paid.
 * At least 1 member.
 */
export interface PaymentSettings {
  /** Options by kind. */
  payment_method_options?: Record<string, unknown>
  /**
   * Kinds of payment method, for example card.
   * At least 1 element.
   */
  payment_method_types?: string[]
  /** Whether the one that paid becomes the default. */
  save_default_payment_method?: "off" | "on_subscription"
}
/**
 * Only records of this time. Seconds since 1970.
 * At least 1 member.
 */
export interface Period {
  /**
   * After.
   * In seconds since 1970.
   */
  gt?: number
  /**
   * At or after.
   * In seconds since 1970.
   */
  gte?: number
  /**
   * Before.
   * In seconds since 1970.
   */
  lt?: number
  /**
   * At or before.
   * In seconds since 1970.
   */
  lte?: number
}
/** Postal address. */
export interface PostalAddress {
  city?: string
  /** ISO code of two letters. */
  country?: string
  /** Street. */
  line1?: string
  /** Flat, building. */
  line2?: string
  postal_code?: string
  /** State, county or province. */
  state?: string
}
/** A price that is made for this only. */
export interface PriceData {
  currency: Currency
  /** Id of the product. */
  product: string
  tax_behavior?: TaxBehavior
  /** In the smallest unit of the currency. */
  unit_amount?: number
  unit_amount_decimal?: Decimal
}
/** Makes the product with the price. */
export interface PriceProductData {
  /** Name that customers see. */
  name: string
  active?: boolean
  /** Id of your own. */
  id?: string
  metadata?: NewMetadata
  statement_descriptor?: StatementDescriptor
  /** Id of a tax code. */
  tax_code?: string
  /** What is counted. */
  unit_label?: string
}
/** How often it is paid. */
export interface Recurring {
  interval: "day" | "week" | "month" | "year"
  /**
   * How many of them, up to three years.
   * At least 1.
   */
  interval_count?: number
  /** Id of the meter. Only with usage_type metered. */
  meter?: string
  /**
   * Days of trial by default.
   * At least 0.
   */
  trial_period_days?: number
  /** Whether use is measured. */
  usage_type?: "licensed" | "metered"
}
export interface SearchParams2 {
  /**
   * Query, for example status:'active' AND metadata['order']:'6735'. Operators are : for equal, ~ for a part of a text, < > <= >= for numbers; - in front says not; AND or OR joins conditions, not both. What was written within the last minute may be missing.
   */
  query: string
  expand?: ExpandList
  limit?: Limit
  /** Cursor of the page before. Leave out for the first page. */
  page?: string
  [member: string]: unknown
}
/** At least 1 member. */
export interface SubscriptionItem {
  /** Whether its use is forgotten. Only with deleted. */
  clear_usage?: boolean
  /** Whether the item goes. */
  deleted?: boolean
  discounts?: Discounts
  /** Id of the item, begins with si_. Left out for a new one. */
  id?: string
  metadata?: Metadata
  /** Id of the price. */
  price?: string
  price_data?: ItemPriceData
  /**
   * How many.
   * At least 0.
   */
  quantity?: number
  tax_rates?: TaxRates
}
export interface TaxId {
  /** Kind, for example eu_vat. */
  type: string
  /** The number. */
  value: string
}
export interface Tier {
  /**
   * Last unit of the tier, or inf.
   * As text matches `^inf$`.
   */
  up_to: number | string
  flat_amount?: number
  flat_amount_decimal?: Decimal
  unit_amount?: number
  unit_amount_decimal?: Decimal
}
/** Where the money goes on to. */
export interface TransferData {
  /** Id of the connected account. */
  destination: string
  /**
   * In the smallest unit of the currency. Default: all of it.
   * At least 0.
   */
  amount?: number
}
/** Counts packages in place of units. */
export interface TransformQuantity {
  /** At least 1. */
  divide_by: number
  round: "up" | "down"
}
/** What happens when the trial ends. */
export interface TrialSettings {
  /** At least 1 member. */
  end_behavior: {
    missing_payment_method?: "cancel" | "create_invoice" | "pause"
  }
}
export interface BalanceGetParams {
  expand?: Expand
}
export interface BalanceTransactionsGetParams {
  /** Id of the transaction, begins with txn_. */
  balance_transaction: string
  expand?: Expand
}
export interface BalanceTransactionsListParams {
  created?: Period
  currency?: Currency
  expand?: ExpandList
  limit?: Limit
  /** Only what this automatic payout paid out. */
  payout?: string
  /** Only what this object caused. */
  source?: string
  starting_after?: StartingAfter
  /** Only this kind, for example charge, refund or payout. */
  type?: string
}
export interface ChargesApiSearchParams {
  /**
   * Query, for example status:'active' AND metadata['order']:'6735'. Operators are : for equal, ~ for a part of a text, < > <= >= for numbers; - in front says not; AND or OR joins conditions, not both. What was written within the last minute may be missing.
   */
  query: string
  expand?: ExpandList
  limit?: Limit
  /** Cursor of the page before. Leave out for the first page. */
  page?: string
}
export interface ChargesGetParams {
  charge: ChargeId
  expand?: Expand
}
export interface ChargesListParams {
  created?: Period
  /** Only charges of this customer. */
  customer?: string
  expand?: ExpandList
  limit?: Limit
  /** Only charges of this payment intent. */
  payment_intent?: string
  starting_after?: StartingAfter
  /** Only charges of this transfer group. */
  transfer_group?: string
}
export interface ChargesUpdateParams {
  charge: ChargeId
  /** Id of a customer, for a charge that has none yet. */
  customer?: string
  /** Text for yourself. Empty text takes it away. */
  description?: string
  expand?: Expand
  /** What you know of fraud. */
  fraud_details?: {
    /** Empty text takes it away. */
    user_report: "fraudulent" | "safe" | ""
  }
  metadata?: Metadata
  /** Address that gets a receipt. */
  receipt_email?: string
  shipping?: ChargeShipping
  /** Text that joins charges and transfers. */
  transfer_group?: string
}
export interface CustomersApiSearchParams {
  /**
   * Query, for example status:'active' AND metadata['order']:'6735'. Operators are : for equal, ~ for a part of a text, < > <= >= for numbers; - in front says not; AND or OR joins conditions, not both. What was written within the last minute may be missing.
   */
  query: string
  expand?: ExpandList
  limit?: Limit
  /** Cursor of the page before. Leave out for the first page. */
  page?: string
}
export interface CustomersCreateParams {
  address?: Address
  balance?: CustomerBalance
  /** Name of the business. */
  business_name?: string
  /** Text for yourself, not shown to the customer. */
  description?: string
  /**
   * E-mail address.
   * At most 512 characters.
   */
  email?: string
  expand?: Expand
  /** Name of the person. */
  individual_name?: string
  invoice_prefix?: InvoicePrefix
  invoice_settings?: CustomerInvoiceSettings
  metadata?: NewMetadata
  /**
   * Full name or name of the business.
   * At most 256 characters.
   */
  name?: string
  /**
   * Number of the next invoice of this customer.
   * At least 1.
   */
  next_invoice_sequence?: number
  /** Id of the payment method to attach. */
  payment_method?: string
  /**
   * Phone number.
   * At most 20 characters.
   */
  phone?: string
  /**
   * Languages, the preferred one first.
   * At least 1 element.
   */
  preferred_locales?: string[]
  shipping?: Shipping
  tax?: NewCustomerTax
  /** Whether tax is charged. */
  tax_exempt?: "none" | "exempt" | "reverse"
  /**
   * Tax ids.
   * At least 1 element, at most 5 elements.
   */
  tax_id_data?: TaxId[]
  /** Test clock to attach the customer to. */
  test_clock?: string
}
export interface CustomersDeleteParams {
  customer: CustomerId
}
export interface CustomersGetParams {
  customer: CustomerId
  expand?: Expand
}
export interface CustomersListParams {
  created?: Period
  /** Only customers with exactly this address; case counts. */
  email?: string
  expand?: ExpandList
  limit?: Limit
  starting_after?: StartingAfter
  /** Only customers of this test clock. */
  test_clock?: string
}
export interface CustomersUpdateParams {
  customer: CustomerId
  address?: Address
  balance?: CustomerBalance
  /** Name of the business. Empty text takes it away. */
  business_name?: string
  /** Id of the source that is charged by default. */
  default_source?: string
  /** Text for yourself. Empty text takes it away. */
  description?: string
  /**
   * E-mail address. Empty text takes it away.
   * At most 512 characters.
   */
  email?: string
  expand?: Expand
  /** Name of the person. Empty text takes it away. */
  individual_name?: string
  invoice_prefix?: InvoicePrefix
  invoice_settings?: CustomerInvoiceSettings
  metadata?: Metadata
  /**
   * Full name or name of the business. Empty text takes it away.
   * At most 256 characters.
   */
  name?: string
  /**
   * Number of the next invoice of this customer.
   * At least 1.
   */
  next_invoice_sequence?: number
  /**
   * Phone number. Empty text takes it away.
   * At most 20 characters.
   */
  phone?: string
  /**
   * Languages, the preferred one first.
   * At least 1 element.
   */
  preferred_locales?: string[]
  shipping?: Shipping
  tax?: CustomerTax
  /** Whether tax is charged. Empty text takes it away. */
  tax_exempt?: "none" | "exempt" | "reverse" | ""
}
export interface DisputesGetParams {
  dispute: DisputeId
  expand?: Expand
}
export interface DisputesListParams {
  /** Only disputes of this charge. */
  charge?: string
  created?: Period
  expand?: ExpandList
  limit?: Limit
  /** Only disputes of this payment intent. */
  payment_intent?: string
  starting_after?: StartingAfter
}
export interface DisputesUpdateParams {
  dispute: DisputeId
  /**
   * At most 150,000 characters in all. A member that is not given stays; the empty text takes it away.
   * At least 1 member.
   */
  evidence?: {
    access_activity_log?: string
    /** Evidence for an appeal, by the kind of card. */
    appeal?: Record<string, unknown>
    billing_address?: string
    /** Id of a file with the purpose dispute_evidence. */
    cancellation_policy?: string
    cancellation_policy_disclosure?: string
    cancellation_rebuttal?: string
    /** Id of a file with the purpose dispute_evidence. */
    customer_communication?: string
    customer_email_address?: string
    customer_name?: string
    customer_purchase_ip?: string
    /** Id of a file with the purpose dispute_evidence. */
    customer_signature?: string
    /** Id of a file with the purpose dispute_evidence. */
    duplicate_charge_documentation?: string
    duplicate_charge_explanation?: string
    duplicate_charge_id?: string
    /** Evidence for programs of the card networks, such as visa_compelling_evidence_3. */
    enhanced_evidence?: Record<string, unknown>
    product_description?: string
    /** Id of a file with the purpose dispute_evidence. */
    receipt?: string
    /** Id of a file with the purpose dispute_evidence. */
    refund_policy?: string
    refund_policy_disclosure?: string
    refund_refusal_explanation?: string
    service_date?: string
    /** Id of a file with the purpose dispute_evidence. */
    service_documentation?: string
    shipping_address?: string
    shipping_carrier?: string
    shipping_date?: string
    /** Id of a file with the purpose dispute_evidence. */
    shipping_documentation?: string
    shipping_tracking_number?: string
    /** Id of a file with the purpose dispute_evidence. */
    uncategorized_file?: string
    uncategorized_text?: string
  }
  expand?: Expand
  /** Who is meant to answer. */
  intended_submission_method?: "manual" | "prefer_manual" | "prefer_smart_disputes" | "smart_disputes"
  metadata?: Metadata
  /** Whether evidence is sent to the bank now. Stripe sends it by default. */
  submit?: boolean
}
export interface DisputesCloseUpdateParams {
  dispute: DisputeId
  expand?: Expand
}
export interface DisputesCloseUpdateResult {
  /** What is disputed, in the smallest unit of the currency. */
  amount?: number
  /** What has moved on the balance for it. */
  balance_transactions?: Record<string, unknown>[]
  /** Names a record of `charges`. */
  charge?: string | Record<string, unknown>
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  enhanced_eligibility_types?: string[]
  /** What was given to prove the payment; files by their ids. */
  evidence?: Record<string, unknown>
  /**
   * due_by is when evidence must be there, in seconds since 1970; submission_count how often it was sent.
   */
  evidence_details?: Record<string, unknown>
  id?: string
  intended_submission_method?: string | null
  /** Whether a refund still ends it. */
  is_charge_refundable?: boolean
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown>
  network_reason_code?: string | null
  object?: string
  /** Names a record of `payment_intents`. */
  payment_intent?: string | Record<string, unknown> | null
  payment_method_details?: Record<string, unknown>
  /** What the cardholder says, for example fraudulent or product_not_received. */
  reason?: string
  /**
   * needs_response, under_review, won, lost, prevented, or the same with warning_ or appeal_ before it, and warning_closed.
   */
  status?: string
  [member: string]: unknown
}
export interface EventsGetParams {
  /** Id of the event, begins with evt_. */
  event: string
  expand?: Expand
}
export interface EventsListParams {
  created?: Period
  /** Only events that all webhook endpoints have taken (true) or that one has not (false). */
  delivery_success?: boolean
  expand?: ExpandList
  limit?: Limit
  starting_after?: StartingAfter
  /** Only this kind, for example invoice.paid; a group is charge.*. */
  type?: string
  /**
   * Only these kinds. Not together with type.
   * At least 1 element, at most 20 elements.
   */
  types?: string[]
}
export interface FileContentsDownloadParams {
  file: FileId
  /**
   * Part of the file: bytes=<start>-<end>, bytes=<start>- or bytes=-<last bytes>.
   * Matches `^bytes=(\d+-\d*|-\d+)$`.
   */
  range_header?: string
}
export interface FilesCreateParams {
  /** The file as base64. */
  content: string
  /** Its name, for example invoice.pdf. */
  filename: string
  /** What the file is for. */
  purpose: "account_requirement" | "additional_verification" | "business_icon" | "business_logo" | "customer_signature" | "dispute_evidence" | "identity_document" | "issuing_regulatory_reporting" | "pci_document" | "platform_terms_of_service" | "tax_document_user_upload" | "terminal_android_apk" | "terminal_reader_splashscreen" | "terminal_wifi_certificate" | "terminal_wifi_private_key"
  /**
   * Its content type, for example application/pdf.
   * At least 3 characters.
   */
  type: string
  /** Whether to make a link that anybody can open. */
  link?: boolean
  /** When that link ends, in seconds since 1970. Only with link. */
  link_expires_at?: number
}
export interface FilesGetParams {
  file: FileId
  expand?: Expand
}
export interface FilesListParams {
  created?: Period
  expand?: ExpandList
  limit?: Limit
  /** Only files for this purpose, for example dispute_evidence. */
  purpose?: string
  starting_after?: StartingAfter
}
export interface InvoiceItemsCreateParams {
  /** Id of the customer. */
  customer: string
  /** In the smallest unit of the currency; negative for a credit. Needs currency. */
  amount?: number
  currency?: Currency
  /** Text that the customer sees. */
  description?: string
  /** Whether discounts apply to it. */
  discountable?: boolean
  discounts?: Discounts
  expand?: Expand
  /** Id of a draft. */
  invoice?: string
  metadata?: Metadata
  /** What time it is for. */
  period?: {
    /**
     * In seconds since 1970.
     * In seconds since 1970.
     */
    end: number
    /**
     * In seconds since 1970.
     * In seconds since 1970.
     */
    start: number
  }
  price_data?: PriceData
  /** The price to charge. */
  pricing?: {
    /** Id of the price. */
    price: string
  }
  /**
   * How many.
   * At least 0.
   */
  quantity?: number
  /** Id of the subscription whose invoice takes it. */
  subscription?: string
  tax_behavior?: TaxBehavior
  /** Id of a tax code. */
  tax_code?: string
  /**
   * Ids of tax rates.
   * At least 1 element.
   */
  tax_rates?: string[]
  unit_amount_decimal?: Decimal
}
export interface InvoiceItemsDeleteParams {
  /** Id of the item, begins with ii_. */
  invoiceitem: string
}
export interface InvoiceItemsListParams {
  created?: Period
  /** Only items of this customer. */
  customer?: string
  expand?: ExpandList
  /** Only items of this invoice. */
  invoice?: string
  limit?: Limit
  /** Only items that no invoice has taken yet (true) or that one has (false). */
  pending?: boolean
  starting_after?: StartingAfter
}
export interface InvoicesApiSearchParams {
  /**
   * Query, for example status:'active' AND metadata['order']:'6735'. Operators are : for equal, ~ for a part of a text, < > <= >= for numbers; - in front says not; AND or OR joins conditions, not both. What was written within the last minute may be missing.
   */
  query: string
  expand?: ExpandList
  limit?: Limit
  /** Cursor of the page before. Leave out for the first page. */
  page?: string
}
export interface InvoicesCreateParams {
  application_fee_amount?: Fee
  /** Whether Stripe finalizes and collects it automatically. */
  auto_advance?: boolean
  automatic_tax?: AutomaticTax
  collection_method?: CollectionMethod
  currency?: Currency
  custom_fields?: CustomFields
  /** Id of the customer. */
  customer?: string
  /**
   * Days to pay. Only with collection_method send_invoice; this or due_date.
   * At least 0.
   */
  days_until_due?: number
  /** Id of the payment method to charge. */
  default_payment_method?: string
  /**
   * Ids of tax rates.
   * At least 1 element.
   */
  default_tax_rates?: string[]
  /** Text that the customer sees. */
  description?: string
  discounts?: Discounts
  /** Last day to pay, in seconds since 1970. Only with collection_method send_invoice. */
  due_date?: number
  /** Date that the invoice shows, in seconds since 1970. */
  effective_at?: number
  expand?: Expand
  /** Text at the end. */
  footer?: string
  from_invoice?: FromInvoice
  metadata?: Metadata
  /** Number of your own. Stripe makes one by default. */
  number?: string
  /** Account that the invoice is for. */
  on_behalf_of?: string
  /** What becomes of pending invoice items. Stripe takes exclude by default. */
  pending_invoice_items_behavior?: "exclude" | "include"
  statement_descriptor?: StatementDescriptor
  /** Id of a subscription whose pending items are invoiced. */
  subscription?: string
}
export interface InvoicesDeleteParams {
  invoice: InvoiceId
}
export interface InvoicesGetParams {
  invoice: InvoiceId
  expand?: Expand
}
export interface InvoicesListParams {
  collection_method?: CollectionMethod
  created?: Period
  /** Only invoices of this customer. */
  customer?: string
  due_date?: Period
  expand?: ExpandList
  limit?: Limit
  starting_after?: StartingAfter
  /** Only invoices in this state. */
  status?: "draft" | "open" | "paid" | "uncollectible" | "void"
  /** Only invoices of this subscription. */
  subscription?: string
}
export interface InvoicesUpdateParams {
  invoice: InvoiceId
  application_fee_amount?: Fee
  /** Whether Stripe finalizes and collects it automatically. */
  auto_advance?: boolean
  automatic_tax?: AutomaticTax
  collection_method?: CollectionMethod
  custom_fields?: CustomFields
  /**
   * Days to pay. Only of drafts with collection_method send_invoice.
   * At least 0.
   */
  days_until_due?: number
  /** Id of the payment method to charge. */
  default_payment_method?: string
  default_tax_rates?: TaxRates
  /** Text that the customer sees. Empty text takes it away. */
  description?: string
  discounts?: Discounts
  /** Last day to pay, in seconds since 1970. */
  due_date?: number
  expand?: Expand
  /** Text at the end. Empty text takes it away. */
  footer?: string
  metadata?: Metadata
  /** Number of your own. Empty text takes it away. */
  number?: string
  statement_descriptor?: StatementDescriptor
}
export interface InvoicesFinalizeUpdateParams {
  invoice: InvoiceId
  /** Whether Stripe collects it automatically. */
  auto_advance?: boolean
  expand?: Expand
}
export interface InvoicesFinalizeUpdateResult {
  account_country?: string | null
  account_name?: string | null
  account_tax_ids?: ((string | Record<string, unknown>)[] | null)
  /** In the smallest unit of the currency. */
  amount_due?: number
  amount_overpaid?: number
  amount_paid?: number
  amount_paid_off_stripe?: number
  amount_remaining?: number
  amount_shipping?: number
  application?: string | Record<string, unknown> | null
  attempt_count?: number
  attempted?: boolean
  auto_advance?: boolean
  automatic_tax?: Record<string, unknown>
  /** In seconds since 1970. */
  automatically_finalizes_at?: number | null
  billing_reason?: string | null
  collection_method?: string
  /** Sent only where expand names it. */
  confirmation_secret?: Record<string, unknown> | null
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  custom_fields?: Record<string, unknown>[] | null
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown> | null
  customer_account?: string | null
  customer_address?: Record<string, unknown> | null
  customer_email?: string | null
  customer_name?: string | null
  customer_phone?: string | null
  customer_shipping?: Record<string, unknown> | null
  customer_tax_exempt?: string | null
  customer_tax_ids?: Record<string, unknown>[] | null
  default_payment_method?: string | Record<string, unknown> | null
  default_source?: string | Record<string, unknown> | null
  default_tax_rates?: Record<string, unknown>[]
  description?: string | null
  discounts?: (string | Record<string, unknown>)[]
  /** In seconds since 1970. */
  due_date?: number | null
  /** In seconds since 1970. */
  effective_at?: number | null
  ending_balance?: number | null
  footer?: string | null
  from_invoice?: Record<string, unknown> | null
  /** Page where the customer pays; there once the invoice is finalized. */
  hosted_invoice_url?: string | null
  id?: string
  /** Address of the PDF; there once the invoice is finalized. */
  invoice_pdf?: string | null
  issuer?: Record<string, unknown>
  last_finalization_error?: Record<string, unknown> | null
  latest_revision?: string | Record<string, unknown> | null
  /** The first lines, as a list object with data and has_more. */
  lines?: Record<string, unknown>
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown> | null
  /** In seconds since 1970. */
  next_payment_attempt?: number | null
  /** Number for people; there once the invoice is finalized. */
  number?: string | null
  object?: string
  on_behalf_of?: string | Record<string, unknown> | null
  /** What made the invoice: a subscription or a quote, with its id. */
  parent?: Record<string, unknown> | null
  payment_settings?: Record<string, unknown>
  /** Sent only where expand names it. */
  payments?: Record<string, unknown>
  /** In seconds since 1970. */
  period_end?: number
  /** In seconds since 1970. */
  period_start?: number
  post_payment_credit_notes_amount?: number
  pre_payment_credit_notes_amount?: number
  receipt_number?: string | null
  rendering?: Record<string, unknown> | null
  shipping_cost?: Record<string, unknown> | null
  shipping_details?: Record<string, unknown> | null
  starting_balance?: number
  statement_descriptor?: string | null
  /** draft, open, paid, uncollectible or void. */
  status?: string | null
  status_details?: Record<string, unknown>
  status_transitions?: Record<string, unknown>
  subtotal?: number
  subtotal_excluding_tax?: number | null
  test_clock?: string | Record<string, unknown> | null
  threshold_reason?: Record<string, unknown>
  total?: number
  total_discount_amounts?: Record<string, unknown>[] | null
  total_excluding_tax?: number | null
  total_pretax_credit_amounts?: Record<string, unknown>[] | null
  total_taxes?: Record<string, unknown>[] | null
  /** In seconds since 1970. */
  webhooks_delivered_at?: number | null
  [member: string]: unknown
}
export interface InvoicesPayUpdateParams {
  invoice: InvoiceId
  expand?: Expand
  /** Whether the invoice counts as paid where the source has too little. */
  forgive?: boolean
  /** Id of the mandate to use. */
  mandate?: string
  /** Whether the customer is away. Stripe takes true by default. */
  off_session?: boolean
  /** Whether it was paid outside of Stripe: nothing is charged then. */
  paid_out_of_band?: boolean
  /** Id of the payment method to charge. Default: that of the customer. */
  payment_method?: string
  /** Id of the source to charge. */
  source?: string
}
export interface InvoicesPayUpdateResult {
  account_country?: string | null
  account_name?: string | null
  account_tax_ids?: ((string | Record<string, unknown>)[] | null)
  /** In the smallest unit of the currency. */
  amount_due?: number
  amount_overpaid?: number
  amount_paid?: number
  amount_paid_off_stripe?: number
  amount_remaining?: number
  amount_shipping?: number
  application?: string | Record<string, unknown> | null
  attempt_count?: number
  attempted?: boolean
  auto_advance?: boolean
  automatic_tax?: Record<string, unknown>
  /** In seconds since 1970. */
  automatically_finalizes_at?: number | null
  billing_reason?: string | null
  collection_method?: string
  /** Sent only where expand names it. */
  confirmation_secret?: Record<string, unknown> | null
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  custom_fields?: Record<string, unknown>[] | null
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown> | null
  customer_account?: string | null
  customer_address?: Record<string, unknown> | null
  customer_email?: string | null
  customer_name?: string | null
  customer_phone?: string | null
  customer_shipping?: Record<string, unknown> | null
  customer_tax_exempt?: string | null
  customer_tax_ids?: Record<string, unknown>[] | null
  default_payment_method?: string | Record<string, unknown> | null
  default_source?: string | Record<string, unknown> | null
  default_tax_rates?: Record<string, unknown>[]
  description?: string | null
  discounts?: (string | Record<string, unknown>)[]
  /** In seconds since 1970. */
  due_date?: number | null
  /** In seconds since 1970. */
  effective_at?: number | null
  ending_balance?: number | null
  footer?: string | null
  from_invoice?: Record<string, unknown> | null
  /** Page where the customer pays; there once the invoice is finalized. */
  hosted_invoice_url?: string | null
  id?: string
  /** Address of the PDF; there once the invoice is finalized. */
  invoice_pdf?: string | null
  issuer?: Record<string, unknown>
  last_finalization_error?: Record<string, unknown> | null
  latest_revision?: string | Record<string, unknown> | null
  /** The first lines, as a list object with data and has_more. */
  lines?: Record<string, unknown>
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown> | null
  /** In seconds since 1970. */
  next_payment_attempt?: number | null
  /** Number for people; there once the invoice is finalized. */
  number?: string | null
  object?: string
  on_behalf_of?: string | Record<string, unknown> | null
  /** What made the invoice: a subscription or a quote, with its id. */
  parent?: Record<string, unknown> | null
  payment_settings?: Record<string, unknown>
  /** Sent only where expand names it. */
  payments?: Record<string, unknown>
  /** In seconds since 1970. */
  period_end?: number
  /** In seconds since 1970. */
  period_start?: number
  post_payment_credit_notes_amount?: number
  pre_payment_credit_notes_amount?: number
  receipt_number?: string | null
  rendering?: Record<string, unknown> | null
  shipping_cost?: Record<string, unknown> | null
  shipping_details?: Record<string, unknown> | null
  starting_balance?: number
  statement_descriptor?: string | null
  /** draft, open, paid, uncollectible or void. */
  status?: string | null
  status_details?: Record<string, unknown>
  status_transitions?: Record<string, unknown>
  subtotal?: number
  subtotal_excluding_tax?: number | null
  test_clock?: string | Record<string, unknown> | null
  threshold_reason?: Record<string, unknown>
  total?: number
  total_discount_amounts?: Record<string, unknown>[] | null
  total_excluding_tax?: number | null
  total_pretax_credit_amounts?: Record<string, unknown>[] | null
  total_taxes?: Record<string, unknown>[] | null
  /** In seconds since 1970. */
  webhooks_delivered_at?: number | null
  [member: string]: unknown
}
export interface InvoicesVoidUpdateParams {
  invoice: InvoiceId
  expand?: Expand
}
export interface InvoicesVoidUpdateResult {
  account_country?: string | null
  account_name?: string | null
  account_tax_ids?: ((string | Record<string, unknown>)[] | null)
  /** In the smallest unit of the currency. */
  amount_due?: number
  amount_overpaid?: number
  amount_paid?: number
  amount_paid_off_stripe?: number
  amount_remaining?: number
  amount_shipping?: number
  application?: string | Record<string, unknown> | null
  attempt_count?: number
  attempted?: boolean
  auto_advance?: boolean
  automatic_tax?: Record<string, unknown>
  /** In seconds since 1970. */
  automatically_finalizes_at?: number | null
  billing_reason?: string | null
  collection_method?: string
  /** Sent only where expand names it. */
  confirmation_secret?: Record<string, unknown> | null
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  custom_fields?: Record<string, unknown>[] | null
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown> | null
  customer_account?: string | null
  customer_address?: Record<string, unknown> | null
  customer_email?: string | null
  customer_name?: string | null
  customer_phone?: string | null
  customer_shipping?: Record<string, unknown> | null
  customer_tax_exempt?: string | null
  customer_tax_ids?: Record<string, unknown>[] | null
  default_payment_method?: string | Record<string, unknown> | null
  default_source?: string | Record<string, unknown> | null
  default_tax_rates?: Record<string, unknown>[]
  description?: string | null
  discounts?: (string | Record<string, unknown>)[]
  /** In seconds since 1970. */
  due_date?: number | null
  /** In seconds since 1970. */
  effective_at?: number | null
  ending_balance?: number | null
  footer?: string | null
  from_invoice?: Record<string, unknown> | null
  /** Page where the customer pays; there once the invoice is finalized. */
  hosted_invoice_url?: string | null
  id?: string
  /** Address of the PDF; there once the invoice is finalized. */
  invoice_pdf?: string | null
  issuer?: Record<string, unknown>
  last_finalization_error?: Record<string, unknown> | null
  latest_revision?: string | Record<string, unknown> | null
  /** The first lines, as a list object with data and has_more. */
  lines?: Record<string, unknown>
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown> | null
  /** In seconds since 1970. */
  next_payment_attempt?: number | null
  /** Number for people; there once the invoice is finalized. */
  number?: string | null
  object?: string
  on_behalf_of?: string | Record<string, unknown> | null
  /** What made the invoice: a subscription or a quote, with its id. */
  parent?: Record<string, unknown> | null
  payment_settings?: Record<string, unknown>
  /** Sent only where expand names it. */
  payments?: Record<string, unknown>
  /** In seconds since 1970. */
  period_end?: number
  /** In seconds since 1970. */
  period_start?: number
  post_payment_credit_notes_amount?: number
  pre_payment_credit_notes_amount?: number
  receipt_number?: string | null
  rendering?: Record<string, unknown> | null
  shipping_cost?: Record<string, unknown> | null
  shipping_details?: Record<string, unknown> | null
  starting_balance?: number
  statement_descriptor?: string | null
  /** draft, open, paid, uncollectible or void. */
  status?: string | null
  status_details?: Record<string, unknown>
  status_transitions?: Record<string, unknown>
  subtotal?: number
  subtotal_excluding_tax?: number | null
  test_clock?: string | Record<string, unknown> | null
  threshold_reason?: Record<string, unknown>
  total?: number
  total_discount_amounts?: Record<string, unknown>[] | null
  total_excluding_tax?: number | null
  total_pretax_credit_amounts?: Record<string, unknown>[] | null
  total_taxes?: Record<string, unknown>[] | null
  /** In seconds since 1970. */
  webhooks_delivered_at?: number | null
  [member: string]: unknown
}
export interface PaymentIntentsApiSearchParams {
  /**
   * Query, for example status:'active' AND metadata['order']:'6735'. Operators are : for equal, ~ for a part of a text, < > <= >= for numbers; - in front says not; AND or OR joins conditions, not both. What was written within the last minute may be missing.
   */
  query: string
  expand?: ExpandList
  limit?: Limit
  /** Cursor of the page before. Leave out for the first page. */
  page?: string
}
export interface PaymentIntentsCreateParams {
  /**
   * In the smallest unit of the currency.
   * At least 1, at most 99999999.
   */
  amount: number
  currency: Currency
  /**
   * Only these kinds, for example card.
   * At least 1 element.
   */
  allowed_payment_method_types?: string[]
  application_fee_amount?: Fee
  /** Whether the kinds that the Dashboard has turned on are taken. */
  automatic_payment_methods?: {
    enabled: boolean
    /** Whether kinds that redirect the payer are taken. */
    allow_redirects?: "always" | "never"
  }
  /** When the money is taken; manual waits for payment_intents_capture. */
  capture_method?: "automatic" | "automatic_async" | "manual"
  /** Whether to try the payment now. */
  confirm?: boolean
  /** Id of a confirmation token. */
  confirmation_token?: string
  /** Id of the customer. */
  customer?: string
  /** Text for yourself. */
  description?: string
  /**
   * Not these kinds.
   * At least 1 element.
   */
  excluded_payment_method_types?: string[]
  expand?: Expand
  metadata?: NewMetadata
  /**
   * Whether the customer is away, or one_off or recurring. Only with confirm.
   * As text matches `^(one_off|recurring)$`.
   */
  off_session?: boolean | string
  /** Account that the payment is for. */
  on_behalf_of?: string
  /** Id of the payment method. */
  payment_method?: string
  payment_method_options?: PaymentMethodOptions
  /** Address that gets a receipt. */
  receipt_email?: string
  /** Where the payer comes back to. Only with confirm. */
  return_url?: string
  /** Keeps the payment method for later. */
  setup_future_usage?: "off_session" | "on_session"
  shipping?: PaymentShipping
  statement_descriptor?: StatementDescriptor
  statement_descriptor_suffix?: StatementDescriptor
  transfer_data?: TransferData
  /** Text that joins payments and transfers. */
  transfer_group?: string
}
export interface PaymentIntentsGetParams {
  payment_intent: PaymentIntentId
  expand?: Expand
}
export interface PaymentIntentsListParams {
  created?: Period
  /** Only payments of this customer. */
  customer?: string
  expand?: ExpandList
  limit?: Limit
  starting_after?: StartingAfter
}
export interface PaymentIntentsUpdateParams {
  payment_intent: PaymentIntentId
  /**
   * In the smallest unit of the currency.
   * At least 1, at most 99999999.
   */
  amount?: number
  currency?: Currency
  /** Id of the customer. */
  customer?: string
  /** Text for yourself. Empty text takes it away. */
  description?: string
  expand?: Expand
  metadata?: Metadata
  /** Id of the payment method. Empty text takes it away. */
  payment_method?: string
  payment_method_options?: PaymentMethodOptions
  /** Address that gets a receipt. Empty text takes it away. */
  receipt_email?: string
  /** Keeps the payment method for later. Empty text takes it away. */
  setup_future_usage?: "off_session" | "on_session" | ""
  shipping?: PaymentShipping
  statement_descriptor?: StatementDescriptor
  statement_descriptor_suffix?: StatementDescriptor
  /** Text that joins payments and transfers. */
  transfer_group?: string
}
export interface PaymentIntentsCancelUpdateParams {
  payment_intent: PaymentIntentId
  /** Why. */
  cancellation_reason?: "duplicate" | "fraudulent" | "requested_by_customer" | "abandoned"
  expand?: Expand
}
export interface PaymentIntentsCancelUpdateResult {
  allowed_payment_method_types?: string[] | null
  /** In the smallest unit of the currency. */
  amount?: number
  amount_capturable?: number
  amount_details?: Record<string, unknown>
  amount_received?: number
  application?: string | Record<string, unknown> | null
  application_fee_amount?: number | null
  automatic_payment_methods?: Record<string, unknown> | null
  /** In seconds since 1970. */
  canceled_at?: number | null
  cancellation_reason?: string | null
  capture_method?: string
  /** For the payer's browser only: not to be kept or logged. */
  client_secret?: string | null
  confirmation_method?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown> | null
  customer_account?: string | null
  description?: string | null
  excluded_payment_method_types?: string[] | null
  hooks?: Record<string, unknown>
  id?: string
  last_payment_error?: Record<string, unknown> | null
  /** Names a record of `charges`. */
  latest_charge?: string | Record<string, unknown> | null
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  managed_payments?: Record<string, unknown> | null
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown>
  next_action?: Record<string, unknown> | null
  object?: string
  on_behalf_of?: string | Record<string, unknown> | null
  payment_details?: Record<string, unknown>
  payment_method?: string | Record<string, unknown> | null
  payment_method_configuration_details?: Record<string, unknown> | null
  payment_method_options?: Record<string, unknown> | null
  payment_method_types?: string[]
  payment_record?: string | Record<string, unknown> | null
  presentment_details?: Record<string, unknown>
  processing?: Record<string, unknown> | null
  receipt_email?: string | null
  review?: string | Record<string, unknown> | null
  setup_future_usage?: string | null
  shipping?: Record<string, unknown> | null
  source?: string | Record<string, unknown> | null
  statement_descriptor?: string | null
  statement_descriptor_suffix?: string | null
  /**
   * requires_payment_method, requires_confirmation, requires_action, processing, requires_capture, canceled or succeeded.
   */
  status?: string
  transfer_data?: Record<string, unknown> | null
  transfer_group?: string | null
  [member: string]: unknown
}
export interface PaymentIntentsCaptureUpdateParams {
  payment_intent: PaymentIntentId
  /**
   * In the smallest unit of the currency. Default: all of it.
   * At least 1.
   */
  amount_to_capture?: number
  application_fee_amount?: Fee
  expand?: Expand
  /** Whether the rest is given back. Stripe takes true by default. */
  final_capture?: boolean
  metadata?: Metadata
  statement_descriptor?: StatementDescriptor
  statement_descriptor_suffix?: StatementDescriptor
}
export interface PaymentIntentsCaptureUpdateResult {
  allowed_payment_method_types?: string[] | null
  /** In the smallest unit of the currency. */
  amount?: number
  amount_capturable?: number
  amount_details?: Record<string, unknown>
  amount_received?: number
  application?: string | Record<string, unknown> | null
  application_fee_amount?: number | null
  automatic_payment_methods?: Record<string, unknown> | null
  /** In seconds since 1970. */
  canceled_at?: number | null
  cancellation_reason?: string | null
  capture_method?: string
  /** For the payer's browser only: not to be kept or logged. */
  client_secret?: string | null
  confirmation_method?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown> | null
  customer_account?: string | null
  description?: string | null
  excluded_payment_method_types?: string[] | null
  hooks?: Record<string, unknown>
  id?: string
  last_payment_error?: Record<string, unknown> | null
  /** Names a record of `charges`. */
  latest_charge?: string | Record<string, unknown> | null
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  managed_payments?: Record<string, unknown> | null
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown>
  next_action?: Record<string, unknown> | null
  object?: string
  on_behalf_of?: string | Record<string, unknown> | null
  payment_details?: Record<string, unknown>
  payment_method?: string | Record<string, unknown> | null
  payment_method_configuration_details?: Record<string, unknown> | null
  payment_method_options?: Record<string, unknown> | null
  payment_method_types?: string[]
  payment_record?: string | Record<string, unknown> | null
  presentment_details?: Record<string, unknown>
  processing?: Record<string, unknown> | null
  receipt_email?: string | null
  review?: string | Record<string, unknown> | null
  setup_future_usage?: string | null
  shipping?: Record<string, unknown> | null
  source?: string | Record<string, unknown> | null
  statement_descriptor?: string | null
  statement_descriptor_suffix?: string | null
  /**
   * requires_payment_method, requires_confirmation, requires_action, processing, requires_capture, canceled or succeeded.
   */
  status?: string
  transfer_data?: Record<string, unknown> | null
  transfer_group?: string | null
  [member: string]: unknown
}
export interface PaymentIntentsConfirmUpdateParams {
  payment_intent: PaymentIntentId
  /** When the money is taken. */
  capture_method?: "automatic" | "automatic_async" | "manual"
  /** Id of a confirmation token. */
  confirmation_token?: string
  expand?: Expand
  /**
   * Whether the customer is away, or one_off or recurring.
   * As text matches `^(one_off|recurring)$`.
   */
  off_session?: boolean | string
  /** Id of the payment method. */
  payment_method?: string
  /** Address that gets a receipt. */
  receipt_email?: string
  /** Where the payer comes back to. */
  return_url?: string
  /** Keeps the payment method for later. */
  setup_future_usage?: "off_session" | "on_session"
  shipping?: PaymentShipping
}
export interface PaymentIntentsConfirmUpdateResult {
  allowed_payment_method_types?: string[] | null
  /** In the smallest unit of the currency. */
  amount?: number
  amount_capturable?: number
  amount_details?: Record<string, unknown>
  amount_received?: number
  application?: string | Record<string, unknown> | null
  application_fee_amount?: number | null
  automatic_payment_methods?: Record<string, unknown> | null
  /** In seconds since 1970. */
  canceled_at?: number | null
  cancellation_reason?: string | null
  capture_method?: string
  /** For the payer's browser only: not to be kept or logged. */
  client_secret?: string | null
  confirmation_method?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  /** Names a record of `customers`. */
  customer?: string | Record<string, unknown> | null
  customer_account?: string | null
  description?: string | null
  excluded_payment_method_types?: string[] | null
  hooks?: Record<string, unknown>
  id?: string
  last_payment_error?: Record<string, unknown> | null
  /** Names a record of `charges`. */
  latest_charge?: string | Record<string, unknown> | null
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  managed_payments?: Record<string, unknown> | null
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown>
  next_action?: Record<string, unknown> | null
  object?: string
  on_behalf_of?: string | Record<string, unknown> | null
  payment_details?: Record<string, unknown>
  payment_method?: string | Record<string, unknown> | null
  payment_method_configuration_details?: Record<string, unknown> | null
  payment_method_options?: Record<string, unknown> | null
  payment_method_types?: string[]
  payment_record?: string | Record<string, unknown> | null
  presentment_details?: Record<string, unknown>
  processing?: Record<string, unknown> | null
  receipt_email?: string | null
  review?: string | Record<string, unknown> | null
  setup_future_usage?: string | null
  shipping?: Record<string, unknown> | null
  source?: string | Record<string, unknown> | null
  statement_descriptor?: string | null
  statement_descriptor_suffix?: string | null
  /**
   * requires_payment_method, requires_confirmation, requires_action, processing, requires_capture, canceled or succeeded.
   */
  status?: string
  transfer_data?: Record<string, unknown> | null
  transfer_group?: string | null
  [member: string]: unknown
}
export interface PaymentMethodsGetParams {
  /** Id of the payment method, begins with pm_. */
  payment_method: string
  expand?: Expand
}
export interface PaymentMethodsListParams {
  customer: CustomerId
  /** Only those that may be shown again so. */
  allow_redisplay?: "always" | "limited" | "unspecified"
  expand?: ExpandList
  limit?: Limit
  starting_after?: StartingAfter
  /** Only this kind, for example card. */
  type?: string
}
export interface PayoutsCreateParams {
  /**
   * In the smallest unit of the currency.
   * At least 1.
   */
  amount: number
  /** ISO code of the currency, lower case. */
  currency: string
  /** Text for yourself. */
  description?: string
  /** Id of the bank account or card. Left out, it is the default one of the currency. */
  destination?: string
  expand?: Expand
  metadata?: NewMetadata
  /** How fast. Stripe takes standard by default. */
  method?: "standard" | "instant"
  /** Id of the financial account to send it to. */
  payout_method?: string
  /** Which part of the balance it comes from. */
  source_type?: "bank_account" | "card" | "fpx"
  /**
   * Text on the statement of the bank.
   * At most 22 characters.
   */
  statement_descriptor?: string
}
export interface PayoutsGetParams {
  payout: PayoutId
  expand?: Expand
}
export interface PayoutsListParams {
  arrival_date?: Period
  created?: Period
  /** Only payouts to this bank account or card. */
  destination?: string
  expand?: ExpandList
  limit?: Limit
  starting_after?: StartingAfter
  /** Only payouts of this status. */
  status?: "pending" | "paid" | "failed" | "canceled"
}
export interface PayoutsUpdateParams {
  metadata: Metadata
  payout: PayoutId
  expand?: Expand
}
export interface PayoutsCancelUpdateParams {
  payout: PayoutId
  expand?: Expand
}
export interface PayoutsCancelUpdateResult {
  /** In the smallest unit of the currency. */
  amount?: number
  application_fee?: string | Record<string, unknown> | null
  application_fee_amount?: number | null
  /** When it is expected at the bank, in seconds since 1970. */
  arrival_date?: number
  /** Whether a schedule made it. */
  automatic?: boolean
  /** Names a record of `balance_transactions`. */
  balance_transaction?: string | Record<string, unknown> | null
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  description?: string | null
  /** Bank account or card that it goes to. */
  destination?: string | Record<string, unknown> | null
  /** Names a record of `balance_transactions`. */
  failure_balance_transaction?: string | Record<string, unknown> | null
  failure_code?: string | null
  failure_message?: string | null
  id?: string
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown> | null
  /** standard or instant. */
  method?: string
  object?: string
  /**
   * The payout that this one reverses.
   * Names a record of `payouts`.
   */
  original_payout?: string | Record<string, unknown> | null
  payout_method?: string | null
  /** completed, in_progress or not_applicable. */
  reconciliation_status?: string
  /**
   * The payout that reverses this one.
   * Names a record of `payouts`.
   */
  reversed_by?: string | Record<string, unknown> | null
  /** card, fpx or bank_account. */
  source_type?: string
  statement_descriptor?: string | null
  /** pending, in_transit, paid, failed or canceled. */
  status?: string
  trace_id?: Record<string, unknown> | null
  /** bank_account or card. */
  type?: string
  [member: string]: unknown
}
export interface PayoutsReverseCreateParams {
  payout: PayoutId
  expand?: Expand
  metadata?: NewMetadata
}
export interface PayoutsReverseCreateResult {
  /** In the smallest unit of the currency. */
  amount?: number
  application_fee?: string | Record<string, unknown> | null
  application_fee_amount?: number | null
  /** When it is expected at the bank, in seconds since 1970. */
  arrival_date?: number
  /** Whether a schedule made it. */
  automatic?: boolean
  /** Names a record of `balance_transactions`. */
  balance_transaction?: string | Record<string, unknown> | null
  /** Time of creation, in seconds since 1970. */
  created?: number
  /** ISO code of the currency, lower case. */
  currency?: string
  description?: string | null
  /** Bank account or card that it goes to. */
  destination?: string | Record<string, unknown> | null
  /** Names a record of `balance_transactions`. */
  failure_balance_transaction?: string | Record<string, unknown> | null
  failure_code?: string | null
  failure_message?: string | null
  id?: string
  /** True for live data, false for data of a test environment. */
  livemode?: boolean
  /** Texts by key, of your own. */
  metadata?: Record<string, unknown> | null
  /** standard or instant. */
  method?: string
  object?: string
  /**
   * The payout that this one reverses.
   * Names a record of `payouts`.
   */
  original_payout?: string | Record<string, unknown> | null
  payout_method?: string | null
  /** completed, in_progress or not_applicable. */
  reconciliation_status?: string
  /**
   * The payout that reverses this one.
   * Names a record of `payouts`.
   */
  reversed_by?: string | Record<string, unknown> | null
  /** card, fpx or bank_account. */
  source_type?: string
  statement_descriptor?: string | null
  /** pending, in_transit, paid, failed or canceled. */
  status?: string
  trace_id?: Record<string, unknown> | null
  /** bank_account or card. */
  type?: string
  [member: string]: unknown
}
export interface PricesApiSearchParams {
  /**
   * Query, for example status:'active' AND metadata['order']:'6735'. Operators are : for equal, ~ for a part of a text, < > <= >= for numbers; - in front says not; AND or OR joins conditions, not both. What was written within the last minute may be missing.
   */
  query: string
  expand?: ExpandList
  limit?: Limit
  /** Cursor of the page before. Leave out for the first page. */
  page?: string
}
export interface PricesCreateParams {
  currency: Currency
  /** Whether it can be used. Stripe takes true by default. */
  active?: boolean
  /** How the amount is found. Stripe takes per_unit by default. */
  billing_scheme?: "per_unit" | "tiered"
  currency_options?: CurrencyOptions
  custom_unit_amount?: CustomUnitAmount
  expand?: Expand
  /**
   * Key of your own to find the price by.
   * At most 200 characters.
   */
  lookup_key?: string
  metadata?: NewMetadata
  /** Name for yourself. */
  nickname?: string
  /** Id of the product. */
  product?: string
  product_data?: PriceProductData
  recurring?: Recurring
  tax_behavior?: TaxBehavior
  /**
   * Tiers. Only with billing_scheme tiered.
   * At least 1 element.
   */
  tiers?: Tier[]
  /** How tiers count. Needed with tiers. */
  tiers_mode?: "graduated" | "volume"
  /** Whether the lookup key is taken from the price that has it now. */
  transfer_lookup_key?: boolean
  transform_quantity?: TransformQuantity
  /**
   * In the smallest unit of the currency; 0 is free.
   * At least 0.
   */
  unit_amount?: number
  unit_amount_decimal?: Decimal
}
export interface PricesGetParams {
  price: PriceId
  expand?: Expand
}
export interface PricesListParams {
  /** Only prices that can be used (true) or not (false). */
  active?: boolean
  created?: Period
  currency?: Currency
  expand?: ExpandList
  limit?: Limit
  /**
   * Only prices with these lookup keys.
   * At least 1 element, at most 10 elements.
   */
  lookup_keys?: string[]
  /** Only prices of this product. */
  product?: string
  /**
   * Only recurring prices that are so.
   * At least 1 member.
   */
  recurring?: {
    interval?: "day" | "week" | "month" | "year"
    /** Id of a meter. */
    meter?: string
    usage_type?: "licensed" | "metered"
  }
  starting_after?: StartingAfter
  /** Only prices that are paid once or again and again. */
  type?: "one_time" | "recurring"
}
export interface PricesUpdateParams {
  price: PriceId
  /** Whether it can be used. */
  active?: boolean
  expand?: Expand
  /**
   * Key of your own to find the price by. Empty text takes it away.
   * At most 200 characters.
   */
  lookup_key?: string
  metadata?: Metadata
  /** Name for yourself. Empty text takes it away. */
  nickname?: string
  tax_behavior?: TaxBehavior
  /** Whether the lookup key is taken from the price that has it now. */
  transfer_lookup_key?: boolean
}
export interface ProductsApiSearchParams {
  /**
   * Query, for example status:'active' AND metadata['order']:'6735'. Operators are : for equal, ~ for a part of a text, < > <= >= for numbers; - in front says not; AND or OR joins conditions, not both. What was written within the last minute may be missing.
   */
  query: string
  expand?: ExpandList
  limit?: Limit
  /** Cursor of the page before. Leave out for the first page. */
  page?: string
}
export interface ProductsCreateParams {
  /** Name that customers see. */
  name: string
  /** Whether it can be bought. Stripe takes true by default. */
  active?: boolean
  default_price_data?: DefaultPriceData
  /** Text that customers see. */
  description?: string
  expand?: Expand
  /** Id of your own. Stripe makes one by default. */
  id?: string
  /**
   * Addresses of images.
   * At least 1 element, at most 8 elements.
   */
  images?: string[]
  marketing_features?: NewMarketingFeatures
  metadata?: NewMetadata
  package_dimensions?: NewPackageDimensions
  /** Whether it is shipped. */
  shippable?: boolean
  statement_descriptor?: StatementDescriptor
  /** Id of a tax code. */
  tax_code?: string
  /** What is counted, for example seat. */
  unit_label?: string
  /** Address of a page about it. */
  url?: string
}
export interface ProductsDeleteParams {
  product: ProductId
}
export interface ProductsGetParams {
  product: ProductId
  expand?: Expand
}
export interface ProductsListParams {
  /** Only products that are on sale (true) or not (false). */
  active?: boolean
  created?: Period
  expand?: ExpandList
  /**
   * Only these products. Not together with a cursor.
   * At least 1 element.
   */
  ids?: string[]
  limit?: Limit
  /** Only goods that are shipped (true) or not (false). */
  shippable?: boolean
  starting_after?: StartingAfter
  /** Only products with this address. */
  url?: string
}
export interface ProductsUpdateParams {
  product: ProductId
  /** Whether it can be bought. */
  active?: boolean
  /** Id of a price of this product. */
  default_price?: string
  /** Text that customers see. Empty text takes it away. */
  description?: string
  expand?: Expand
  images?: Images
  marketing_features?: MarketingFeatures
  metadata?: Metadata
  /** Name that customers see. */
  name?: string
  package_dimensions?: PackageDimensions
  /** Whether it is shipped. */
  shippable?: boolean
  statement_descriptor?: StatementDescriptor
  /** Id of a tax code. Empty text takes it away. */
  tax_code?: string
  /** What is counted. Empty text takes it away. */
  unit_label?: string
  /** Address of a page about it. Empty text takes it away. */
  url?: string
}
export interface RefundsCreateParams {
  /**
   * In the smallest unit of the currency. Default: all that is left.
   * At least 1.
   */
  amount?: number
  /** Id of the charge. */
  charge?: string
  expand?: Expand
  /** Address that gets instructions, for kinds of payment that need them. */
  instructions_email?: string
  metadata?: Metadata
  /** Id of the payment intent. */
  payment_intent?: string
  /** Why. */
  reason?: "duplicate" | "fraudulent" | "requested_by_customer"
  /** Whether the fee of the platform is given back. */
  refund_application_fee?: boolean
  /** Whether the transfer to the connected account is taken back. */
  reverse_transfer?: boolean
}
export interface RefundsGetParams {
  refund: RefundId
  expand?: Expand
}
export interface RefundsListParams {
  /** Only refunds of this charge. */
  charge?: string
  created?: Period
  expand?: ExpandList
  limit?: Limit
  /** Only refunds of this payment intent. */
  payment_intent?: string
  starting_after?: StartingAfter
}
export interface RefundsUpdateParams {
  metadata: Metadata
  refund: RefundId
  expand?: Expand
}
export interface SubscriptionsApiSearchParams {
  /**
   * Query, for example status:'active' AND metadata['order']:'6735'. Operators are : for equal, ~ for a part of a text, < > <= >= for numbers; - in front says not; AND or OR joins conditions, not both. What was written within the last minute may be missing.
   */
  query: string
  expand?: ExpandList
  limit?: Limit
  /** Cursor of the page before. Leave out for the first page. */
  page?: string
}
export interface SubscriptionsCreateParams {
  /** Id of the customer. */
  customer: string
  /**
   * What is subscribed to.
   * At least 1 element, at most 20 elements.
   */
  items: NewSubscriptionItem[]
  /**
   * Fee of the platform in percent.
   * At least 0, at most 100.
   */
  application_fee_percent?: number
  automatic_tax?: AutomaticTax
  /** When it began, in seconds since 1970; the time since then is charged. */
  backdate_start_date?: number
  /** When the first full period begins, in seconds since 1970. */
  billing_cycle_anchor?: number
  /**
   * When it ends: in seconds since 1970, or max_billed_until, max_period_end or min_period_end.
   * As text matches `^(max_billed_until|max_period_end|min_period_end)$`.
   */
  cancel_at?: number | string
  /** Whether it ends with the current period. */
  cancel_at_period_end?: boolean
  collection_method?: CollectionMethod
  currency?: Currency
  /**
   * Days to pay an invoice. Needed with collection_method send_invoice.
   * At least 0.
   */
  days_until_due?: number
  /** Id of the payment method to charge. */
  default_payment_method?: string
  default_tax_rates?: TaxRates
  /**
   * Text that the customer sees.
   * At most 500 characters.
   */
  description?: string
  discounts?: Discounts
  expand?: Expand
  metadata?: Metadata
  /** Whether the customer is away. */
  off_session?: boolean
  payment_behavior?: PaymentBehavior
  payment_settings?: PaymentSettings
  proration_behavior?: ProrationBehavior
  /**
   * End of the trial in seconds since 1970, or now.
   * As text matches `^now$`.
   */
  trial_end?: number | string
  /**
   * Days of trial. Not together with trial_end.
   * At least 0.
   */
  trial_period_days?: number
  trial_settings?: TrialSettings
}
export interface SubscriptionsDeleteParams {
  subscription: SubscriptionId
  cancellation_details?: CancellationDetails
  /** Whether what was used and not charged is invoiced now. */
  invoice_now?: boolean
  /** Whether time that was paid and not used is credited. */
  prorate?: boolean
}
export interface SubscriptionsGetParams {
  subscription: SubscriptionId
  expand?: Expand
}
export interface SubscriptionsListParams {
  collection_method?: CollectionMethod
  created?: Period
  current_period_end?: Period
  current_period_start?: Period
  /** Only subscriptions of this customer. */
  customer?: string
  expand?: ExpandList
  limit?: Limit
  /** Only subscriptions with this price. */
  price?: string
  starting_after?: StartingAfter
  /**
   * Only subscriptions in this state; ended takes in canceled and incomplete_expired, all takes in every one.
   */
  status?: "incomplete" | "incomplete_expired" | "trialing" | "active" | "past_due" | "unpaid" | "canceled" | "paused" | "ended" | "all"
  /** Only subscriptions of this test clock. */
  test_clock?: string
}
export interface SubscriptionsUpdateParams {
  subscription: SubscriptionId
  /**
   * Fee of the platform in percent. Empty text takes it away.
   * At least 0, at most 100, as text only the empty one.
   */
  application_fee_percent?: number | string
  automatic_tax?: AutomaticTax
  /**
   * When it ends: in seconds since 1970, or max_billed_until, max_period_end or min_period_end. Empty text takes it away.
   * As text matches `^(max_billed_until|max_period_end|min_period_end)?$`.
   */
  cancel_at?: number | string
  /** Whether it ends with the current period; false takes that back. */
  cancel_at_period_end?: boolean
  cancellation_details?: CancellationDetails
  collection_method?: CollectionMethod
  /**
   * Days to pay an invoice.
   * At least 0.
   */
  days_until_due?: number
  /** Id of the payment method to charge. */
  default_payment_method?: string
  default_tax_rates?: TaxRates
  /**
   * Text that the customer sees. Empty text takes it away.
   * At most 500 characters.
   */
  description?: string
  discounts?: Discounts
  expand?: Expand
  /**
   * Items to change.
   * At least 1 element, at most 20 elements.
   */
  items?: SubscriptionItem[]
  metadata?: Metadata
  /** Whether the customer is away. */
  off_session?: boolean
  pause_collection?: PauseCollection
  payment_behavior?: PaymentBehavior
  payment_settings?: PaymentSettings
  proration_behavior?: ProrationBehavior
  /** Time that the proration counts from, in seconds since 1970. */
  proration_date?: number
  /**
   * End of the trial in seconds since 1970, or now.
   * As text matches `^now$`.
   */
  trial_end?: number | string
  trial_settings?: TrialSettings
}
export interface StripeConfig {
  /**
   * Id of the account that is meant. With the key of a platform: the connected account to act for, sent as Stripe-Account; left out, the platform's own account.
   * Matches `^acct_[A-Za-z0-9]+$`.
   */
  stripe_account?: string
  /**
   * Whether a webhook endpoint of the account is made and deleted together with this connection, so that no secret has to be copied. An account may have 16 of them. A restricted key needs Webhook Endpoints, write.
   * @default false
   */
  webhook_endpoint?: boolean
}
/**
 * An app of the Stripe App Marketplace with the access type oauth. Its client id is in the install link, the client secret is the secret key of the account that owns the app; permissions stand in the app's manifest. An access token works for an hour, a refresh token once and for a year.
 */
export interface StripeAppOauthCredentials {
  /** Refresh token. Single-use. */
  refresh_token: string
  /** Access token. Without one the first call refreshes. */
  access_token?: string
  /** Client id of the app. */
  client_id?: string
  /** Secret key of the account that owns the app. Needed to refresh. */
  client_secret?: string
}
/**
 * A secret or restricted key as the user name of HTTP Basic, for networks whose proxies know Basic only. There is no password.
 */
export interface StripeBasicCredentials {
  /**
   * Secret or restricted key.
   * Matches `^[sr]k_`.
   */
  username: string
  webhook_secret?: WebhookSecret
}
/**
 * The owner of a standard account lets your platform act for it. Client id (ca_…) and redirect addresses are in the Stripe Dashboard under Settings, Connect, OAuth; the client secret is the platform's secret key. The token does not expire, it ends when the owner disconnects.
 */
export interface StripeConnectOauthCredentials {
  /** Access token of the connected account. */
  access_token: string
  /** Client id of the platform. Needed to disconnect. */
  client_id?: string
  /** Secret key of the platform. Needed to disconnect. */
  client_secret?: string
}
/**
 * A key with chosen permissions (rk_live_… or rk_test_…), made in the Stripe Dashboard under Developers, API keys, Create restricted key. Each action says which permission it needs; proving the connection needs Balance, read.
 */
export interface StripeRestrictedKeyCredentials {
  /**
   * Restricted key.
   * Matches `^rk_`.
   */
  restricted_key: string
  webhook_secret?: WebhookSecret
}
/**
 * The secret key of an account (sk_live_… or sk_test_…), made in the Stripe Dashboard under Developers, API keys. It may do everything; a restricted key is safer.
 */
export interface StripeSecretKeyCredentials {
  /**
   * Another name of secret_key.
   * Matches `^sk_`.
   */
  api_key?: string
  /**
   * Secret key.
   * Matches `^sk_`.
   */
  secret_key?: string
  webhook_secret?: WebhookSecret
}

/** Balance */
export interface StripeBalance {
  /**
   * Get the balance
   * Money of the account by currency, available and on its way. A restricted key needs Balance, read.
   * @see https://docs.stripe.com/api
   */
  get(params?: BalanceGetParams, options?: CallOptions): Promise<Result<BalanceRecord>>
}

export interface BalanceTransactionsListMeta {}

/** What `balance_transactions.search` can filter and sort by. */
export interface BalanceTransactionsSearchFields {
  amount: number
  available_on: number
  balance_type: string
  created: number
  currency: string
  description: string
  exchange_rate: number
  fee: number
  fee_details: readonly unknown[]
  id: string
  net: number
  object: string
  reporting_category: string
  source: string
  status: string
  type: string
}

/** Balance transactions */
export interface StripeBalanceTransactions {
  /**
   * Get one balance transaction
   * Reads one balance transaction by id. A restricted key needs Balance, read.
   * @see https://docs.stripe.com/api
   */
  get(params: BalanceTransactionsGetParams, options?: CallOptions): Promise<Result<BalanceTransactionsRecord>>
  /**
   * List balance transactions
   * What moved money in or out of the balance, newest first. A restricted key needs Balance, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: BalanceTransactionsListParams, options?: CallOptions): PageCall<BalanceTransactionsRecord, BalanceTransactionsListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<BalanceTransactionsSearchFields>, options?: CallOptions): SearchCall<BalanceTransactionsSearchFields>
}

export interface ChargesApiSearchMeta {
  total_count?: unknown
}

export interface ChargesListMeta {}

/** What `charges.search` can filter and sort by. */
export interface ChargesSearchFields {
  amount: number
  amount_captured: number
  amount_refunded: number
  application: string
  application_fee: string
  application_fee_amount: number
  authorization_code: string
  balance_transaction: string
  billing_details: Record<string, unknown>
  calculated_statement_descriptor: string
  captured: boolean
  created: number
  currency: string
  customer: string
  description: string
  disputed: boolean
  failure_balance_transaction: string
  failure_code: string
  failure_message: string
  fraud_details: Record<string, unknown>
  id: string
  level3: Record<string, unknown>
  livemode: boolean
  metadata: Record<string, unknown>
  object: string
  on_behalf_of: string
  outcome: Record<string, unknown>
  paid: boolean
  payment_intent: string
  payment_method: string
  payment_method_details: Record<string, unknown>
  presentment_details: Record<string, unknown>
  radar_options: Record<string, unknown>
  receipt_email: string
  receipt_number: string
  receipt_url: string
  refunded: boolean
  /** Empty in the copy. Stripe sends it only where expand names it. The entity refunds has them. */
  refunds: Record<string, unknown>
  review: string
  shipping: Record<string, unknown>
  source: Record<string, unknown>
  source_transfer: string
  statement_descriptor: string
  statement_descriptor_suffix: string
  status: string
  transfer: string
  transfer_data: Record<string, unknown>
  transfer_group: string
}

/** Charges */
export interface StripeCharges {
  /**
   * Search charges by a query
   * Searchable are amount, billing_details.address.postal_code, created, currency, customer, disputed, metadata, refunded, status and details of the card. A restricted key needs Charges and Refunds, read.
   * @see https://docs.stripe.com/api
   */
  api_search(params: ChargesApiSearchParams, options?: CallOptions): PageCall<ChargesRecord, ChargesApiSearchMeta>
  /**
   * Get one charge
   * Reads one charge by id. A restricted key needs Charges and Refunds, read.
   * @see https://docs.stripe.com/api
   */
  get(params: ChargesGetParams, options?: CallOptions): Promise<Result<ChargesRecord>>
  /**
   * List charges
   * Charges, newest first. A restricted key needs Charges and Refunds, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: ChargesListParams, options?: CallOptions): PageCall<ChargesRecord, ChargesListMeta>
  /**
   * Change a charge
   * Changes texts of a charge, or says that it was fraud. A restricted key needs Charges and Refunds, write.
   * @see https://docs.stripe.com/api
   */
  update(params: ChargesUpdateParams, options?: CallOptions): Promise<Result<ChargesRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<ChargesSearchFields>, options?: CallOptions): SearchCall<ChargesSearchFields>
}

export interface CustomersApiSearchMeta {
  total_count?: unknown
}

export interface CustomersListMeta {}

/** What `customers.search` can filter and sort by. */
export interface CustomersSearchFields {
  address: Record<string, unknown>
  balance: number
  business_name: string
  /** Empty in the copy. Stripe sends it only where expand names it. */
  cash_balance: Record<string, unknown>
  created: number
  currency: string
  customer_account: string
  default_source: string
  delinquent: boolean
  description: string
  discount: Record<string, unknown>
  email: string
  id: string
  individual_name: string
  /** Empty in the copy. Stripe sends it only where expand names it. */
  invoice_credit_balance: Record<string, unknown>
  invoice_prefix: string
  invoice_settings: Record<string, unknown>
  livemode: boolean
  metadata: Record<string, unknown>
  name: string
  next_invoice_sequence: number
  object: string
  phone: string
  preferred_locales: readonly unknown[]
  shipping: Record<string, unknown>
  /** Empty in the copy. Stripe sends it only where expand names it. */
  sources: Record<string, unknown>
  /** Empty in the copy. Stripe sends it only where expand names it. The entity subscriptions has them. */
  subscriptions: Record<string, unknown>
  /** Empty in the copy. Stripe sends it only where expand names it. */
  tax: Record<string, unknown>
  tax_exempt: string
  /** Empty in the copy. Stripe sends it only where expand names it. */
  tax_ids: Record<string, unknown>
  test_clock: string
}

/** Customers */
export interface StripeCustomers {
  /**
   * Search customers by a query
   * Searchable are created, email, metadata, name and phone. A restricted key needs Customers, read.
   * @see https://docs.stripe.com/api
   */
  api_search(params: CustomersApiSearchParams, options?: CallOptions): PageCall<CustomersRecord, CustomersApiSearchMeta>
  /**
   * Create a customer
   * A restricted key needs Customers, write.
   * @see https://docs.stripe.com/api
   */
  create(params?: CustomersCreateParams, options?: CallOptions): Promise<Result<CustomersRecord>>
  /**
   * Delete a customer
   * Deletes a customer for good and cancels its subscriptions at once. A restricted key needs Customers, write.
   * @see https://docs.stripe.com/api
   */
  delete(params: CustomersDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get one customer
   * Reads one customer by id; of a deleted one id and deleted come. A restricted key needs Customers, read.
   * @see https://docs.stripe.com/api
   */
  get(params: CustomersGetParams, options?: CallOptions): Promise<Result<CustomersRecord>>
  /**
   * List customers
   * Customers, newest first. A restricted key needs Customers, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: CustomersListParams, options?: CallOptions): PageCall<CustomersRecord, CustomersListMeta>
  /**
   * Change a customer
   * Only what is given changes. A restricted key needs Customers, write.
   * @see https://docs.stripe.com/api
   */
  update(params: CustomersUpdateParams, options?: CallOptions): Promise<Result<CustomersRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<CustomersSearchFields>, options?: CallOptions): SearchCall<CustomersSearchFields>
}

export interface DisputesListMeta {}

/** What `disputes.search` can filter and sort by. */
export interface DisputesSearchFields {
  amount: number
  balance_transactions: readonly unknown[]
  charge: string
  created: number
  currency: string
  enhanced_eligibility_types: readonly unknown[]
  evidence: Record<string, unknown>
  evidence_details: Record<string, unknown>
  id: string
  intended_submission_method: string
  is_charge_refundable: boolean
  livemode: boolean
  metadata: Record<string, unknown>
  network_reason_code: string
  object: string
  payment_intent: string
  payment_method_details: Record<string, unknown>
  reason: string
  status: string
}

/**
 * Payments that a customer questions at the bank. Stripe takes the amount and a fee back until it is decided.
 */
export interface StripeDisputes {
  /**
   * Get one dispute
   * Reads one dispute by id. A restricted key needs Disputes, read.
   * @see https://docs.stripe.com/api
   */
  get(params: DisputesGetParams, options?: CallOptions): Promise<Result<DisputesRecord>>
  /**
   * List disputes
   * Disputes, newest first. A restricted key needs Disputes, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: DisputesListParams, options?: CallOptions): PageCall<DisputesRecord, DisputesListMeta>
  /**
   * Give evidence for a dispute
   * Evidence is sent to the bank at once, and as a rule only once, unless submit is false: then it waits for a later update. A restricted key needs Disputes, write.
   * @see https://docs.stripe.com/api
   */
  update(params: DisputesUpdateParams, options?: CallOptions): Promise<Result<DisputesRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<DisputesSearchFields>, options?: CallOptions): SearchCall<DisputesSearchFields>
}

/** End of a dispute */
export interface StripeDisputesClose {
  /**
   * Accept a dispute
   * Gives a dispute up: it is lost, for good. A restricted key needs Disputes, write.
   * @see https://docs.stripe.com/api
   */
  update(params: DisputesCloseUpdateParams, options?: CallOptions): Promise<Result<DisputesCloseUpdateResult | null>>
}

export interface EventsListMeta {}

/** What `events.search` can filter and sort by. */
export interface EventsSearchFields {
  account: string
  api_version: string
  context: string
  created: number
  data: Record<string, unknown>
  id: string
  livemode: boolean
  object: string
  pending_webhooks: number
  request: Record<string, unknown>
  type: string
}

/** Events */
export interface StripeEvents {
  /**
   * Get one event
   * Reads one event of the last 30 days by id. A restricted key needs Events, read.
   * @see https://docs.stripe.com/api
   */
  get(params: EventsGetParams, options?: CallOptions): Promise<Result<EventsRecord>>
  /**
   * List events
   * What happened in the account within 30 days, newest first. A restricted key needs Events, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: EventsListParams, options?: CallOptions): PageCall<EventsRecord, EventsListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<EventsSearchFields>, options?: CallOptions): SearchCall<EventsSearchFields>
}

/** Contents of files */
export interface StripeFileContents {
  /**
   * Download a file
   * Streams the content of one file, whole or in part. A restricted key needs Files, read.
   * @see https://docs.stripe.com/api
   */
  download(params: FileContentsDownloadParams, options?: CallOptions): Promise<Download>
}

export interface FilesListMeta {}

/** What `files.search` can filter and sort by. */
export interface FilesSearchFields {
  created: number
  expires_at: number
  filename: string
  id: string
  links: Record<string, unknown>
  object: string
  purpose: string
  size: number
  title: string
  type: string
  url: string
}

/** Files */
export interface StripeFiles {
  /**
   * Upload a file
   * Which types and sizes are taken depends on the purpose; evidence takes JPEG, PNG and PDF up to 5 MB. A restricted key needs Files, write.
   * @see https://docs.stripe.com/api
   */
  create(params: FilesCreateParams, options?: CallOptions): Promise<Result<FilesRecord>>
  /**
   * Get one file
   * Reads what is known of a file, without its content. A restricted key needs Files, read.
   * @see https://docs.stripe.com/api
   */
  get(params: FilesGetParams, options?: CallOptions): Promise<Result<FilesRecord>>
  /**
   * List files
   * Files that were uploaded or made by Stripe, newest first. A restricted key needs Files, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: FilesListParams, options?: CallOptions): PageCall<FilesRecord, FilesListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<FilesSearchFields>, options?: CallOptions): SearchCall<FilesSearchFields>
}

export interface InvoiceItemsListMeta {}

/** Invoice items */
export interface StripeInvoiceItems {
  /**
   * Add an item to an invoice
   * Adds an item to a draft, or to the customer's next invoice where none is given. A restricted key needs Invoices, write.
   * @see https://docs.stripe.com/api
   */
  create(params: InvoiceItemsCreateParams, options?: CallOptions): Promise<Result<InvoiceItemsRecord>>
  /**
   * Delete an invoice item
   * Stripe refuses it once the invoice is finalized. A restricted key needs Invoices, write.
   * @see https://docs.stripe.com/api
   */
  delete(params: InvoiceItemsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * List invoice items
   * Items, newest first, also those that no invoice has taken yet. A restricted key needs Invoices, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: InvoiceItemsListParams, options?: CallOptions): PageCall<InvoiceItemsRecord, InvoiceItemsListMeta>
}

export interface InvoicesApiSearchMeta {
  total_count?: unknown
}

export interface InvoicesListMeta {}

/** What `invoices.search` can filter and sort by. */
export interface InvoicesSearchFields {
  account_country: string
  account_name: string
  account_tax_ids: readonly unknown[]
  amount_due: number
  amount_overpaid: number
  amount_paid: number
  amount_paid_off_stripe: number
  amount_remaining: number
  amount_shipping: number
  application: string
  attempt_count: number
  attempted: boolean
  auto_advance: boolean
  automatic_tax: Record<string, unknown>
  automatically_finalizes_at: number
  billing_reason: string
  collection_method: string
  /** Empty in the copy. Stripe sends it only where expand names it. */
  confirmation_secret: Record<string, unknown>
  created: number
  currency: string
  custom_fields: readonly unknown[]
  customer: string
  customer_account: string
  customer_address: Record<string, unknown>
  customer_email: string
  customer_name: string
  customer_phone: string
  customer_shipping: Record<string, unknown>
  customer_tax_exempt: string
  customer_tax_ids: readonly unknown[]
  default_payment_method: string
  default_source: string
  default_tax_rates: readonly unknown[]
  description: string
  discounts: readonly unknown[]
  due_date: number
  effective_at: number
  ending_balance: number
  footer: string
  from_invoice: Record<string, unknown>
  hosted_invoice_url: string
  id: string
  invoice_pdf: string
  issuer: Record<string, unknown>
  last_finalization_error: Record<string, unknown>
  latest_revision: string
  lines: Record<string, unknown>
  livemode: boolean
  metadata: Record<string, unknown>
  next_payment_attempt: number
  number: string
  object: string
  on_behalf_of: string
  parent: Record<string, unknown>
  payment_settings: Record<string, unknown>
  /** Empty in the copy. Stripe sends it only where expand names it. */
  payments: Record<string, unknown>
  period_end: number
  period_start: number
  post_payment_credit_notes_amount: number
  pre_payment_credit_notes_amount: number
  receipt_number: string
  rendering: Record<string, unknown>
  shipping_cost: Record<string, unknown>
  shipping_details: Record<string, unknown>
  starting_balance: number
  statement_descriptor: string
  status: string
  status_details: Record<string, unknown>
  status_transitions: Record<string, unknown>
  subtotal: number
  subtotal_excluding_tax: number
  test_clock: string
  threshold_reason: Record<string, unknown>
  total: number
  total_discount_amounts: readonly unknown[]
  total_excluding_tax: number
  total_pretax_credit_amounts: readonly unknown[]
  total_taxes: readonly unknown[]
  webhooks_delivered_at: number
}

/** Invoices */
export interface StripeInvoices {
  /**
   * Search invoices by a query
   * Searchable are created, currency, customer, last_finalization_error_code, last_finalization_error_type, metadata, number, receipt_number, status, subscription and total. A restricted key needs Invoices, read.
   * @see https://docs.stripe.com/api
   */
  api_search(params: InvoicesApiSearchParams, options?: CallOptions): PageCall<InvoicesRecord, InvoicesApiSearchMeta>
  /**
   * Create a draft of an invoice
   * Creates a draft for a customer. It takes the customer's pending invoice items only where pending_invoice_items_behavior is include. A restricted key needs Invoices, write.
   * @see https://docs.stripe.com/api
   */
  create(params?: InvoicesCreateParams, options?: CallOptions): Promise<Result<InvoicesRecord>>
  /**
   * Delete a draft
   * Deletes a draft for good. Of a finalized invoice Stripe refuses it with 400: void it. A restricted key needs Invoices, write.
   * @see https://docs.stripe.com/api
   */
  delete(params: InvoicesDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get one invoice
   * Reads one invoice by id. A restricted key needs Invoices, read.
   * @see https://docs.stripe.com/api
   */
  get(params: InvoicesGetParams, options?: CallOptions): Promise<Result<InvoicesRecord>>
  /**
   * List invoices
   * Invoices, newest first. A restricted key needs Invoices, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: InvoicesListParams, options?: CallOptions): PageCall<InvoicesRecord, InvoicesListMeta>
  /**
   * Change an invoice
   * Only what is given changes. Of a finalized invoice Stripe takes no more than texts for yourself, payment settings and dates. A restricted key needs Invoices, write.
   * @see https://docs.stripe.com/api
   */
  update(params: InvoicesUpdateParams, options?: CallOptions): Promise<Result<InvoicesRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<InvoicesSearchFields>, options?: CallOptions): SearchCall<InvoicesSearchFields>
}

/** Finalizing of an invoice */
export interface StripeInvoicesFinalize {
  /**
   * Finalize a draft
   * Makes a draft an open invoice with a number and a page to pay it. A restricted key needs Invoices, write.
   * @see https://docs.stripe.com/api
   */
  update(params: InvoicesFinalizeUpdateParams, options?: CallOptions): Promise<Result<InvoicesFinalizeUpdateResult | null>>
}

/** Payment of an invoice */
export interface StripeInvoicesPay {
  /**
   * Collect an open invoice now
   * Charges the customer at once, or says that it was paid elsewhere. A restricted key needs Invoices, write.
   * @see https://docs.stripe.com/api
   */
  update(params: InvoicesPayUpdateParams, options?: CallOptions): Promise<Result<InvoicesPayUpdateResult | null>>
}

/** Voiding of an invoice */
export interface StripeInvoicesVoid {
  /**
   * Void an open invoice
   * The invoice stays as a record and is never collected; this cannot be undone. A restricted key needs Invoices, write.
   * @see https://docs.stripe.com/api
   */
  update(params: InvoicesVoidUpdateParams, options?: CallOptions): Promise<Result<InvoicesVoidUpdateResult | null>>
}

export interface PaymentIntentsApiSearchMeta {
  total_count?: unknown
}

export interface PaymentIntentsListMeta {}

/** What `payment_intents.search` can filter and sort by. */
export interface PaymentIntentsSearchFields {
  allowed_payment_method_types: readonly unknown[]
  amount: number
  amount_capturable: number
  amount_details: Record<string, unknown>
  amount_received: number
  application: string
  application_fee_amount: number
  automatic_payment_methods: Record<string, unknown>
  canceled_at: number
  cancellation_reason: string
  capture_method: string
  confirmation_method: string
  created: number
  currency: string
  customer: string
  customer_account: string
  description: string
  excluded_payment_method_types: readonly unknown[]
  hooks: Record<string, unknown>
  id: string
  last_payment_error: Record<string, unknown>
  latest_charge: string
  livemode: boolean
  managed_payments: Record<string, unknown>
  metadata: Record<string, unknown>
  next_action: Record<string, unknown>
  object: string
  on_behalf_of: string
  payment_details: Record<string, unknown>
  payment_method: string
  payment_method_configuration_details: Record<string, unknown>
  payment_method_options: Record<string, unknown>
  payment_method_types: readonly unknown[]
  payment_record: string
  presentment_details: Record<string, unknown>
  processing: Record<string, unknown>
  receipt_email: string
  review: string
  setup_future_usage: string
  shipping: Record<string, unknown>
  source: string
  statement_descriptor: string
  statement_descriptor_suffix: string
  status: string
  transfer_data: Record<string, unknown>
  transfer_group: string
}

/** Payment intents */
export interface StripePaymentIntents {
  /**
   * Search payment intents by a query
   * Searchable are amount, created, currency, customer, metadata and status. A restricted key needs PaymentIntents, read.
   * @see https://docs.stripe.com/api
   */
  api_search(params: PaymentIntentsApiSearchParams, options?: CallOptions): PageCall<PaymentIntentsRecord, PaymentIntentsApiSearchMeta>
  /**
   * Create a payment intent
   * Begins a payment; with confirm it is tried at once. A restricted key needs PaymentIntents, write.
   * @see https://docs.stripe.com/api
   */
  create(params: PaymentIntentsCreateParams, options?: CallOptions): Promise<Result<PaymentIntentsRecord>>
  /**
   * Get one payment intent
   * Reads one payment intent by id. A restricted key needs PaymentIntents, read.
   * @see https://docs.stripe.com/api
   */
  get(params: PaymentIntentsGetParams, options?: CallOptions): Promise<Result<PaymentIntentsRecord>>
  /**
   * List payment intents
   * Payment intents, newest first. A restricted key needs PaymentIntents, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: PaymentIntentsListParams, options?: CallOptions): PageCall<PaymentIntentsRecord, PaymentIntentsListMeta>
  /**
   * Change a payment intent
   * Only what is given changes, and nothing once the payment is on its way. A restricted key needs PaymentIntents, write.
   * @see https://docs.stripe.com/api
   */
  update(params: PaymentIntentsUpdateParams, options?: CallOptions): Promise<Result<PaymentIntentsRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<PaymentIntentsSearchFields>, options?: CallOptions): SearchCall<PaymentIntentsSearchFields>
}

/** Cancellation of a payment */
export interface StripePaymentIntentsCancel {
  /**
   * Cancel a payment that is not finished
   * Ends a payment intent before the money is taken. A restricted key needs PaymentIntents, write.
   * @see https://docs.stripe.com/api
   */
  update(params: PaymentIntentsCancelUpdateParams, options?: CallOptions): Promise<Result<PaymentIntentsCancelUpdateResult | null>>
}

/** Capture of a payment */
export interface StripePaymentIntentsCapture {
  /**
   * Take the money of an authorized payment
   * Takes all of it or a part; the rest goes back to the payer. A restricted key needs PaymentIntents, write.
   * @see https://docs.stripe.com/api
   */
  update(params: PaymentIntentsCaptureUpdateParams, options?: CallOptions): Promise<Result<PaymentIntentsCaptureUpdateResult | null>>
}

/** Confirmation of a payment */
export interface StripePaymentIntentsConfirm {
  /**
   * Try a payment
   * Tries the payment with a payment method. A card that is refused answers 402. A restricted key needs PaymentIntents, write.
   * @see https://docs.stripe.com/api
   */
  update(params: PaymentIntentsConfirmUpdateParams, options?: CallOptions): Promise<Result<PaymentIntentsConfirmUpdateResult | null>>
}

export interface PaymentMethodsListMeta {}

/** Payment methods */
export interface StripePaymentMethods {
  /**
   * Get one payment method
   * Reads one payment method by id. A restricted key needs PaymentMethods, read.
   * @see https://docs.stripe.com/api
   */
  get(params: PaymentMethodsGetParams, options?: CallOptions): Promise<Result<PaymentMethodsRecord>>
  /**
   * List the payment methods of a customer
   * Payment methods that are attached to a customer, newest first. A restricted key needs PaymentMethods, read.
   * @see https://docs.stripe.com/api
   */
  list(params: PaymentMethodsListParams, options?: CallOptions): PageCall<PaymentMethodsRecord, PaymentMethodsListMeta>
}

export interface PayoutsListMeta {}

/** What `payouts.search` can filter and sort by. */
export interface PayoutsSearchFields {
  amount: number
  application_fee: string
  application_fee_amount: number
  arrival_date: number
  automatic: boolean
  balance_transaction: string
  created: number
  currency: string
  description: string
  destination: string
  failure_balance_transaction: string
  failure_code: string
  failure_message: string
  id: string
  livemode: boolean
  metadata: Record<string, unknown>
  method: string
  object: string
  original_payout: string
  payout_method: string
  reconciliation_status: string
  reversed_by: string
  source_type: string
  statement_descriptor: string
  status: string
  trace_id: Record<string, unknown>
  type: string
}

/** Money that goes from the balance to a bank account or card. */
export interface StripePayouts {
  /**
   * Pay out
   * Sends money of the balance to a bank account or card. The balance must cover it. A restricted key needs Payouts, write.
   * @see https://docs.stripe.com/api
   */
  create(params: PayoutsCreateParams, options?: CallOptions): Promise<Result<PayoutsRecord>>
  /**
   * Get one payout
   * Reads one payout by id. A restricted key needs Payouts, read.
   * @see https://docs.stripe.com/api
   */
  get(params: PayoutsGetParams, options?: CallOptions): Promise<Result<PayoutsRecord>>
  /**
   * List payouts
   * Payouts, newest first. A restricted key needs Payouts, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: PayoutsListParams, options?: CallOptions): PageCall<PayoutsRecord, PayoutsListMeta>
  /**
   * Change the metadata of a payout
   * A restricted key needs Payouts, write.
   * @see https://docs.stripe.com/api
   */
  update(params: PayoutsUpdateParams, options?: CallOptions): Promise<Result<PayoutsRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<PayoutsSearchFields>, options?: CallOptions): SearchCall<PayoutsSearchFields>
}

/** Cancellation of a payout */
export interface StripePayoutsCancel {
  /**
   * Cancel a payout
   * Takes back a payout that is pending and that no schedule has made. A restricted key needs Payouts, write.
   * @see https://docs.stripe.com/api
   */
  update(params: PayoutsCancelUpdateParams, options?: CallOptions): Promise<Result<PayoutsCancelUpdateResult | null>>
}

/** Reversal of a payout */
export interface StripePayoutsReverse {
  /**
   * Reverse a payout
   * Debits the bank account that a payout went to, and answers with the payout that reverses it. Only for connected accounts with a bank account in the United States or Canada. A restricted key needs Payouts, write.
   * @see https://docs.stripe.com/api
   */
  create(params: PayoutsReverseCreateParams, options?: CallOptions): Promise<Result<PayoutsReverseCreateResult>>
}

export interface PricesApiSearchMeta {
  total_count?: unknown
}

export interface PricesListMeta {}

/** What `prices.search` can filter and sort by. */
export interface PricesSearchFields {
  active: boolean
  billing_scheme: string
  created: number
  currency: string
  /** Empty in the copy. Stripe sends it only where expand names it. */
  currency_options: Record<string, unknown>
  custom_unit_amount: Record<string, unknown>
  id: string
  livemode: boolean
  lookup_key: string
  metadata: Record<string, unknown>
  nickname: string
  object: string
  product: string
  recurring: Record<string, unknown>
  tax_behavior: string
  /** Empty in the copy. Stripe sends it only where expand names it. */
  tiers: readonly unknown[]
  tiers_mode: string
  transform_quantity: Record<string, unknown>
  type: string
  unit_amount: number
  unit_amount_decimal: string
}

/** Prices */
export interface StripePrices {
  /**
   * Search prices by a query
   * Searchable are active, currency, lookup_key, metadata, product and type. A restricted key needs Products, read.
   * @see https://docs.stripe.com/api
   */
  api_search(params: PricesApiSearchParams, options?: CallOptions): PageCall<PricesRecord, PricesApiSearchMeta>
  /**
   * Create a price
   * Creates a price of a product, which is given by id or made on the way. Its amount never changes. A restricted key needs Products, write.
   * @see https://docs.stripe.com/api
   */
  create(params: PricesCreateParams, options?: CallOptions): Promise<Result<PricesRecord>>
  /**
   * Get one price
   * Reads one price by id. A restricted key needs Products, read.
   * @see https://docs.stripe.com/api
   */
  get(params: PricesGetParams, options?: CallOptions): Promise<Result<PricesRecord>>
  /**
   * List prices
   * Prices, newest first. A restricted key needs Products, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: PricesListParams, options?: CallOptions): PageCall<PricesRecord, PricesListMeta>
  /**
   * Change a price
   * Only what is given changes; amount and interval cannot. A restricted key needs Products, write.
   * @see https://docs.stripe.com/api
   */
  update(params: PricesUpdateParams, options?: CallOptions): Promise<Result<PricesRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<PricesSearchFields>, options?: CallOptions): SearchCall<PricesSearchFields>
}

export interface ProductsApiSearchMeta {
  total_count?: unknown
}

export interface ProductsListMeta {}

/** What `products.search` can filter and sort by. */
export interface ProductsSearchFields {
  active: boolean
  created: number
  default_price: string
  description: string
  id: string
  images: readonly unknown[]
  livemode: boolean
  marketing_features: readonly unknown[]
  metadata: Record<string, unknown>
  name: string
  object: string
  package_dimensions: Record<string, unknown>
  shippable: boolean
  statement_descriptor: string
  tax_code: string
  tax_details: Record<string, unknown>
  type: string
  unit_label: string
  updated: number
  url: string
}

/** Products */
export interface StripeProducts {
  /**
   * Search products by a query
   * Searchable are active, description, metadata, name, shippable and url. A restricted key needs Products, read.
   * @see https://docs.stripe.com/api
   */
  api_search(params: ProductsApiSearchParams, options?: CallOptions): PageCall<ProductsRecord, ProductsApiSearchMeta>
  /**
   * Create a product
   * Creates a product, with a price if default_price_data is given. A restricted key needs Products, write.
   * @see https://docs.stripe.com/api
   */
  create(params: ProductsCreateParams, options?: CallOptions): Promise<Result<ProductsRecord>>
  /**
   * Delete a product
   * Deletes a product. Stripe refuses with 400 while it has prices; take it off sale instead. A restricted key needs Products, write.
   * @see https://docs.stripe.com/api
   */
  delete(params: ProductsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get one product
   * Reads one product by id. A restricted key needs Products, read.
   * @see https://docs.stripe.com/api
   */
  get(params: ProductsGetParams, options?: CallOptions): Promise<Result<ProductsRecord>>
  /**
   * List products
   * Products, newest first. A restricted key needs Products, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: ProductsListParams, options?: CallOptions): PageCall<ProductsRecord, ProductsListMeta>
  /**
   * Change a product
   * Only what is given changes. A restricted key needs Products, write.
   * @see https://docs.stripe.com/api
   */
  update(params: ProductsUpdateParams, options?: CallOptions): Promise<Result<ProductsRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<ProductsSearchFields>, options?: CallOptions): SearchCall<ProductsSearchFields>
}

export interface RefundsListMeta {}

/** What `refunds.search` can filter and sort by. */
export interface RefundsSearchFields {
  amount: number
  balance_transaction: string
  charge: string
  created: number
  currency: string
  customer: string
  customer_account: string
  description: string
  destination_details: Record<string, unknown>
  failure_balance_transaction: string
  failure_reason: string
  id: string
  instructions_email: string
  metadata: Record<string, unknown>
  next_action: Record<string, unknown>
  object: string
  payment_intent: string
  payment_method: string
  pending_reason: string
  presentment_details: Record<string, unknown>
  reason: string
  receipt_number: string
  source_transfer_reversal: string
  status: string
  transfer_reversal: string
}

/** Refunds */
export interface StripeRefunds {
  /**
   * Refund a payment
   * Gives back all of a payment that is left, or a part of it. A restricted key needs Charges and Refunds, write.
   * @see https://docs.stripe.com/api
   */
  create(params?: RefundsCreateParams, options?: CallOptions): Promise<Result<RefundsRecord>>
  /**
   * Get one refund
   * Reads one refund by id. A restricted key needs Charges and Refunds, read.
   * @see https://docs.stripe.com/api
   */
  get(params: RefundsGetParams, options?: CallOptions): Promise<Result<RefundsRecord>>
  /**
   * List refunds
   * Refunds, newest first. A restricted key needs Charges and Refunds, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: RefundsListParams, options?: CallOptions): PageCall<RefundsRecord, RefundsListMeta>
  /**
   * Change the metadata of a refund
   * A restricted key needs Charges and Refunds, write.
   * @see https://docs.stripe.com/api
   */
  update(params: RefundsUpdateParams, options?: CallOptions): Promise<Result<RefundsRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<RefundsSearchFields>, options?: CallOptions): SearchCall<RefundsSearchFields>
}

export interface SubscriptionsApiSearchMeta {
  total_count?: unknown
}

export interface SubscriptionsListMeta {}

/** What `subscriptions.search` can filter and sort by. */
export interface SubscriptionsSearchFields {
  application: string
  application_fee_percent: number
  automatic_tax: Record<string, unknown>
  billing_cycle_anchor: number
  billing_cycle_anchor_config: Record<string, unknown>
  billing_mode: Record<string, unknown>
  billing_schedules: readonly unknown[]
  billing_thresholds: Record<string, unknown>
  cancel_at: number
  cancel_at_period_end: boolean
  canceled_at: number
  cancellation_details: Record<string, unknown>
  collection_method: string
  created: number
  currency: string
  customer: string
  customer_account: string
  days_until_due: number
  default_payment_method: string
  default_source: string
  default_tax_rates: readonly unknown[]
  description: string
  discounts: readonly unknown[]
  ended_at: number
  id: string
  invoice_settings: Record<string, unknown>
  items: Record<string, unknown>
  latest_invoice: string
  livemode: boolean
  managed_payments: Record<string, unknown>
  metadata: Record<string, unknown>
  next_pending_invoice_item_invoice: number
  object: string
  on_behalf_of: string
  pause_collection: Record<string, unknown>
  payment_settings: Record<string, unknown>
  pending_invoice_item_interval: Record<string, unknown>
  pending_setup_intent: string
  pending_update: Record<string, unknown>
  presentment_details: Record<string, unknown>
  schedule: string
  start_date: number
  status: string
  status_details: Record<string, unknown>
  test_clock: string
  transfer_data: Record<string, unknown>
  trial_end: number
  trial_settings: Record<string, unknown>
  trial_start: number
}

/** Subscriptions */
export interface StripeSubscriptions {
  /**
   * Search subscriptions by a query
   * Searchable are canceled_at, created, metadata and status. A restricted key needs Subscriptions, read.
   * @see https://docs.stripe.com/api
   */
  api_search(params: SubscriptionsApiSearchParams, options?: CallOptions): PageCall<SubscriptionsRecord, SubscriptionsApiSearchMeta>
  /**
   * Start a subscription
   * Starts a subscription of a customer to up to 20 prices. A restricted key needs Subscriptions, write.
   * @see https://docs.stripe.com/api
   */
  create(params: SubscriptionsCreateParams, options?: CallOptions): Promise<Result<SubscriptionsRecord>>
  /**
   * Cancel a subscription at once
   * Ends a subscription now; update with cancel_at_period_end ends it later. A restricted key needs Subscriptions, write.
   * @see https://docs.stripe.com/api
   */
  delete(params: SubscriptionsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get one subscription
   * Reads one subscription by id. A restricted key needs Subscriptions, read.
   * @see https://docs.stripe.com/api
   */
  get(params: SubscriptionsGetParams, options?: CallOptions): Promise<Result<SubscriptionsRecord>>
  /**
   * List subscriptions
   * Subscriptions, newest first; canceled ones only where status says so. A restricted key needs Subscriptions, read.
   * @see https://docs.stripe.com/api
   */
  list(params?: SubscriptionsListParams, options?: CallOptions): PageCall<SubscriptionsRecord, SubscriptionsListMeta>
  /**
   * Change a subscription
   * Only what is given changes; an item without its id is added to the subscription, one with deleted goes. A restricted key needs Subscriptions, write.
   * @see https://docs.stripe.com/api
   */
  update(params: SubscriptionsUpdateParams, options?: CallOptions): Promise<Result<SubscriptionsRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<SubscriptionsSearchFields>, options?: CallOptions): SearchCall<SubscriptionsSearchFields>
}

/** Its entities, also for `execute`. */
export interface StripeEntities {
  readonly balance: StripeBalance
  readonly balance_transactions: StripeBalanceTransactions
  readonly charges: StripeCharges
  readonly customers: StripeCustomers
  readonly disputes: StripeDisputes
  readonly disputes_close: StripeDisputesClose
  readonly events: StripeEvents
  readonly file_contents: StripeFileContents
  readonly files: StripeFiles
  readonly invoice_items: StripeInvoiceItems
  readonly invoices: StripeInvoices
  readonly invoices_finalize: StripeInvoicesFinalize
  readonly invoices_pay: StripeInvoicesPay
  readonly invoices_void: StripeInvoicesVoid
  readonly payment_intents: StripePaymentIntents
  readonly payment_intents_cancel: StripePaymentIntentsCancel
  readonly payment_intents_capture: StripePaymentIntentsCapture
  readonly payment_intents_confirm: StripePaymentIntentsConfirm
  readonly payment_methods: StripePaymentMethods
  readonly payouts: StripePayouts
  readonly payouts_cancel: StripePayoutsCancel
  readonly payouts_reverse: StripePayoutsReverse
  readonly prices: StripePrices
  readonly products: StripeProducts
  readonly refunds: StripeRefunds
  readonly subscriptions: StripeSubscriptions
}

/**
 * Customers, products, prices, invoices, subscriptions, payments, charges, refunds, disputes, payouts, balance transactions, events and files of a Stripe account. Amounts are integers in the smallest unit of their currency, times are seconds since 1970. A member that names another object is its id, or that object where expand names it.
 * @see https://docs.stripe.com/api
 */
export interface Stripe extends ConnectorOf<StripeEntities>, StripeEntities {}

export type StripeCredentials = StripeAppOauthCredentials | StripeBasicCredentials | StripeConnectOauthCredentials | StripeRestrictedKeyCredentials | StripeSecretKeyCredentials

export interface StripeSettings {
  credentials: StripeCredentials
  config: StripeConfig
}

declare module 'tenon' {
  interface Connectors {
    stripe: Stripe
  }
}
