// Made by `tenon types` (format 4) from jira 1.0.0. Do not edit.
// manifest sha256-50d33a8b9d01e6615abce4a8a25e03ee87d2080d17d755343777df7de6121546
/* eslint-disable */ /* oxlint-disable */

import type { CallOptions, ConnectorOf, PageCall, Result, SearchCall, SearchParams } from 'tenon'

/** The assignee by account id; null, here or as the account id, for nobody. */
export type Assignee = ({
  accountId: string | null
} | null)
/** Comma-separated: renderedBody, properties. */
export type CommentExpand = string
export type CommentsValue = {
  comments?: IssueCommentsRecord[]
  maxResults?: number
  self?: string
  startAt?: number
  total?: number
  [member: string]: unknown
} | null
/** Issue id or key, for example 10001 or ACME-7. */
export type IssueIdOrKey = string
export type NamedValue = ({
  description?: string | null
  iconUrl?: string | null
  id?: string
  name?: string
  self?: string
  [member: string]: unknown
} | null)
export type ProgressValue = {
  percent?: number
  progress?: number
  total?: number
  [member: string]: unknown
} | null
export type RelatedIssue = {
  fields?: {
    issuetype?: IssueTypeValue
    priority?: NamedValue
    status?: StatusValue
    summary?: string
    [member: string]: unknown
  }
  id?: string
  key?: string
  self?: string
  [member: string]: unknown
} | null
/**
 * Offset of the first record, from 0.
 * At least 0.
 */
export type StartAt = number
export type TimeTracking = ({
  originalEstimate?: string | null
  /** In seconds. */
  originalEstimateSeconds?: number | null
  remainingEstimate?: string | null
  /** In seconds. */
  remainingEstimateSeconds?: number | null
  timeSpent?: string | null
  /** In seconds. */
  timeSpentSeconds?: number | null
  [member: string]: unknown
} | null)
/**
 * Page size. Jira takes 50 by default.
 * At least 1, at most 1000.
 */
export type UserPageSize = number
export type UserValue = ({
  accountId?: string
  accountType?: string
  active?: boolean
  avatarUrls?: Record<string, unknown>
  displayName?: string
  /** May be hidden by the user. */
  emailAddress?: string | null
  self?: string
  timeZone?: string | null
  [member: string]: unknown
} | null)
/** What to add: properties. */
export type WorklogExpand = string
export type WorklogsValue = {
  maxResults?: number
  startAt?: number
  total?: number
  worklogs?: IssueWorklogsRecord[]
  [member: string]: unknown
} | null

export interface IssueCommentsRecord {
  author?: Record<string, unknown>
  body?: Record<string, unknown>
  created?: string
  id?: string
  jsdPublic?: boolean
  properties?: unknown[] | null
  renderedBody?: string | null
  self?: string
  updateAuthor?: Record<string, unknown>
  updated?: string
  visibility?: Record<string, unknown> | null
  [member: string]: unknown
}
export interface IssueFieldsRecord {
  clauseNames?: string[] | null
  contextsCount?: number | null
  custom?: boolean | null
  description?: string | null
  id?: string
  isLocked?: boolean | null
  key?: string | null
  /** Jira sends an object with type and value. */
  lastUsed?: string | Record<string, unknown> | null
  name?: string
  navigable?: boolean | null
  orderable?: boolean | null
  schema?: Record<string, unknown> | null
  screensCount?: number | null
  searchable?: boolean | null
  searcherKey?: string | null
  typeDisplayName?: string | null
  untranslatedName?: string | null
  [member: string]: unknown
}
export interface IssueWorklogsRecord {
  author?: Record<string, unknown>
  comment?: Record<string, unknown>
  created?: string
  id?: string
  /** Names a record of `issues`. */
  issueId?: string
  properties?: unknown[] | null
  self?: string
  started?: string
  timeSpent?: string
  /** In seconds. */
  timeSpentSeconds?: number
  updateAuthor?: Record<string, unknown>
  updated?: string
  visibility?: Record<string, unknown> | null
  [member: string]: unknown
}
export interface IssuesRecord {
  expand?: string | null
  /**
   * The fields that were asked for, by id. Those of the site stand next to the ones that every Jira has.
   */
  fields?: {
    aggregateprogress?: ProgressValue
    /** In seconds. */
    aggregatetimeestimate?: number | null
    /** In seconds. */
    aggregatetimeoriginalestimate?: number | null
    /** In seconds. */
    aggregatetimespent?: number | null
    assignee?: UserValue
    attachment?: AttachmentValue[]
    comment?: CommentsValue
    components?: ComponentValue[]
    created?: string
    creator?: UserValue
    /** A document in the Atlassian Document Format. */
    description?: Record<string, unknown> | null
    /** A date without a time. */
    duedate?: string | null
    /** A document in the Atlassian Document Format. */
    environment?: Record<string, unknown> | null
    fixVersions?: VersionValue[]
    issuelinks?: IssueLink[]
    issuetype?: IssueTypeValue
    labels?: string[]
    lastViewed?: string | null
    parent?: RelatedIssue
    priority?: NamedValue
    progress?: ProgressValue
    project?: ProjectValue
    reporter?: UserValue
    resolution?: NamedValue
    resolutiondate?: string | null
    security?: NamedValue
    status?: StatusValue
    statuscategorychangedate?: string | null
    subtasks?: RelatedIssue[]
    summary?: string
    /** In seconds. */
    timeestimate?: number | null
    /** In seconds. */
    timeoriginalestimate?: number | null
    /** In seconds. */
    timespent?: number | null
    timetracking?: TimeTracking
    updated?: string
    versions?: VersionValue[]
    votes?: {
      hasVoted?: boolean
      self?: string
      votes?: number
      [member: string]: unknown
    } | null
    watches?: {
      isWatching?: boolean
      self?: string
      watchCount?: number
      [member: string]: unknown
    } | null
    worklog?: WorklogsValue
    workratio?: number | null
    [member: string]: unknown
  }
  id?: string
  key?: string
  self?: string
  [member: string]: unknown
}
export interface ProjectsRecord {
  assigneeType?: string | null
  avatarUrls?: Record<string, unknown>
  components?: unknown[] | null
  description?: string | null
  entityId?: string | null
  expand?: string | null
  id?: string
  isPrivate?: boolean
  issueTypes?: unknown[] | null
  key?: string
  lead?: Record<string, unknown> | null
  name?: string
  projectCategory?: Record<string, unknown> | null
  projectTypeKey?: string
  properties?: Record<string, unknown>
  roles?: Record<string, unknown> | null
  self?: string
  simplified?: boolean
  style?: string
  url?: string | null
  uuid?: string | null
  versions?: unknown[] | null
  [member: string]: unknown
}
export interface UsersRecord {
  accountId?: string
  /** atlassian, app or customer; Jira also knows unknown. */
  accountType?: string
  active?: boolean
  applicationRoles?: Record<string, unknown> | null
  avatarUrls?: Record<string, unknown>
  displayName?: string
  /** May be hidden by the user. */
  emailAddress?: string | null
  expand?: string | null
  groups?: Record<string, unknown> | null
  locale?: string | null
  self?: string
  timeZone?: string | null
  [member: string]: unknown
}
/**
 * A document in the Atlassian Document Format (ADF), for example {"type":"doc","version":1,"content":[{"type":"paragraph","content":[{"type":"text","text":"Hello"}]}]}.
 */
export interface Adf {
  /** Blocks, for example paragraphs with text. */
  content: Record<string, unknown>[]
  type: "doc"
  /** Version of the format; Jira knows 1. */
  version: number
  [member: string]: unknown
}
export interface AttachmentValue {
  author?: UserValue
  /** The address of the file. */
  content?: string
  created?: string
  filename?: string
  id?: string
  mimeType?: string
  self?: string
  /** Bytes. */
  size?: number
  thumbnail?: string | null
  [member: string]: unknown
}
export interface ComponentValue {
  description?: string | null
  id?: string
  name?: string
  self?: string
  [member: string]: unknown
}
export interface IssueLink {
  id?: string
  inwardIssue?: RelatedIssue
  outwardIssue?: RelatedIssue
  self?: string
  type?: {
    id?: string
    inward?: string
    name?: string
    outward?: string
    self?: string
    [member: string]: unknown
  }
  [member: string]: unknown
}
/**
 * The issue type, by id or name.
 * At least 1 member.
 */
export interface IssueType {
  id?: string
  name?: string
}
export interface IssueTypeValue {
  description?: string | null
  hierarchyLevel?: number
  iconUrl?: string | null
  id?: string
  name?: string
  self?: string
  subtask?: boolean
  [member: string]: unknown
}
/** The parent, for a sub-task. */
export interface ParentIssue {
  key: string
}
/**
 * The priority, by id or name.
 * At least 1 member.
 */
export interface Priority {
  id?: string
  name?: string
}
/**
 * The project, by id or key.
 * At least 1 member.
 */
export interface Project {
  id?: string
  key?: string
}
export interface ProjectValue {
  avatarUrls?: Record<string, unknown>
  id?: string
  key?: string
  name?: string
  projectCategory?: Record<string, unknown> | null
  projectTypeKey?: string
  self?: string
  simplified?: boolean
  [member: string]: unknown
}
export interface StatusValue {
  description?: string | null
  iconUrl?: string | null
  id?: string
  name?: string
  self?: string
  statusCategory?: {
    colorName?: string
    id?: number
    key?: string
    name?: string
    self?: string
    [member: string]: unknown
  }
  [member: string]: unknown
}
/**
 * Operations by field, for example {"labels":[{"add":"urgent"}]}. A field may not be in both fields and update.
 */
export interface UpdateOperations {
  [member: string]: unknown
}
export interface VersionValue {
  archived?: boolean
  description?: string | null
  id?: string
  name?: string
  /** A date without a time. */
  releaseDate?: string | null
  released?: boolean
  self?: string
  [member: string]: unknown
}
/** Restricts who sees the comment. */
export interface Visibility {
  /** Id of the group or role; null takes a restriction to a group away. */
  identifier?: string | null
  type?: "group" | "role"
  /** Name of the group or role. */
  value?: string
}
export interface IssueCommentsCreateParams {
  body: Adf
  issueIdOrKey: IssueIdOrKey
  expand?: CommentExpand
  /** Comment properties to set. */
  properties?: Record<string, unknown>[]
  visibility?: Visibility
}
export interface IssueCommentsDeleteParams {
  /** Comment id. */
  commentId: string
  issueIdOrKey: IssueIdOrKey
}
export interface IssueCommentsGetParams {
  /** Comment id. */
  commentId: string
  issueIdOrKey: IssueIdOrKey
  expand?: CommentExpand
}
export interface IssueCommentsListParams {
  issueIdOrKey: IssueIdOrKey
  expand?: CommentExpand
  /**
   * Page size. Jira takes 100 by default.
   * At least 1.
   */
  maxResults?: number
  /** Order by time of creation; - for newest first. */
  orderBy?: "created" | "+created" | "-created"
  startAt?: StartAt
}
export interface IssueCommentsUpdateParams {
  body: Adf
  /** Comment id. */
  commentId: string
  issueIdOrKey: IssueIdOrKey
  expand?: CommentExpand
  /** Whether watchers get an e-mail. Jira sends it by default; false needs administrator rights. */
  notifyUsers?: boolean
  visibility?: Visibility
}
export interface IssueFieldsApiSearchParams {
  /** Comma-separated: key, stableId, searcherKey, screensCount, contextsCount, isLocked, lastUsed. */
  expand?: string
  /**
   * Field ids.
   * At least 1 element.
   */
  id?: string[]
  /**
   * Page size. Jira takes 50 by default.
   * At least 1, at most 100.
   */
  maxResults?: number
  /** What to sort by; + for ascending, - for descending. */
  orderBy?: "contextsCount" | "+contextsCount" | "-contextsCount" | "lastUsed" | "+lastUsed" | "-lastUsed" | "name" | "+name" | "-name" | "screensCount" | "+screensCount" | "-screensCount"
  /** Text to find in names, descriptions and ids. Case does not count. */
  query?: string
  startAt?: StartAt
  /**
   * Kinds of fields to find.
   * At least 1 element.
   */
  type?: ("custom" | "system")[]
}
export interface IssueFieldsApiSearchResult {
  isLast: boolean
  maxResults: number
  startAt: number
  total: number
  values: IssueFieldsRecord[]
  [member: string]: unknown
}
export interface IssueFieldsListParams {}
export interface IssueWorklogsGetParams {
  issueIdOrKey: IssueIdOrKey
  /** Worklog id. */
  worklogId: string
  expand?: WorklogExpand
}
export interface IssueWorklogsListParams {
  issueIdOrKey: IssueIdOrKey
  expand?: WorklogExpand
  /**
   * Page size. Jira takes 5000 by default.
   * At least 1.
   */
  maxResults?: number
  startAt?: StartAt
}
export interface IssuesApiSearchParams {
  /**
   * Comma-separated: renderedFields, names, schema, transitions, operations, editmeta, changelog, versionedRepresentations.
   */
  expand?: string
  /** Fail early when the data of some field cannot be read. Jira does not by default. */
  failFast?: boolean
  /** Comma-separated names of fields, or *all, *navigable, -name. All navigable fields when left out. */
  fields?: string
  /** Whether fields holds field keys. Jira reads field ids by default. */
  fieldsByKeys?: boolean
  /** Query, for example: project = ACME ORDER BY created. Must restrict more than the order. */
  jql?: string
  /**
   * Page size. Jira takes 50 by default, and sends fewer when many fields are asked for.
   * At least 1, at most 5000.
   */
  maxResults?: number
  /** nextPageToken of the page before; null or left out for the first page. */
  nextPageToken?: string | null
  /**
   * Comma-separated issue property keys, at most 5.
   * Matches `^[^,]*(,[^,]*){0,4}$`.
   */
  properties?: string
}
export interface IssuesCreateParams {
  /** Values of the issue's fields; any further field of the site by its id. */
  fields: {
    issuetype: IssueType
    project: Project
    /** Title of the issue. */
    summary: string
    assignee?: Assignee
    description?: Adf
    labels?: string[]
    parent?: ParentIssue
    priority?: Priority
    [member: string]: unknown
  }
  update?: UpdateOperations
  /** Whether the creation goes into the user's recent history. */
  updateHistory?: boolean
}
export interface IssuesCreateResult {
  id: string
  key: string
  self: string
  [member: string]: unknown
}
export interface IssuesDeleteParams {
  issueIdOrKey: IssueIdOrKey
  /** Whether subtasks are deleted as well. Jira does not by default. */
  deleteSubtasks?: boolean
}
export interface IssuesGetParams {
  issueIdOrKey: IssueIdOrKey
  /**
   * Comma-separated: renderedFields, names, schema, transitions, operations, editmeta, changelog, versionedRepresentations.
   */
  expand?: string
  /** Fail early when the data of some field cannot be read. Jira does not by default. */
  failFast?: boolean
  /** Comma-separated names of fields, or *all, *navigable, -name. Jira sends all fields by default. */
  fields?: string
  /** Whether fields holds field keys. Jira reads field ids by default. */
  fieldsByKeys?: boolean
  /**
   * Comma-separated issue property keys, at most 5.
   * Matches `^[^,]*(,[^,]*){0,4}$`.
   */
  properties?: string
  /** Whether the reading goes into the user's recent history. Jira leaves it out by default. */
  updateHistory?: boolean
}
export interface IssuesUpdateParams {
  issueIdOrKey: IssueIdOrKey
  /** Comma-separated, as in get. Used when the issue is returned. */
  expand?: string
  /** New values; any further field of the site by its id. */
  fields?: {
    assignee?: Assignee
    description?: Adf
    /** Replaces all labels. */
    labels?: string[]
    priority?: Priority
    /** Title of the issue. */
    summary?: string
    [member: string]: unknown
  }
  /**
   * Whether watchers get an e-mail about the edit. Jira sends it by default; false needs administrator rights.
   */
  notifyUsers?: boolean
  /** Allows editing an issue that is marked as not editable. Needs administrator rights. */
  overrideEditableFlag?: boolean
  /** Allows editing hidden fields. Needs administrator rights. */
  overrideScreenSecurity?: boolean
  /** Whether to answer with the changed issue. */
  returnIssue?: boolean
  /** The transition to perform. */
  transition?: {
    /** Id of the transition, for example "31": get with expand transitions tells which are possible now. */
    id: string
  }
  update?: UpdateOperations
}
export interface IssuesAssigneeUpdateParams {
  issueIdOrKey: IssueIdOrKey
  /** Account id of the new assignee, null for nobody, -1 for the project's default. */
  accountId?: string | null
}
export interface ProjectsApiSearchParams {
  /** What the user must be allowed to do. Jira takes view by default. */
  action?: "view" | "browse" | "edit" | "create"
  /** Id of a project category. */
  categoryId?: number
  /** Comma-separated: description, projectKeys, lead, issueTypes, url, insight. */
  expand?: string
  /**
   * Project ids, at most 50.
   * At least 1 element, at most 50 elements.
   */
  id?: number[]
  /**
   * Project keys, at most 50.
   * At least 1 element, at most 50 elements.
   */
  keys?: string[]
  /**
   * Page size. Jira takes 50 by default.
   * At least 1, at most 100.
   */
  maxResults?: number
  /** What to sort by; + for ascending, - for descending. Jira takes key by default. */
  orderBy?: "category" | "+category" | "-category" | "key" | "+key" | "-key" | "name" | "+name" | "-name" | "owner" | "+owner" | "-owner" | "issueCount" | "+issueCount" | "-issueCount" | "lastIssueUpdatedDate" | "+lastIssueUpdatedDate" | "-lastIssueUpdatedDate" | "archivedDate" | "+archivedDate" | "-archivedDate" | "deletedDate" | "+deletedDate" | "-deletedDate"
  /** Text to find in keys and names. Case does not count. */
  query?: string
  startAt?: StartAt
  /**
   * Experimental at Jira. Only live projects are found by default.
   * At least 1 element.
   */
  status?: ("live" | "archived" | "deleted")[]
  /** Project types, comma-separated. */
  typeKey?: string
}
export interface ProjectsGetParams {
  /** Project id or key. */
  projectIdOrKey: string
  /** Comma-separated: description, projectKeys, lead, issueTypes, url, insight. */
  expand?: string
  /** Comma-separated project property keys. */
  properties?: string
}
export interface UsersApiSearchParams {
  /** Account id, or several with commas between them. */
  accountId?: string
  maxResults?: UserPageSize
  /** Key of a user property. */
  property?: string
  /** Text to find in display name, e-mail address and account id. */
  query?: string
  startAt?: StartAt
}
export interface UsersGetParams {
  /** Account id. */
  accountId: string
  /** Comma-separated: groups, applicationRoles. */
  expand?: string
}
export interface UsersListParams {
  maxResults?: UserPageSize
  startAt?: StartAt
}
export interface JiraConfig {
  /**
   * Another name of cloud_id.
   * Matches `^[0-9a-f-]{36}$`.
   */
  cloudId?: string
  /**
   * Id of the site, which is the same whatever the site is called.
   * Matches `^[0-9a-f-]{36}$`.
   */
  cloud_id?: string
  /**
   * Keys of the issue properties that the copy of issues holds, comma-separated, at most 5.
   * Matches `^[^,]+(,[^,]+){0,4}$`.
   */
  issue_properties?: string
  /**
   * What the copy of issues holds beside their fields, comma-separated: renderedFields, transitions, changelog (these three when left out), operations, editmeta.
   * Matches `^(renderedFields|transitions|changelog|operations|editmeta)(,(renderedFields|transitions|changelog|operations|editmeta))*$`.
   */
  issues_expand?: string
  /**
   * The part of the site's address before .atlassian.net.
   * Matches `^[a-z0-9][a-z0-9-]*$`.
   */
  subdomain?: string
}
/**
 * An Atlassian account's email address and one of its API tokens. Needs the subdomain of the site, or its cloud id.
 */
export interface JiraApiTokenCredentials {
  /** Another name of password. */
  api_token?: string
  /**
   * Another name of username.
   * Format email.
   */
  email?: string
  /** API token. */
  password?: string
  /**
   * E-mail address of the account.
   * Format email.
   */
  username?: string
}
/** A refresh token works once; each refresh returns a new one. */
export interface JiraOauthCredentials {
  /** Refresh token. */
  refresh_token: string
  /** Access token. Without one the first call refreshes. */
  access_token?: string
  /** Client id of the OAuth app. Needed to refresh. */
  client_id?: string
  /** Client secret of the OAuth app. Needed to refresh. */
  client_secret?: string
}

export interface IssueCommentsListMeta {
  maxResults: unknown
  startAt: unknown
  total: unknown
}

/** What `issue_comments.search` can filter and sort by. */
export interface IssueCommentsSearchFields {
  author: Record<string, unknown>
  body: Record<string, unknown>
  created: string
  id: string
  issueId: string
  jsdPublic: boolean
  properties: readonly unknown[]
  renderedBody: string
  self: string
  updateAuthor: Record<string, unknown>
  updated: string
  visibility: Record<string, unknown>
}

/** In searches issueId is the id of the issue (10001), not its key (ACME-7). */
export interface JiraIssueComments {
  /**
   * Add a comment
   * Adds a comment to an issue and answers with it.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  create(params: IssueCommentsCreateParams, options?: CallOptions): Promise<Result<IssueCommentsRecord>>
  /**
   * Delete a comment
   * Deletes a comment of an issue.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  delete(params: IssueCommentsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get one comment
   * Reads one comment of an issue.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  get(params: IssueCommentsGetParams, options?: CallOptions): Promise<Result<IssueCommentsRecord>>
  /**
   * List the comments of an issue
   * Comments of one issue that the account may see.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  list(params: IssueCommentsListParams, options?: CallOptions): PageCall<IssueCommentsRecord, IssueCommentsListMeta>
  /**
   * Change a comment
   * Replaces the text of a comment and answers with the comment.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  update(params: IssueCommentsUpdateParams, options?: CallOptions): Promise<Result<IssueCommentsRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<IssueCommentsSearchFields>, options?: CallOptions): SearchCall<IssueCommentsSearchFields>
}

export interface IssueFieldsApiSearchMeta {}

export interface IssueFieldsListMeta {}

/** What `issue_fields.search` can filter and sort by. */
export interface IssueFieldsSearchFields {
  clauseNames: readonly unknown[]
  custom: boolean
  id: string
  key: string
  name: string
  navigable: boolean
  orderable: boolean
  schema: Record<string, unknown>
  scope: Record<string, unknown>
  searchable: boolean
  untranslatedName: string
}

/** Issue fields */
export interface JiraIssueFields {
  /**
   * Search issue fields
   * Fields that match all given filters. Answers with the page itself: maxResults, startAt, total, isLast and values.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  api_search(params?: IssueFieldsApiSearchParams, options?: CallOptions): PageCall<IssueFieldsRecord, IssueFieldsApiSearchMeta, IssueFieldsApiSearchResult>
  /**
   * List all issue fields
   * All system and custom fields of the site.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  list(params?: IssueFieldsListParams, options?: CallOptions): PageCall<IssueFieldsRecord, IssueFieldsListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<IssueFieldsSearchFields>, options?: CallOptions): SearchCall<IssueFieldsSearchFields>
}

export interface IssueWorklogsListMeta {
  maxResults: unknown
  startAt: unknown
  total: unknown
}

/** What `issue_worklogs.search` can filter and sort by. */
export interface IssueWorklogsSearchFields {
  author: Record<string, unknown>
  comment: Record<string, unknown>
  created: string
  id: string
  issueId: string
  properties: readonly unknown[]
  self: string
  started: string
  timeSpent: string
  timeSpentSeconds: number
  updateAuthor: Record<string, unknown>
  updated: string
  visibility: Record<string, unknown>
}

/** issueId is the id of the issue (10001), not its key (ACME-7). */
export interface JiraIssueWorklogs {
  /**
   * Get one worklog
   * Reads one worklog of an issue.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  get(params: IssueWorklogsGetParams, options?: CallOptions): Promise<Result<IssueWorklogsRecord>>
  /**
   * List the worklogs of an issue
   * Work logged on one issue, as far as the account may see it.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  list(params: IssueWorklogsListParams, options?: CallOptions): PageCall<IssueWorklogsRecord, IssueWorklogsListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<IssueWorklogsSearchFields>, options?: CallOptions): SearchCall<IssueWorklogsSearchFields>
}

export interface IssuesApiSearchMeta {
  isLast: unknown
  names?: unknown
  nextPageToken?: unknown
  schema?: unknown
  total: unknown
}

/** What `issues.search` can filter and sort by. */
export interface IssuesSearchFields {
  changelog: Record<string, unknown>
  created: string
  /**
   * Empty in the copy. Large, and another one for each user. Copied when the setting issues_expand names it.
   */
  editmeta: Record<string, unknown>
  expand: string
  fields: NonNullable<IssuesRecord['fields']>
  /** Empty in the copy. Jira does not send it. */
  fieldsToInclude: Record<string, unknown>
  id: string
  key: string
  /**
   * Empty in the copy. Jira sends it once per page of a search, not per issue (meta.names of api_search). The entity issue_fields has the names of all fields.
   */
  names: Record<string, unknown>
  /**
   * Empty in the copy. Large, and another one for each user. Copied when the setting issues_expand names it.
   */
  operations: Record<string, unknown>
  projectId: string
  projectKey: string
  /**
   * Empty in the copy. Jira sends only properties whose keys are asked for: copied when the setting issue_properties names them.
   */
  properties: Record<string, unknown>
  renderedFields: Record<string, unknown>
  /**
   * Empty in the copy. Jira sends it once per page of a search, not per issue (meta.schema of api_search). The entity issue_fields has the schema of all fields.
   */
  schema: Record<string, unknown>
  self: string
  transitions: readonly unknown[]
  updated: string
  /** Empty in the copy. Jira's search leaves it empty, and the fields with it. */
  versionedRepresentations: Record<string, unknown>
}

/** Issues */
export interface JiraIssues {
  /**
   * Search issues by JQL
   * Issues that match a JQL query. The query must be bounded, for example by project or date; Jira refuses an unbounded one with 400. Jira counts no total.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  api_search(params?: IssuesApiSearchParams, options?: CallOptions): PageCall<IssuesRecord, IssuesApiSearchMeta>
  /**
   * Create an issue
   * Creates an issue or a sub-task and answers with its id, key and address.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  create(params: IssuesCreateParams, options?: CallOptions): Promise<Result<IssuesCreateResult>>
  /**
   * Delete an issue
   * Deletes an issue. While it has subtasks, Jira refuses with 400 unless deleteSubtasks is true.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  delete(params: IssuesDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get one issue
   * Reads one issue by id or key.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  get(params: IssuesGetParams, options?: CallOptions): Promise<Result<IssuesRecord>>
  /**
   * Change an issue, move it to another status, or both
   * Only the fields that are given change. Jira ignores a transition in the edit request, so it is sent as a request of its own after the edit; if it fails, the error says that the edit was applied. Answers with the issue when returnIssue is true, else with null.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  update(params: IssuesUpdateParams, options?: CallOptions): Promise<Result<IssuesRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<IssuesSearchFields>, options?: CallOptions): SearchCall<IssuesSearchFields>
}

/** Assignee of an issue */
export interface JiraIssuesAssignee {
  /**
   * Assign an issue
   * Assigns an issue to a user, to nobody (null) or to the project's default (the text -1).
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  update(params: IssuesAssigneeUpdateParams, options?: CallOptions): Promise<Result<Record<string, unknown> | null>>
}

export interface ProjectsApiSearchMeta {
  nextPage: unknown
  total: unknown
}

/** What `projects.search` can filter and sort by. */
export interface ProjectsSearchFields {
  archived: boolean
  archivedBy: Record<string, unknown>
  archivedDate: string
  /** Empty in the copy. Jira sends it for single projects only (projects.get). */
  assigneeType: string
  avatarUrls: Record<string, unknown>
  /** Empty in the copy. Jira sends it for single projects only (projects.get). */
  components: readonly unknown[]
  deleted: boolean
  deletedBy: Record<string, unknown>
  deletedDate: string
  description: string
  /** Empty in the copy. Jira sends it for single projects only (projects.get). */
  email: string
  entityId: string
  expand: string
  /** Empty in the copy. Jira sends it for single projects only (projects.get). */
  favourite: boolean
  id: string
  insight: Record<string, unknown>
  isPrivate: boolean
  /** Empty in the copy. Jira sends it for single projects only (projects.get). */
  issueTypeHierarchy: Record<string, unknown>
  issueTypes: readonly unknown[]
  key: string
  lead: Record<string, unknown>
  name: string
  /** Empty in the copy. Jira sends it for single projects only (projects.get). */
  permissions: Record<string, unknown>
  projectCategory: Record<string, unknown>
  projectTypeKey: string
  properties: Record<string, unknown>
  retentionTillDate: string
  /** Empty in the copy. Jira sends it for single projects only (projects.get). */
  roles: Record<string, unknown>
  self: string
  simplified: boolean
  style: string
  url: string
  uuid: string
  /** Empty in the copy. Jira sends it for single projects only (projects.get). */
  versions: readonly unknown[]
}

/** Projects */
export interface JiraProjects {
  /**
   * Search projects
   * Projects that the account may see and that match all given filters.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  api_search(params?: ProjectsApiSearchParams, options?: CallOptions): PageCall<ProjectsRecord, ProjectsApiSearchMeta>
  /**
   * Get one project
   * Reads one project by id or key.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  get(params: ProjectsGetParams, options?: CallOptions): Promise<Result<ProjectsRecord>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<ProjectsSearchFields>, options?: CallOptions): SearchCall<ProjectsSearchFields>
}

export interface UsersApiSearchMeta {}

export interface UsersListMeta {}

/** What `users.search` can filter and sort by. */
export interface UsersSearchFields {
  accountId: string
  accountType: string
  active: boolean
  /** Empty in the copy. Jira sends it for single users only (users.get with expand). */
  applicationRoles: Record<string, unknown>
  avatarUrls: Record<string, unknown>
  displayName: string
  emailAddress: string
  expand: string
  /** Empty in the copy. Jira sends it for single users only (users.get with expand). */
  groups: Record<string, unknown>
  /** Empty in the copy. Deprecated; Jira Cloud sends it no more. */
  key: string
  locale: string
  /** Empty in the copy. Deprecated; Jira Cloud sends it no more. */
  name: string
  self: string
  timeZone: string
}

/** Users */
export interface JiraUsers {
  /**
   * Find users
   * Users that match a text, account ids or a property. Give at least one; Jira refuses query and accountId together, and reaches only the first 1000 users. Several account ids are looked up by themselves, 10 to a page unless maxResults says more.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  api_search(params?: UsersApiSearchParams, options?: CallOptions): PageCall<UsersRecord, UsersApiSearchMeta>
  /**
   * Get one user
   * Reads one user by account id.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  get(params: UsersGetParams, options?: CallOptions): Promise<Result<UsersRecord>>
  /**
   * List all users
   * All users of the site. A page may be shorter than asked for; an empty one is the end.
   * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
   */
  list(params?: UsersListParams, options?: CallOptions): PageCall<UsersRecord, UsersListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<UsersSearchFields>, options?: CallOptions): SearchCall<UsersSearchFields>
}

/** Its entities, also for `execute`. */
export interface JiraEntities {
  readonly issue_comments: JiraIssueComments
  readonly issue_fields: JiraIssueFields
  readonly issue_worklogs: JiraIssueWorklogs
  readonly issues: JiraIssues
  readonly issues_assignee: JiraIssuesAssignee
  readonly projects: JiraProjects
  readonly users: JiraUsers
}

/**
 * Issues, projects, users, issue fields, comments, worklogs and assignees of a Jira Cloud site.
 * @see https://developer.atlassian.com/cloud/jira/platform/rest/v3/
 */
export interface Jira extends ConnectorOf<JiraEntities>, JiraEntities {}

export type JiraCredentials = JiraApiTokenCredentials | JiraOauthCredentials

export interface JiraSettings {
  credentials: JiraCredentials
  config: JiraConfig
}

declare module 'tenon' {
  interface Connectors {
    jira: Jira
  }
}
