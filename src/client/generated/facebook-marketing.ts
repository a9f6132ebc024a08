// Made by `tenon types` (format 4) from facebook-marketing 1.0.0. Do not edit.
// manifest sha256-8d0b11152d6b8ba1e165755ed0fafd489ff9b8c4a5c5a297a95099d71c3207e2
/* eslint-disable */ /* oxlint-disable */

import type { CallOptions, ConnectorOf, PageCall, Result, SearchCall, SearchParams } from 'tenon'

/**
 * The configured account when there is exactly one.
 * Matches `^(act_)?\d+$`.
 */
export type AccountId = string
/** The cursor that came with the page before (meta.pagination.cursor). */
export type After = string
/** LOWEST_COST_WITHOUT_CAP, LOWEST_COST_WITH_BID_CAP, COST_CAP or LOWEST_COST_WITH_MIN_ROAS. */
export type BidStrategy = string
/** today, yesterday, last_7d, last_30d, this_month, last_month, this_year, maximum and others. */
export type DatePreset = string
/** Comma-separated, nested as creative{id,name}; every known field when absent. */
export type Fields = string
export type Filtering = {
  field: string
  operator: string
  [member: string]: unknown
}[]
/** What one row is about; account when absent. */
export type Level = "account" | "campaign" | "adset" | "ad"
/** In the smallest unit of the currency; needs an end_time. */
export type LifetimeMoney = number | string
/**
 * Page size. The vendor takes 25 by default.
 * At least 1, at most 500.
 */
export type Limit = number
/** In the smallest unit of the currency. */
export type Money = number | string
/** Matches `^\d+$`. */
export type NodeId = string
/** ISO 8601, for example 2026-01-31T10:00:00-0800. */
export type Time = string
/**
 * Days per row (1 to 90), monthly, or all_days (one row for the whole range).
 * At least 1, at most 90.
 */
export type TimeIncrement = number | string

export interface AdAccountsRecord {
  account_id?: string
  account_status?: number
  age?: number
  amount_spent?: string
  balance?: string
  business?: Record<string, unknown>
  business_name?: string
  created_time?: string
  currency?: string
  disable_reason?: number
  id?: string
  name?: string
  spend_cap?: string
  timezone_id?: number
  timezone_name?: string
  [member: string]: unknown
}
export interface AdCreativesRecord {
  /** Names a record of `ad_accounts`. */
  account_id?: string
  actor_id?: string
  body?: string
  call_to_action_type?: string
  effective_object_story_id?: string
  id?: string
  image_hash?: string
  image_url?: string
  link_url?: string
  name?: string
  object_story_id?: string
  object_story_spec?: Record<string, unknown>
  object_type?: string
  status?: string
  thumbnail_url?: string
  title?: string
  url_tags?: string
  [member: string]: unknown
}
export interface AdInsightReportsRecord {
  /** Names a record of `ad_accounts`. */
  account_id?: string
  account_name?: string
  action_values?: Record<string, unknown>[]
  actions?: Record<string, unknown>[]
  /** Names a record of `ads`. */
  ad_id?: string
  ad_name?: string
  /** Names a record of `ad_sets`. */
  adset_id?: string
  adset_name?: string
  /** Names a record of `campaigns`. */
  campaign_id?: string
  campaign_name?: string
  clicks?: string
  cpc?: string
  cpm?: string
  ctr?: string
  date_start?: string
  date_stop?: string
  impressions?: string
  reach?: string
  spend?: string
  [member: string]: unknown
}
export interface AdLibraryRecord {
  ad_creation_time?: string
  ad_creative_bodies?: string[]
  ad_creative_link_captions?: string[]
  ad_creative_link_descriptions?: string[]
  ad_creative_link_titles?: string[]
  ad_delivery_start_time?: string
  ad_delivery_stop_time?: string
  ad_snapshot_url?: string
  bylines?: string
  currency?: string
  delivery_by_region?: Record<string, unknown>[]
  demographic_distribution?: Record<string, unknown>[]
  estimated_audience_size?: Record<string, unknown>
  id?: string
  impressions?: Record<string, unknown>
  languages?: string[]
  page_id?: string
  page_name?: string
  publisher_platforms?: string[]
  spend?: Record<string, unknown>
  [member: string]: unknown
}
export interface AdSetsRecord {
  /** Names a record of `ad_accounts`. */
  account_id?: string
  adlabels?: Record<string, unknown>[]
  bid_amount?: number
  bid_constraints?: Record<string, unknown>
  bid_info?: Record<string, unknown>
  bid_strategy?: string
  billing_event?: string
  budget_remaining?: string
  /** Names a record of `campaigns`. */
  campaign_id?: string
  configured_status?: string
  created_time?: string
  daily_budget?: string
  effective_status?: string
  end_time?: string
  id?: string
  learning_stage_info?: Record<string, unknown>
  lifetime_budget?: string
  name?: string
  promoted_object?: Record<string, unknown>
  start_time?: string
  status?: string
  targeting?: Record<string, unknown>
  updated_time?: string
  [member: string]: unknown
}
export interface AdsRecord {
  /** Names a record of `ad_accounts`. */
  account_id?: string
  adlabels?: Record<string, unknown>[]
  /** Names a record of `ad_sets`. */
  adset_id?: string
  bid_amount?: number
  bid_info?: Record<string, unknown>
  bid_type?: string
  /** Names a record of `campaigns`. */
  campaign_id?: string
  configured_status?: string
  conversion_specs?: Record<string, unknown>[]
  created_time?: string
  creative?: Record<string, unknown>
  effective_status?: string
  id?: string
  last_updated_by_app_id?: string
  name?: string
  recommendations?: Record<string, unknown>[]
  /** Names a record of `ads`. */
  source_ad_id?: string
  status?: string
  tracking_specs?: Record<string, unknown>[]
  updated_time?: string
  [member: string]: unknown
}
export interface AdsInsightsRecord {
  /** Names a record of `ad_accounts`. */
  account_id?: string
  account_name?: string
  action_values?: Record<string, unknown>[]
  actions?: Record<string, unknown>[]
  /** Names a record of `ads`. */
  ad_id?: string
  ad_name?: string
  /** Names a record of `ad_sets`. */
  adset_id?: string
  adset_name?: string
  /** Names a record of `campaigns`. */
  campaign_id?: string
  campaign_name?: string
  clicks?: string
  cpc?: string
  cpm?: string
  ctr?: string
  date_start?: string
  date_stop?: string
  impressions?: string
  reach?: string
  spend?: string
  [member: string]: unknown
}
export interface CampaignsRecord {
  /** Names a record of `ad_accounts`. */
  account_id?: string
  adlabels?: Record<string, unknown>[]
  bid_strategy?: string
  boosted_object_id?: string
  budget_rebalance_flag?: boolean
  budget_remaining?: string
  buying_type?: string
  configured_status?: string
  created_time?: string
  daily_budget?: string
  effective_status?: string
  id?: string
  issues_info?: Record<string, unknown>[]
  lifetime_budget?: string
  name?: string
  objective?: string
  smart_promotion_type?: string
  /** Names a record of `campaigns`. */
  source_campaign_id?: string
  special_ad_categories?: string[]
  special_ad_category?: string
  special_ad_category_country?: string[]
  spend_cap?: string
  start_time?: string
  status?: string
  stop_time?: string
  updated_time?: string
  [member: string]: unknown
}
export interface CurrentUserRecord {
  id?: string
  name?: string
  [member: string]: unknown
}
export interface CustomConversionsRecord {
  /** Names a record of `ad_accounts`. */
  account_id?: string
  business?: Record<string, unknown>
  creation_time?: string
  custom_event_type?: string
  data_sources?: Record<string, unknown>[]
  default_conversion_value?: number
  description?: string
  event_source_type?: string
  first_fired_time?: string
  id?: string
  is_archived?: boolean
  is_unavailable?: boolean
  last_fired_time?: string
  name?: string
  offline_conversion_data_set?: Record<string, unknown>
  retention_days?: number
  rule?: string
  [member: string]: unknown
}
export interface ImagesRecord {
  /** Names a record of `ad_accounts`. */
  account_id?: string
  created_time?: string
  /**
   * Names a record of `ad_creatives`.
   *
   * Items: Names a record of `ad_creatives`.
   */
  creatives?: string[]
  hash?: string
  height?: number
  id?: string
  is_associated_creatives_in_adgroups?: boolean
  name?: string
  original_height?: number
  original_width?: number
  permalink_url?: string
  status?: string
  updated_time?: string
  url?: string
  url_128?: string
  width?: number
  [member: string]: unknown
}
export interface PixelStatsRecord {
  aggregation?: string
  data?: {
    count?: number
    value?: string
    [member: string]: unknown
  }[]
  start_time?: string
  [member: string]: unknown
}
export interface PixelsRecord {
  creation_time?: string
  creator?: Record<string, unknown>
  data_use_setting?: string
  enable_automatic_matching?: boolean
  first_party_cookie_status?: string
  id?: string
  is_crm?: boolean
  is_unavailable?: boolean
  last_fired_time?: string
  name?: string
  owner_ad_account?: Record<string, unknown>
  owner_business?: Record<string, unknown>
  [member: string]: unknown
}
export interface VideosRecord {
  /** Names a record of `ad_accounts`. */
  account_id?: string
  ad_breaks?: number[]
  backdated_time?: string
  backdated_time_granularity?: string
  content_category?: string
  content_tags?: string[]
  created_time?: string
  custom_labels?: string[]
  description?: string
  embed_html?: Record<string, unknown> | unknown[]
  embeddable?: boolean
  format?: Record<string, unknown>[]
  icon?: string
  id?: string
  is_crosspost_video?: boolean
  is_crossposting_eligible?: boolean
  is_episode?: boolean
  is_instagram_eligible?: boolean
  length?: number
  live_status?: string
  permalink_url?: string
  post_views?: number
  premiere_living_room_status?: string
  published?: boolean
  scheduled_publish_time?: string
  source?: string
  title?: string
  universal_video_id?: string
  updated_time?: string
  views?: number
  [member: string]: unknown
}
export interface Insight {
  /** Names a record of `ad_accounts`. */
  account_id?: string
  account_name?: string
  action_values?: Record<string, unknown>[]
  actions?: Record<string, unknown>[]
  /** Names a record of `ads`. */
  ad_id?: string
  ad_name?: string
  /** Names a record of `ad_sets`. */
  adset_id?: string
  adset_name?: string
  /** Names a record of `campaigns`. */
  campaign_id?: string
  campaign_name?: string
  clicks?: string
  cpc?: string
  cpm?: string
  ctr?: string
  date_start?: string
  date_stop?: string
  impressions?: string
  reach?: string
  spend?: string
  [member: string]: unknown
}
export interface TimeRange {
  /** Date, YYYY-MM-DD. */
  since: string
  /** Date, YYYY-MM-DD. */
  until: string
}
export interface AdAccountsGetParams {
  account_id?: AccountId
  fields?: Fields
}
export interface AdAccountsGetResult {
  account_id?: string
  account_status?: number
  age?: number
  amount_spent?: string
  balance?: string
  business?: Record<string, unknown>
  business_city?: string
  business_country_code?: string
  business_name?: string
  business_state?: string
  business_street?: string
  business_street2?: string
  business_zip?: string
  created_time?: string
  currency?: string
  disable_reason?: number
  end_advertiser?: string
  end_advertiser_name?: string
  funding_source?: string
  has_migrated_permissions?: boolean
  id?: string
  is_personal?: number
  is_tax_id_required?: boolean
  min_campaign_group_spend_cap?: string
  min_daily_budget?: number
  name?: string
  owner?: string
  spend_cap?: string
  timezone_id?: number
  timezone_name?: string
  timezone_offset_hours_utc?: number
  [member: string]: unknown
}
export interface AdAccountsListParams {
  after?: After
  fields?: Fields
  limit?: Limit
}
export interface AdCreativesGetParams {
  creative_id: NodeId
  fields?: Fields
  thumbnail_height?: number
  thumbnail_width?: number
}
export interface AdCreativesListParams {
  account_id?: AccountId
  after?: After
  fields?: Fields
  limit?: Limit
}
export interface AdInsightReportsListParams {
  account_id?: AccountId
  /**
   * 1d_click, 7d_click, 28d_click, 1d_view, 7d_view, 28d_view, 1d_ev, dda, default, and those that begin with skan_.
   */
  action_attribution_windows?: string[]
  action_breakdowns?: string[]
  /** impression, conversion, mixed or lifetime. */
  action_report_time?: string
  after?: After
  breakdowns?: string[]
  date_preset?: DatePreset
  fields?: Fields
  filtering?: Filtering
  level?: Level
  limit?: Limit
  /**
   * A report that was started before.
   * Matches `^\d+$`.
   */
  report_run_id?: string
  sort?: string[]
  time_increment?: TimeIncrement
  time_range?: TimeRange
  /** At least 1 element. */
  time_ranges?: TimeRange[]
  use_account_attribution_setting?: boolean
}
export interface AdLibraryListParams {
  /**
   * ISO codes of countries, or ALL.
   * At least 1 element.
   */
  ad_reached_countries: string[]
  /** ACTIVE, INACTIVE or ALL. */
  ad_active_status?: string
  /** Date, YYYY-MM-DD. */
  ad_delivery_date_max?: string
  /** Date, YYYY-MM-DD. */
  ad_delivery_date_min?: string
  /** ALL, POLITICAL_AND_ISSUE_ADS, EMPLOYMENT_ADS, FINANCIAL_PRODUCTS_AND_SERVICES_ADS or HOUSING_ADS. */
  ad_type?: string
  after?: After
  /** At least 1 element. */
  bylines?: string[]
  fields?: Fields
  /** At least 1 element. */
  languages?: string[]
  limit?: Limit
  /** ALL, IMAGE, MEME, VIDEO or NONE. */
  media_type?: string
  /** At least 1 element. */
  publisher_platforms?: string[]
  /** At least 1 element, at most 10 elements. */
  search_page_ids?: string[]
  /** At most 100 characters. */
  search_terms?: string
  /** KEYWORD_UNORDERED or KEYWORD_EXACT_PHRASE. */
  search_type?: string
  unmask_removed_content?: boolean
}
export interface AdSetsCreateParams {
  name: string
  account_id?: AccountId
  /** Windows of attribution, for example [{"event_type":"CLICK_THROUGH","window_days":7}]. */
  attribution_spec?: Record<string, unknown>[]
  bid_amount?: number
  bid_strategy?: BidStrategy
  /**
   * IMPRESSIONS, LINK_CLICKS, THRUPLAY, APP_INSTALLS, PAGE_LIKES, POST_ENGAGEMENT and others; the list grows.
   */
  billing_event?: string
  campaign_id?: NodeId
  daily_budget?: Money
  /** WEBSITE, APP, MESSENGER, WHATSAPP, ON_AD, ON_POST and others; the list grows. */
  destination_type?: string
  end_time?: Time
  lifetime_budget?: LifetimeMoney
  /**
   * IMPRESSIONS, REACH, LINK_CLICKS, LANDING_PAGE_VIEWS, OFFSITE_CONVERSIONS, LEAD_GENERATION, VALUE, THRUPLAY and others; the list grows.
   */
  optimization_goal?: string
  promoted_object?: Record<string, unknown>
  start_time?: Time
  status?: "ACTIVE" | "PAUSED"
  targeting?: Record<string, unknown>
}
export interface AdSetsCreateResult {
  id: string
  [member: string]: unknown
}
export interface AdSetsDeleteParams {
  adset_id: NodeId
}
export interface AdSetsGetParams {
  adset_id: NodeId
  fields?: Fields
}
export interface AdSetsListParams {
  account_id?: AccountId
  after?: After
  date_preset?: DatePreset
  /**
   * Deleted and archived ones come only when named here.
   * At least 1 element.
   */
  effective_status?: string[]
  fields?: Fields
  filtering?: Filtering
  is_completed?: boolean
  limit?: Limit
  time_range?: TimeRange
  /** Only what was changed since, in seconds since 1970. */
  updated_since?: number
}
/** At least 2 members. */
export interface AdSetsUpdateParams {
  adset_id: NodeId
  bid_amount?: number
  bid_strategy?: BidStrategy
  daily_budget?: Money
  end_time?: Time
  lifetime_budget?: Money
  name?: string
  promoted_object?: Record<string, unknown>
  start_time?: Time
  status?: "ACTIVE" | "PAUSED" | "ARCHIVED" | "DELETED"
  targeting?: Record<string, unknown>
}
export interface AdSetsUpdateResult {
  success?: boolean
  [member: string]: unknown
}
export interface AdsCreateParams {
  /** For example {"creative_id":"123"}. */
  creative: Record<string, unknown>
  name: string
  account_id?: AccountId
  adset_id?: NodeId
  bid_amount?: number
  status?: "ACTIVE" | "PAUSED"
  tracking_specs?: Record<string, unknown>[]
}
export interface AdsCreateResult {
  id: string
  [member: string]: unknown
}
export interface AdsDeleteParams {
  ad_id: NodeId
}
export interface AdsGetParams {
  ad_id: NodeId
  fields?: Fields
}
export interface AdsListParams {
  account_id?: AccountId
  after?: After
  date_preset?: DatePreset
  /**
   * Deleted and archived ones come only when named here.
   * At least 1 element.
   */
  effective_status?: string[]
  fields?: Fields
  filtering?: Filtering
  limit?: Limit
  time_range?: TimeRange
  /** Only what was changed since, in seconds since 1970. */
  updated_since?: number
}
/** At least 2 members. */
export interface AdsUpdateParams {
  ad_id: NodeId
  bid_amount?: number
  creative?: Record<string, unknown>
  name?: string
  status?: "ACTIVE" | "PAUSED" | "ARCHIVED" | "DELETED"
  tracking_specs?: Record<string, unknown>[]
}
export interface AdsUpdateResult {
  success?: boolean
  [member: string]: unknown
}
export interface AdsInsightsListParams {
  account_id?: AccountId
  /**
   * 1d_click, 7d_click, 28d_click, 1d_view, 7d_view, 28d_view, 1d_ev, dda, default, and those that begin with skan_.
   */
  action_attribution_windows?: string[]
  action_breakdowns?: string[]
  /** impression, conversion, mixed or lifetime. */
  action_report_time?: string
  after?: After
  breakdowns?: string[]
  date_preset?: DatePreset
  fields?: Fields
  filtering?: Filtering
  level?: Level
  limit?: Limit
  sort?: string[]
  time_increment?: TimeIncrement
  time_range?: TimeRange
  /** At least 1 element. */
  time_ranges?: TimeRange[]
  use_account_attribution_setting?: boolean
}
export interface CampaignsCreateParams {
  name: string
  /**
   * OUTCOME_APP_PROMOTION, OUTCOME_AWARENESS, OUTCOME_ENGAGEMENT, OUTCOME_LEADS, OUTCOME_SALES or OUTCOME_TRAFFIC; the list grows.
   */
  objective: string
  /**
   * CREDIT, EMPLOYMENT, FINANCIAL_PRODUCTS_SERVICES, HOUSING, ISSUES_ELECTIONS_POLITICS, ONLINE_GAMBLING_AND_GAMING; [] or [NONE] when there is none.
   */
  special_ad_categories: string[]
  status: "ACTIVE" | "PAUSED"
  account_id?: AccountId
  bid_strategy?: BidStrategy
  /** AUCTION or RESERVED. */
  buying_type?: string
  daily_budget?: Money
  is_adset_budget_sharing_enabled?: boolean
  lifetime_budget?: Money
  /** What is promoted, for example {"application_id":"123"}. */
  promoted_object?: Record<string, unknown>
  spend_cap?: Money
  start_time?: Time
  stop_time?: Time
}
export interface CampaignsCreateResult {
  id: string
  [member: string]: unknown
}
export interface CampaignsDeleteParams {
  campaign_id: NodeId
}
export interface CampaignsGetParams {
  campaign_id: NodeId
  fields?: Fields
}
export interface CampaignsListParams {
  account_id?: AccountId
  after?: After
  date_preset?: DatePreset
  /**
   * Deleted and archived ones come only when named here.
   * At least 1 element.
   */
  effective_status?: string[]
  fields?: Fields
  filtering?: Filtering
  is_completed?: boolean
  limit?: Limit
  time_range?: TimeRange
}
/** At least 2 members. */
export interface CampaignsUpdateParams {
  campaign_id: NodeId
  bid_strategy?: BidStrategy
  daily_budget?: Money
  lifetime_budget?: Money
  name?: string
  spend_cap?: Money
  start_time?: Time
  status?: "ACTIVE" | "PAUSED" | "ARCHIVED" | "DELETED"
  stop_time?: Time
}
export interface CampaignsUpdateResult {
  success?: boolean
  [member: string]: unknown
}
export interface CurrentUserGetParams {
  /**
   * Comma-separated.
   * @default "id,name"
   */
  fields?: string
}
export interface CustomConversionsListParams {
  account_id?: AccountId
  after?: After
  fields?: Fields
  limit?: Limit
}
export interface ImagesListParams {
  account_id?: AccountId
  after?: After
  fields?: Fields
  /** At least 1 element. */
  hashes?: string[]
  limit?: Limit
  minheight?: number
  minwidth?: number
  name?: string
}
export interface PixelStatsListParams {
  pixel_id: NodeId
  /**
   * browser_type, device_os, device_type, event, event_source, event_total_counts, host, pixel_fire, url and others; the list grows.
   */
  aggregation?: string
  /** Unix seconds or an ISO time. */
  end_time?: number | string
  event?: string
  event_source?: string
  /** Unix seconds or an ISO time. */
  start_time?: number | string
}
export interface PixelsGetParams {
  pixel_id: NodeId
  fields?: Fields
}
export interface PixelsListParams {
  account_id?: AccountId
  after?: After
  fields?: Fields
  limit?: Limit
  sort_by?: "LAST_FIRED_TIME" | "NAME"
}
export interface VideosListParams {
  account_id?: AccountId
  after?: After
  fields?: Fields
  limit?: Limit
  title?: string
}
export interface FacebookMarketingConfig {
  /**
   * Ids of the ad accounts to pull data from.
   * At least 1 element, as text matches `^\s*(act_)?\d+(\s*,\s*(act_)?\d+)*\s*$`.
   */
  account_ids: string | string[]
  /**
   * Version of the Graph API; one lives about two years.
   * Matches `^v\d+\.\d+$`.
   * @default "v24.0"
   */
  api_version?: string
  /**
   * Sign every call with the app secret; apps may require it. Needs client_id and client_secret.
   * @default false
   */
  app_proof?: boolean
}
/**
 * There is no refresh token. Consent yields a token for about 60 days; then the user must consent again. Tokens of system users do not expire.
 */
export interface FacebookMarketingOauthCredentials {
  /** Access token of a user or a system user. */
  access_token: string
  /** Id of the app. */
  client_id?: string
  /** Secret of the app. */
  client_secret?: string
}

export interface AdAccountsListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/** What `ad_accounts.search` can filter and sort by. */
export interface AdAccountsSearchFields {
  account_id: string
  account_status: number
  amount_spent: string
  balance: string
  business_name: string
  created_time: string
  currency: string
  id: string
  name: string
  spend_cap: string
  timezone_name: string
}

/** Ad accounts */
export interface FacebookMarketingAdAccounts {
  /**
   * Get one ad account
   * Two members need the MANAGE task on the account (funding_source_details, is_prepay_account); they come only when named in fields.
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  get(params?: AdAccountsGetParams, options?: CallOptions): Promise<Result<AdAccountsGetResult>>
  /**
   * List the ad accounts of the user
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params?: AdAccountsListParams, options?: CallOptions): PageCall<AdAccountsRecord, AdAccountsListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<AdAccountsSearchFields>, options?: CallOptions): SearchCall<AdAccountsSearchFields>
}

export interface AdCreativesListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/** What `ad_creatives.search` can filter and sort by. */
export interface AdCreativesSearchFields {
  account_id: string
  body: string
  call_to_action_type: string
  id: string
  image_url: string
  link_url: string
  name: string
  status: string
  thumbnail_url: string
  title: string
}

/** Ad creatives */
export interface FacebookMarketingAdCreatives {
  /**
   * Get one creative
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  get(params: AdCreativesGetParams, options?: CallOptions): Promise<Result<AdCreativesRecord>>
  /**
   * List the creatives of an ad account
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params?: AdCreativesListParams, options?: CallOptions): PageCall<AdCreativesRecord, AdCreativesListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<AdCreativesSearchFields>, options?: CallOptions): SearchCall<AdCreativesSearchFields>
}

export interface AdInsightReportsListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/** Insights reports */
export interface FacebookMarketingAdInsightReports {
  /**
   * Run a large insights report and read it
   * Starts the report, waits for it and reads it. The next pages carry its id, so they read the same report.
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params?: AdInsightReportsListParams, options?: CallOptions): PageCall<AdInsightReportsRecord, AdInsightReportsListMeta>
}

export interface AdLibraryListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/**
 * Ads of any advertiser. Only users who confirmed their identity may search it. The vendor writes the access token into ad_snapshot_url; it is taken out, so add one to open the page.
 */
export interface FacebookMarketingAdLibrary {
  /**
   * Search the ad library
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params: AdLibraryListParams, options?: CallOptions): PageCall<AdLibraryRecord, AdLibraryListMeta>
}

export interface AdSetsListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/** What `ad_sets.search` can filter and sort by. */
export interface AdSetsSearchFields {
  account_id: string
  bid_amount: number
  bid_strategy: string
  budget_remaining: number | `${number}`
  campaign_id: string
  created_time: string
  daily_budget: number | `${number}`
  effective_status: string
  end_time: string
  id: string
  lifetime_budget: number | `${number}`
  name: string
  start_time: string
  updated_time: string
}

/** Ad sets */
export interface FacebookMarketingAdSets {
  /**
   * Create an ad set
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  create(params: AdSetsCreateParams, options?: CallOptions): Promise<Result<AdSetsCreateResult>>
  /**
   * Delete an ad set
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  delete(params: AdSetsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get one ad set
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  get(params: AdSetsGetParams, options?: CallOptions): Promise<Result<AdSetsRecord>>
  /**
   * List the ad sets of an ad account
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params?: AdSetsListParams, options?: CallOptions): PageCall<AdSetsRecord, AdSetsListMeta>
  /**
   * Change an ad set
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  update(params: AdSetsUpdateParams, options?: CallOptions): Promise<Result<AdSetsUpdateResult | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<AdSetsSearchFields>, options?: CallOptions): SearchCall<AdSetsSearchFields>
}

export interface AdsListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/** What `ads.search` can filter and sort by. */
export interface AdsSearchFields {
  account_id: string
  adset_id: string
  campaign_id: string
  created_time: string
  effective_status: string
  id: string
  name: string
  status: string
  updated_time: string
}

/** Ads */
export interface FacebookMarketingAds {
  /**
   * Create an ad
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  create(params: AdsCreateParams, options?: CallOptions): Promise<Result<AdsCreateResult>>
  /**
   * Delete an ad
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  delete(params: AdsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get one ad
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  get(params: AdsGetParams, options?: CallOptions): Promise<Result<AdsRecord>>
  /**
   * List the ads of an ad account
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params?: AdsListParams, options?: CallOptions): PageCall<AdsRecord, AdsListMeta>
  /**
   * Change an ad
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  update(params: AdsUpdateParams, options?: CallOptions): Promise<Result<AdsUpdateResult | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<AdsSearchFields>, options?: CallOptions): SearchCall<AdsSearchFields>
}

export interface AdsInsightsListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/** What `ads_insights.search` can filter and sort by. */
export interface AdsInsightsSearchFields {
  account_id: string
  account_name: string
  action_values: readonly unknown[]
  actions: readonly unknown[]
  ad_id: string
  ad_name: string
  adset_id: string
  adset_name: string
  campaign_id: string
  campaign_name: string
  clicks: number | `${number}`
  cpc: number | `${number}`
  cpm: number | `${number}`
  ctr: number | `${number}`
  date_start: string
  date_stop: string
  impressions: number | `${number}`
  reach: number | `${number}`
  spend: number | `${number}`
}

/** Figures of an ad account. Names of levels below the chosen one come back empty; figures are text. */
export interface FacebookMarketingAdsInsights {
  /**
   * Read insights of an ad account
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params?: AdsInsightsListParams, options?: CallOptions): PageCall<AdsInsightsRecord, AdsInsightsListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<AdsInsightsSearchFields>, options?: CallOptions): SearchCall<AdsInsightsSearchFields>
}

export interface CampaignsListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/** What `campaigns.search` can filter and sort by. */
export interface CampaignsSearchFields {
  account_id: string
  budget_remaining: number | `${number}`
  created_time: string
  daily_budget: number | `${number}`
  effective_status: string
  id: string
  lifetime_budget: number | `${number}`
  name: string
  objective: string
  start_time: string
  status: string
  stop_time: string
  updated_time: string
}

/** Campaigns */
export interface FacebookMarketingCampaigns {
  /**
   * Create a campaign
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  create(params: CampaignsCreateParams, options?: CallOptions): Promise<Result<CampaignsCreateResult>>
  /**
   * Delete a campaign
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  delete(params: CampaignsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get one campaign
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  get(params: CampaignsGetParams, options?: CallOptions): Promise<Result<CampaignsRecord>>
  /**
   * List the campaigns of an ad account
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params?: CampaignsListParams, options?: CallOptions): PageCall<CampaignsRecord, CampaignsListMeta>
  /**
   * Change a campaign
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  update(params: CampaignsUpdateParams, options?: CallOptions): Promise<Result<CampaignsUpdateResult | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<CampaignsSearchFields>, options?: CallOptions): SearchCall<CampaignsSearchFields>
}

/** Current user */
export interface FacebookMarketingCurrentUser {
  /**
   * The user of the token
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  get(params?: CurrentUserGetParams, options?: CallOptions): Promise<Result<CurrentUserRecord>>
}

export interface CustomConversionsListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/** What `custom_conversions.search` can filter and sort by. */
export interface CustomConversionsSearchFields {
  account_id: string
  creation_time: string
  custom_event_type: string
  description: string
  first_fired_time: string
  id: string
  is_archived: boolean
  last_fired_time: string
  name: string
}

/** Custom conversions */
export interface FacebookMarketingCustomConversions {
  /**
   * List the custom conversions of an ad account
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params?: CustomConversionsListParams, options?: CallOptions): PageCall<CustomConversionsRecord, CustomConversionsListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<CustomConversionsSearchFields>, options?: CallOptions): SearchCall<CustomConversionsSearchFields>
}

export interface ImagesListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/** What `images.search` can filter and sort by. */
export interface ImagesSearchFields {
  account_id: string
  created_time: string
  hash: string
  height: number
  id: string
  name: string
  permalink_url: string
  status: string
  updated_time: string
  url: string
  width: number
}

/** Images */
export interface FacebookMarketingImages {
  /**
   * List the images of an ad account
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params?: ImagesListParams, options?: CallOptions): PageCall<ImagesRecord, ImagesListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<ImagesSearchFields>, options?: CallOptions): SearchCall<ImagesSearchFields>
}

export interface PixelStatsListMeta {}

/** Pixel statistics */
export interface FacebookMarketingPixelStats {
  /**
   * Count the events of a pixel
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params: PixelStatsListParams, options?: CallOptions): PageCall<PixelStatsRecord, PixelStatsListMeta>
}

export interface PixelsListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/** What `pixels.search` can filter and sort by. */
export interface PixelsSearchFields {
  creation_time: string
  creator: Record<string, unknown>
  data_use_setting: string
  enable_automatic_matching: boolean
  first_party_cookie_status: string
  id: string
  is_crm: boolean
  is_unavailable: boolean
  last_fired_time: string
  name: string
  owner_ad_account: Record<string, unknown>
  owner_business: Record<string, unknown>
}

/** Pixels */
export interface FacebookMarketingPixels {
  /**
   * Get one pixel
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  get(params: PixelsGetParams, options?: CallOptions): Promise<Result<PixelsRecord>>
  /**
   * List the pixels of an ad account
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params?: PixelsListParams, options?: CallOptions): PageCall<PixelsRecord, PixelsListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<PixelsSearchFields>, options?: CallOptions): SearchCall<PixelsSearchFields>
}

export interface VideosListMeta {
  pagination: { cursor: unknown; [member: string]: unknown }
}

/** What `videos.search` can filter and sort by. */
export interface VideosSearchFields {
  account_id: string
  created_time: string
  description: string
  id: string
  length: number
  permalink_url: string
  source: string
  title: string
  updated_time: string
  views: number
}

/** The vendor does not say which account a video belongs to; account_id is that of the request. */
export interface FacebookMarketingVideos {
  /**
   * List the videos of an ad account
   * @see https://developers.facebook.com/docs/marketing-apis
   */
  list(params?: VideosListParams, options?: CallOptions): PageCall<VideosRecord, VideosListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<VideosSearchFields>, options?: CallOptions): SearchCall<VideosSearchFields>
}

/** Its entities, also for `execute`. */
export interface FacebookMarketingEntities {
  readonly ad_accounts: FacebookMarketingAdAccounts
  readonly ad_creatives: FacebookMarketingAdCreatives
  readonly ad_insight_reports: FacebookMarketingAdInsightReports
  readonly ad_library: FacebookMarketingAdLibrary
  readonly ad_sets: FacebookMarketingAdSets
  readonly ads: FacebookMarketingAds
  readonly ads_insights: FacebookMarketingAdsInsights
  readonly campaigns: FacebookMarketingCampaigns
  readonly current_user: FacebookMarketingCurrentUser
  readonly custom_conversions: FacebookMarketingCustomConversions
  readonly images: FacebookMarketingImages
  readonly pixel_stats: FacebookMarketingPixelStats
  readonly pixels: FacebookMarketingPixels
  readonly videos: FacebookMarketingVideos
}

/**
 * Campaigns, ad sets, ads, creatives, insights, images, videos and pixels of Facebook ad accounts.
 * @see https://developers.facebook.com/docs/marketing-apis
 */
export interface FacebookMarketing extends ConnectorOf<FacebookMarketingEntities>, FacebookMarketingEntities {}

export type FacebookMarketingCredentials = FacebookMarketingOauthCredentials

export interface FacebookMarketingSettings {
  credentials: FacebookMarketingCredentials
  config: FacebookMarketingConfig
}

declare module 'tenon' {
  interface Connectors {
    'facebook-marketing': FacebookMarketing
  }
}
