// Made by `tenon types` (format 4) from github 1.0.0. Do not edit.
// manifest sha256-03d50e060e04deee551976901eacc6b9d670b01203dcc9140365c7a41819f042
/* eslint-disable */ /* oxlint-disable */

import type { CallOptions, ConnectorOf, Download, PageCall, Result, SearchCall, SearchParams } from 'tenon'

/**
 * Id of the file.
 * At least 1.
 */
export type AssetId = number
/** Branch that gets the commit. GitHub takes the default branch by default. */
export type Branch = string
/**
 * Six hexadecimal digits, without #.
 * Matches `^[0-9A-Fa-f]{6}$`.
 */
export type Color = string
/** Message of the commit. */
export type CommitMessage = string
/** Where the next page begins, from meta.next of the page before. */
export type Cursor = string
/** Rising or falling order. */
export type Direction = "asc" | "desc"
/** The whole content in Base64. */
export type FileContent = string
/**
 * Id, unlike a number the only one of all repositories.
 * 64-bit integer; as text where a double would lose digits.
 */
export type Id = number | string
/** Names of labels. */
export type LabelNames = string[]
/** Logins of users. */
export type Logins = string[]
/** Whether it becomes the latest release, as text; legacy decides by date and version. */
export type MakeLatest = "true" | "false" | "legacy"
/**
 * Number in the repository, as pages show it after #.
 * At least 1.
 */
export type Number = number
/** Order of what sort names. GitHub takes desc by default. */
export type Order = "desc" | "asc"
/** Login of the user or organization that owns the repository, for example octocat. */
export type Owner = string
/** Path of the file, for example guides/index.md. */
export type Path = string
/**
 * Page size. GitHub takes 30 by default.
 * At least 1, at most 100.
 */
export type PerPage = number
/**
 * Part of the file, for example bytes=0-1023.
 * Matches `^bytes=`.
 */
export type Range = string
/** Branch, tag or commit. */
export type Ref = string
/** Branch, tag or commit. GitHub takes the default branch by default. */
export type RefOrDefault = string
/**
 * Id of the release.
 * At least 1.
 */
export type ReleaseId = number
/** Name of the repository without its owner, for example hello-world. */
export type Repo = string
/** What to sort by. */
export type RepositorySort = "created" | "updated" | "pushed" | "full_name"
/** Which of them. GitHub takes open by default. */
export type StateFilter = "open" | "closed" | "all"
export type UserOrNull = User | null
/** Secret of the webhooks that GitHub sends for this connection. */
export type WebhookSecret = string

export interface ArtifactsRecord {
  archive_download_url: string
  /** Whether its bytes are gone. */
  expired: boolean
  id: number
  name: string
  node_id: string
  size_in_bytes: number
  url: string
  created_at?: string | null
  digest?: string | null
  expires_at?: string | null
  updated_at?: string | null
  workflow_run?: Record<string, unknown> | null
  [member: string]: unknown
}
export interface BranchesRecord {
  /** The newest commit: sha and url; in get all of it. */
  commit: Record<string, unknown>
  name: string
  protected: boolean
  protection?: Record<string, unknown>
  protection_url?: string
  [member: string]: unknown
}
export interface CommitsRecord {
  /** Author, committer, message, tree and signature, as Git has them. */
  commit: Record<string, unknown>
  html_url: string
  node_id: string
  parents: Record<string, unknown>[]
  sha: string
  url: string
  /** Account of the author, where GitHub knows one. */
  author?: Record<string, unknown> | null
  /** Account of the committer, where GitHub knows one. */
  committer?: Record<string, unknown> | null
  /** In get only; the first 300. */
  files?: ChangedFile[]
  /** In get only. */
  stats?: Record<string, unknown>
  [member: string]: unknown
}
export interface ContentsRecord {
  name: string
  path: string
  /** Hash of the content; a change of the file must name it. */
  sha: string
  size: number
  /** file, dir, symlink or submodule. */
  type: string
  url: string
  /** Base64 in lines; empty above 1 MB (use download). In get only. */
  content?: string
  download_url?: string | null
  /** base64, or none above 1 MB. In get only. */
  encoding?: string
  git_url?: string | null
  html_url?: string | null
  [member: string]: unknown
}
export interface CurrentUserRecord {
  avatar_url: string
  created_at: string
  followers: number
  following: number
  html_url: string
  id: Id
  login: string
  node_id: string
  public_gists: number
  public_repos: number
  site_admin: boolean
  /** User, Organization or Bot. */
  type: string
  updated_at: string
  url: string
  bio?: string | null
  blog?: string | null
  company?: string | null
  email?: string | null
  hireable?: boolean | null
  location?: string | null
  name?: string | null
  twitter_username?: string | null
  [member: string]: unknown
}
export interface IssueCommentsRecord {
  created_at: string
  html_url: string
  id: Id
  /** Address of the issue in the API. */
  issue_url: string
  node_id: string
  updated_at: string
  url: string
  author_association?: string
  /** Markdown. */
  body?: string
  reactions?: Record<string, unknown>
  user?: UserOrNull
  [member: string]: unknown
}
export interface IssuesRecord {
  /** How many there are. */
  comments: number
  created_at: string
  html_url: string
  id: Id
  locked: boolean
  node_id: string
  /** Number in its repository. */
  number: number
  /** open or closed. */
  state: string
  title: string
  updated_at: string
  url: string
  active_lock_reason?: string | null
  assignee?: UserOrNull
  assignees?: User[] | null
  /** What the author is to the repository, for example MEMBER. */
  author_association?: string
  /** Markdown. */
  body?: string | null
  closed_at?: string | null
  closed_by?: UserOrNull
  /** Only of pull requests. */
  draft?: boolean
  labels?: (Record<string, unknown> | string)[]
  milestone?: Record<string, unknown> | null
  /** Only of pull requests. */
  pull_request?: Record<string, unknown>
  reactions?: Record<string, unknown>
  repository_url?: string
  /** completed, not_planned, duplicate or reopened. */
  state_reason?: string | null
  /** Type of the issue where the organization has types. */
  type?: Record<string, unknown> | null
  user?: UserOrNull
  [member: string]: unknown
}
export interface LabelsRecord {
  /** Six hexadecimal digits, without #. */
  color: string
  /** Whether GitHub made it with the repository. */
  default: boolean
  id: Id
  name: string
  node_id: string
  url: string
  description?: string | null
  [member: string]: unknown
}
export interface MilestonesRecord {
  closed_issues: number
  created_at: string
  html_url: string
  id: number
  node_id: string
  /** Number in its repository. */
  number: number
  open_issues: number
  state: "open" | "closed"
  title: string
  updated_at: string
  url: string
  closed_at?: string | null
  creator?: UserOrNull
  description?: string | null
  due_on?: string | null
  [member: string]: unknown
}
export interface OrganizationRepositoriesRecord {
  fork: boolean
  /** Owner and name, for example octocat/hello-world. */
  full_name: string
  html_url: string
  id: Id
  name: string
  node_id: string
  owner: UserOrNull
  private: boolean
  url: string
  archived?: boolean
  clone_url?: string
  created_at?: string | null
  default_branch?: string
  description?: string | null
  disabled?: boolean
  forks_count?: number
  has_discussions?: boolean
  has_issues?: boolean
  has_pages?: boolean
  has_projects?: boolean
  has_wiki?: boolean
  homepage?: string | null
  is_template?: boolean
  language?: string | null
  license?: Record<string, unknown> | null
  /** Open issues and open pull requests. */
  open_issues_count?: number
  /** What the caller may do. */
  permissions?: Record<string, unknown>
  pushed_at?: string | null
  /** In kilobytes. */
  size?: number
  stargazers_count?: number
  topics?: string[]
  updated_at?: string | null
  /** public, private or internal. */
  visibility?: string
  watchers_count?: number
  [member: string]: unknown
}
export interface OrganizationsRecord {
  avatar_url?: string
  description?: string | null
  id?: number
  login?: string
  node_id?: string
  url?: string
  [member: string]: unknown
}
export interface PullRequestFilesRecord {
  additions: number
  changes: number
  deletions: number
  filename: string
  sha: string | null
  status: "added" | "removed" | "modified" | "renamed" | "copied" | "changed" | "unchanged"
  blob_url?: string
  contents_url?: string
  /** Not of binary and very large files. */
  patch?: string
  /** Of renamed files. */
  previous_filename?: string
  raw_url?: string
  [member: string]: unknown
}
export interface PullRequestReviewsRecord {
  /** Markdown. */
  body: string
  html_url: string
  id: Id
  node_id: string
  /** APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING. */
  state: string
  author_association?: string
  commit_id?: string | null
  pull_request_url?: string
  /** Not of pending ones. */
  submitted_at?: string
  user?: UserOrNull
  [member: string]: unknown
}
export interface PullRequestsRecord {
  created_at: string
  html_url: string
  id: Id
  locked: boolean
  node_id: string
  /** Number in its repository. */
  number: number
  /** open or closed; a merged one is closed and has merged_at. */
  state: string
  title: string
  updated_at: string
  url: string
  active_lock_reason?: string | null
  additions?: number
  assignee?: UserOrNull
  assignees?: User[]
  author_association?: string
  auto_merge?: Record<string, unknown> | null
  /** The branch that it goes into. */
  base?: Record<string, unknown>
  /** Markdown. */
  body?: string | null
  changed_files?: number
  closed_at?: string | null
  comments?: number
  commits?: number
  deletions?: number
  diff_url?: string
  draft?: boolean
  /** The branch that is merged: label, ref, sha, repo, user. */
  head?: Record<string, unknown>
  labels?: Record<string, unknown>[]
  maintainer_can_modify?: boolean
  merge_commit_sha?: string | null
  /** null while GitHub works it out. */
  mergeable?: boolean | null
  mergeable_state?: string
  /** Here and below, in get, create and update only. */
  merged?: boolean
  merged_at?: string | null
  merged_by?: UserOrNull
  milestone?: Record<string, unknown> | null
  requested_reviewers?: User[]
  requested_teams?: Record<string, unknown>[]
  review_comments?: number
  user?: UserOrNull
  [member: string]: unknown
}
export interface ReleaseAssetsRecord {
  browser_download_url: string
  content_type: string
  created_at: string
  download_count: number
  id: number
  name: string
  node_id: string
  size: number
  state: "uploaded" | "open"
  updated_at: string
  url: string
  digest?: string | null
  label?: string | null
  uploader?: UserOrNull
  [member: string]: unknown
}
export interface ReleasesRecord {
  assets: ReleaseAssetsRecord[]
  created_at: string
  draft: boolean
  html_url: string
  id: number
  node_id: string
  prerelease: boolean
  tag_name: string
  url: string
  author?: User
  /** Markdown. */
  body?: string | null
  immutable?: boolean
  name?: string | null
  published_at?: string | null
  tarball_url?: string | null
  /** Branch or commit that the tag was made from. */
  target_commitish?: string
  updated_at?: string | null
  upload_url?: string
  zipball_url?: string | null
  [member: string]: unknown
}
export interface RepositoriesRecord {
  fork: boolean
  /** Owner and name, for example octocat/hello-world. */
  full_name: string
  html_url: string
  id: Id
  name: string
  node_id: string
  owner: UserOrNull
  private: boolean
  url: string
  archived?: boolean
  clone_url?: string
  created_at?: string | null
  default_branch?: string
  description?: string | null
  disabled?: boolean
  forks_count?: number
  has_discussions?: boolean
  has_issues?: boolean
  has_pages?: boolean
  has_projects?: boolean
  has_wiki?: boolean
  homepage?: string | null
  is_template?: boolean
  language?: string | null
  license?: Record<string, unknown> | null
  /** Open issues and open pull requests. */
  open_issues_count?: number
  /** What the caller may do. */
  permissions?: Record<string, unknown>
  pushed_at?: string | null
  /** In kilobytes. */
  size?: number
  stargazers_count?: number
  topics?: string[]
  updated_at?: string | null
  /** public, private or internal. */
  visibility?: string
  watchers_count?: number
  [member: string]: unknown
}
export interface UsersRecord {
  avatar_url: string
  created_at: string
  followers: number
  following: number
  html_url: string
  id: Id
  login: string
  node_id: string
  public_gists: number
  public_repos: number
  site_admin: boolean
  /** User, Organization or Bot. */
  type: string
  updated_at: string
  url: string
  bio?: string | null
  blog?: string | null
  company?: string | null
  email?: string | null
  hireable?: boolean | null
  location?: string | null
  name?: string | null
  twitter_username?: string | null
  [member: string]: unknown
}
export interface WorkflowRunsRecord {
  created_at: string
  display_title: string
  /** What started it, for example push. */
  event: string
  head_sha: string
  html_url: string
  id: Id
  node_id: string
  /** Path of the workflow's file. */
  path: string
  run_number: number
  updated_at: string
  url: string
  workflow_id: number
  actor?: User
  /** Of completed ones, for example success or failure. */
  conclusion?: string | null
  head_branch?: string | null
  head_commit?: Record<string, unknown> | null
  /** Name of the workflow. */
  name?: string | null
  pull_requests?: Record<string, unknown>[] | null
  run_attempt?: number
  run_started_at?: string
  /** For example queued, in_progress or completed. */
  status?: string | null
  triggering_actor?: User
  [member: string]: unknown
}
export interface Account {
  avatar_url: string
  created_at: string
  followers: number
  following: number
  html_url: string
  id: Id
  login: string
  node_id: string
  public_gists: number
  public_repos: number
  site_admin: boolean
  /** User, Organization or Bot. */
  type: string
  updated_at: string
  url: string
  bio?: string | null
  blog?: string | null
  company?: string | null
  email?: string | null
  hireable?: boolean | null
  location?: string | null
  name?: string | null
  twitter_username?: string | null
  [member: string]: unknown
}
export interface ArchiveAddress {
  owner: Owner
  ref: Ref
  repo: Repo
  [member: string]: unknown
}
export interface ArtifactAddress {
  /**
   * Id of the artifact.
   * At least 1.
   */
  artifact_id: number
  owner: Owner
  repo: Repo
  [member: string]: unknown
}
export interface AssetAddress {
  asset_id: AssetId
  owner: Owner
  repo: Repo
  [member: string]: unknown
}
export interface ChangedFile {
  additions: number
  changes: number
  deletions: number
  filename: string
  sha: string | null
  status: "added" | "removed" | "modified" | "renamed" | "copied" | "changed" | "unchanged"
  blob_url?: string
  contents_url?: string
  /** Not of binary and very large files. */
  patch?: string
  /** Of renamed files. */
  previous_filename?: string
  raw_url?: string
  [member: string]: unknown
}
export interface CommentAddress {
  comment_id: Id
  owner: Owner
  repo: Repo
  [member: string]: unknown
}
export interface FileAddress {
  owner: Owner
  path: Path
  repo: Repo
  ref?: RefOrDefault
  [member: string]: unknown
}
export interface FileCommit {
  /** The commit. */
  commit: Record<string, unknown>
  /** The file as it is now, without its content. */
  content: Record<string, unknown> | null
  [member: string]: unknown
}
export interface IssueAddress {
  issue_number: Number
  owner: Owner
  repo: Repo
  [member: string]: unknown
}
/** A person as commits name them. GitHub takes the user of the token by default. */
export interface Person {
  /** E-mail address. */
  email: string
  /** Full name. */
  name: string
  /** Time of the commit, ISO 8601. */
  date?: string
}
export interface PullAddress {
  owner: Owner
  pull_number: Number
  repo: Repo
  [member: string]: unknown
}
export interface ReleaseAddress {
  owner: Owner
  release_id: ReleaseId
  repo: Repo
  [member: string]: unknown
}
/** A person as commits name them. GitHub takes the user of the token by default. */
export interface Remover {
  /** E-mail address. */
  email: string
  /** Full name. */
  name: string
}
export interface User {
  avatar_url: string
  html_url: string
  id: Id
  login: string
  node_id: string
  site_admin: boolean
  /** User, Organization or Bot. */
  type: string
  url: string
  [member: string]: unknown
}
export interface ArtifactsDeleteParams {
  /**
   * Id of the artifact.
   * At least 1.
   */
  artifact_id: number
  owner: Owner
  repo: Repo
}
export interface ArtifactsDownloadParams {
  /**
   * Id of the artifact.
   * At least 1.
   */
  artifact_id: number
  owner: Owner
  repo: Repo
}
export interface ArtifactsGetParams {
  /**
   * Id of the artifact.
   * At least 1.
   */
  artifact_id: number
  owner: Owner
  repo: Repo
}
export interface ArtifactsListParams {
  owner: Owner
  repo: Repo
  cursor?: Cursor
  /** Only artifacts of this name. */
  name?: string
  per_page?: PerPage
}
export interface BranchesGetParams {
  /** Name of the branch, slashes included. */
  branch: string
  owner: Owner
  repo: Repo
}
export interface BranchesListParams {
  owner: Owner
  repo: Repo
  cursor?: Cursor
  per_page?: PerPage
  /** true for protected ones only, false for the others only. */
  protected?: boolean
}
export interface CommitsGetParams {
  owner: Owner
  ref: Ref
  repo: Repo
  /**
   * Which 300 of its files. GitHub takes 1 by default.
   * At least 1, at most 10.
   */
  page?: number
}
export interface CommitsListParams {
  owner: Owner
  repo: Repo
  /** Login or e-mail address of the author. */
  author?: string
  /** Login or e-mail address of the committer. */
  committer?: string
  cursor?: Cursor
  /** Only commits that changed this file or folder. */
  path?: string
  per_page?: PerPage
  /** Branch or commit to begin with. */
  sha?: string
  /**
   * Not before then.
   * ISO 8601 time with offset, or day.
   */
  since?: string
  /**
   * Not after then.
   * ISO 8601 time with offset, or day.
   */
  until?: string
}
export interface ContentsCreateParams {
  content: FileContent
  message: CommitMessage
  owner: Owner
  path: Path
  repo: Repo
  author?: Person
  branch?: Branch
  committer?: Person
}
export interface ContentsCreateResult {
  /** The commit. */
  commit: Record<string, unknown>
  /** The file as it is now, without its content. */
  content: Record<string, unknown> | null
  [member: string]: unknown
}
export interface ContentsDeleteParams {
  message: CommitMessage
  owner: Owner
  path: Path
  repo: Repo
  /** Hash of the content that goes, from get. */
  sha: string
  author?: Remover
  branch?: Branch
  committer?: Remover
}
export interface ContentsDownloadParams {
  owner: Owner
  path: Path
  repo: Repo
  ref?: RefOrDefault
}
export interface ContentsGetParams {
  owner: Owner
  path: Path
  repo: Repo
  ref?: RefOrDefault
}
export interface ContentsListParams {
  owner: Owner
  repo: Repo
  /** Path of the folder, for example guides/images. Left out for the topmost one. */
  path?: string
  ref?: RefOrDefault
}
export interface ContentsUpdateParams {
  content: FileContent
  message: CommitMessage
  owner: Owner
  path: Path
  repo: Repo
  /** Hash of the content that is replaced, from get. */
  sha: string
  author?: Person
  branch?: Branch
  committer?: Person
}
export interface ContentsUpdateResult {
  /** The commit. */
  commit: Record<string, unknown>
  /** The file as it is now, without its content. */
  content: Record<string, unknown> | null
  [member: string]: unknown
}
export interface CurrentUserGetParams {}
export interface IssueCommentsCreateParams {
  /** Text in Markdown. */
  body: string
  issue_number: Number
  owner: Owner
  repo: Repo
}
export interface IssueCommentsDeleteParams {
  comment_id: Id
  owner: Owner
  repo: Repo
}
export interface IssueCommentsGetParams {
  comment_id: Id
  owner: Owner
  repo: Repo
}
export interface IssueCommentsListParams {
  owner: Owner
  repo: Repo
  cursor?: Cursor
  direction?: Direction
  issue_number?: Number
  per_page?: PerPage
  /**
   * Only what changed since then.
   * ISO 8601 time with offset, or day.
   */
  since?: string
  /** What to sort the comments of a repository by. GitHub takes created by default. */
  sort?: "created" | "updated"
}
export interface IssueCommentsUpdateParams {
  /** Text in Markdown. */
  body: string
  comment_id: Id
  owner: Owner
  repo: Repo
}
export interface IssuesApiSearchParams {
  /** Words and qualifiers, for example: repo:tallow/app is:issue is:open label:bug. */
  q: string
  cursor?: Cursor
  order?: Order
  per_page?: PerPage
  /** What to sort by. GitHub sorts by relevance by default. */
  sort?: "comments" | "reactions" | "reactions-+1" | "reactions--1" | "reactions-smile" | "reactions-thinking_face" | "reactions-heart" | "reactions-tada" | "interactions" | "created" | "updated"
}
export interface IssuesCreateParams {
  owner: Owner
  repo: Repo
  /** Title. */
  title: string
  assignees?: Logins
  /** Text in Markdown. */
  body?: string
  labels?: LabelNames
  /** Number of a milestone. */
  milestone?: number | null
  /** Name of an issue type of the organization. */
  type?: string | null
}
export interface IssuesGetParams {
  issue_number: Number
  owner: Owner
  repo: Repo
}
export interface IssuesListParams {
  owner: Owner
  repo: Repo
  /** Login; * for any, none for issues of nobody. */
  assignee?: string
  /** Login of the author. */
  creator?: string
  cursor?: Cursor
  direction?: Direction
  /**
   * Names of labels; an issue must have all of them.
   * At least 1 element.
   */
  labels?: string[]
  /** Login of somebody who is mentioned. */
  mentioned?: string
  /** Number of a milestone; * for any, none for issues without one. */
  milestone?: string
  per_page?: PerPage
  /**
   * Only what changed since then.
   * ISO 8601 time with offset, or day.
   */
  since?: string
  /** What to sort by. GitHub takes created by default. */
  sort?: "created" | "updated" | "comments"
  state?: StateFilter
  /** Name of an issue type; * for any, none for issues without one. */
  type?: string
}
export interface IssuesUpdateParams {
  issue_number: Number
  owner: Owner
  repo: Repo
  assignees?: Logins
  /** Text in Markdown. */
  body?: string | null
  /**
   * Id (not number) of the issue that this one repeats, for the reason duplicate.
   * At least 1.
   */
  duplicate_issue_id?: number
  labels?: LabelNames
  /** Number of a milestone; null takes it away. */
  milestone?: number | null
  /** Whether it is open. */
  state?: "open" | "closed"
  /** Why the state changes. GitHub ignores it where the state stays. */
  state_reason?: "completed" | "not_planned" | "duplicate" | "reopened" | null
  /** Title. */
  title?: string
  /** Name of an issue type of the organization; null takes it away. */
  type?: string | null
}
export interface LabelsCreateParams {
  /** Name; emoji may stand in it. */
  name: string
  owner: Owner
  repo: Repo
  color?: Color
  /**
   * What it is for.
   * At most 100 characters.
   */
  description?: string
}
export interface LabelsDeleteParams {
  /** Name of the label. */
  name: string
  owner: Owner
  repo: Repo
}
export interface LabelsListParams {
  owner: Owner
  repo: Repo
  cursor?: Cursor
  per_page?: PerPage
}
export interface LabelsUpdateParams {
  /** Name that it has. */
  name: string
  owner: Owner
  repo: Repo
  color?: Color
  /**
   * What it is for.
   * At most 100 characters.
   */
  description?: string
  /** Name that it gets. */
  new_name?: string
}
export interface MilestonesCreateParams {
  owner: Owner
  repo: Repo
  /** Title. */
  title: string
  /** What it stands for. */
  description?: string
  /**
   * When it is due; GitHub keeps the day.
   * RFC 3339 time.
   */
  due_on?: string
  /** Whether it is open. GitHub opens it by default. */
  state?: "open" | "closed"
}
export interface MilestonesDeleteParams {
  milestone_number: Number
  owner: Owner
  repo: Repo
}
export interface MilestonesListParams {
  owner: Owner
  repo: Repo
  cursor?: Cursor
  direction?: Direction
  per_page?: PerPage
  /** What to sort by. GitHub takes due_on by default. */
  sort?: "due_on" | "completeness"
  state?: StateFilter
}
export interface MilestonesUpdateParams {
  milestone_number: Number
  owner: Owner
  repo: Repo
  /** What it stands for. */
  description?: string
  /**
   * When it is due; GitHub keeps the day.
   * RFC 3339 time.
   */
  due_on?: string
  /** Whether it is open. */
  state?: "open" | "closed"
  /** Title. */
  title?: string
}
export interface OrganizationRepositoriesListParams {
  /** Login of the organization. */
  org: string
  cursor?: Cursor
  direction?: Direction
  per_page?: PerPage
  sort?: RepositorySort
  /** Which of them. GitHub takes all by default. */
  type?: "all" | "public" | "private" | "forks" | "sources" | "member"
}
export interface OrganizationsListParams {
  cursor?: Cursor
  per_page?: PerPage
}
export interface PullRequestFilesListParams {
  owner: Owner
  pull_number: Number
  repo: Repo
  cursor?: Cursor
  per_page?: PerPage
}
export interface PullRequestMergesUpdateParams {
  owner: Owner
  pull_number: Number
  repo: Repo
  /** What follows the title. */
  commit_message?: string
  /** Title of the commit. */
  commit_title?: string
  /** How it is merged. GitHub makes a merge commit by default. */
  merge_method?: "merge" | "squash" | "rebase"
  /** Commit that the head must be at, so that nothing is merged that was not seen. */
  sha?: string
}
export interface PullRequestMergesUpdateResult {
  merged: boolean
  message: string
  sha: string
  [member: string]: unknown
}
export interface PullRequestReviewsCreateParams {
  owner: Owner
  pull_number: Number
  repo: Repo
  /** Text in Markdown; needed for REQUEST_CHANGES and COMMENT. */
  body?: string
  /** Comments on single lines. */
  comments?: {
    /** Text in Markdown. */
    body: string
    /** Path of the file. */
    path: string
    /** Line of the file; the last one of several. */
    line?: number
    /** Line of the diff in place of line. */
    position?: number
    /** RIGHT for the new file, LEFT for the old one. */
    side?: string
    /** The first of several lines. */
    start_line?: number
    /** Side of the first line. */
    start_side?: string
  }[]
  /** Commit that was reviewed. GitHub takes the newest one by default. */
  commit_id?: string
  /** The verdict. */
  event?: "APPROVE" | "REQUEST_CHANGES" | "COMMENT"
}
export interface PullRequestReviewsListParams {
  owner: Owner
  pull_number: Number
  repo: Repo
  cursor?: Cursor
  per_page?: PerPage
}
export interface PullRequestsCreateParams {
  /** Branch that the changes go into. */
  base: string
  /** Branch with the changes; of a fork with its owner, octocat:fix-login. */
  head: string
  owner: Owner
  repo: Repo
  /** Text in Markdown. */
  body?: string
  /** Whether it is a draft. */
  draft?: boolean
  /** Repository of head, where a fork is in the same organization. */
  head_repo?: string
  /**
   * Number of an issue that becomes the pull request.
   * At least 1.
   */
  issue?: number
  /** Whether maintainers may push to head. */
  maintainer_can_modify?: boolean
  /** Title; needed without issue. */
  title?: string
}
export interface PullRequestsGetParams {
  owner: Owner
  pull_number: Number
  repo: Repo
}
export interface PullRequestsListParams {
  owner: Owner
  repo: Repo
  /** Branch that it goes into, for example main. */
  base?: string
  cursor?: Cursor
  direction?: Direction
  /** Branch that is merged, with its owner, for example octocat:fix-login. */
  head?: string
  per_page?: PerPage
  /** What to sort by. GitHub takes created by default. */
  sort?: "created" | "updated" | "popularity" | "long-running"
  state?: StateFilter
}
export interface PullRequestsUpdateParams {
  owner: Owner
  pull_number: Number
  repo: Repo
  /** Branch of the same repository that the changes go into. */
  base?: string
  /** Text in Markdown. */
  body?: string
  /** Whether maintainers may push to head. */
  maintainer_can_modify?: boolean
  /** Whether it is open. */
  state?: "open" | "closed"
  /** Title. */
  title?: string
}
export interface ReleaseAssetsDeleteParams {
  asset_id: AssetId
  owner: Owner
  repo: Repo
}
export interface ReleaseAssetsDownloadParams {
  asset_id: AssetId
  owner: Owner
  repo: Repo
  range_header?: Range
}
export interface ReleaseAssetsGetParams {
  asset_id: AssetId
  owner: Owner
  repo: Repo
}
export interface ReleaseAssetsListParams {
  owner: Owner
  release_id: ReleaseId
  repo: Repo
  cursor?: Cursor
  per_page?: PerPage
}
export interface ReleaseAssetsUpdateParams {
  asset_id: AssetId
  owner: Owner
  repo: Repo
  /** What is shown in place of the name. */
  label?: string
  /** Name of the file. */
  name?: string
}
export interface ReleasesCreateParams {
  owner: Owner
  repo: Repo
  /** Name of the tag. */
  tag_name: string
  /** Text in Markdown. */
  body?: string
  /** Category of a discussion that is opened about it. */
  discussion_category_name?: string
  /** Whether it is not published yet. */
  draft?: boolean
  /** Whether GitHub writes name and text where they are left out. */
  generate_release_notes?: boolean
  make_latest?: MakeLatest
  /** Title. */
  name?: string
  /** Whether it is a prerelease. */
  prerelease?: boolean
  /** Branch or commit that a new tag is made from. GitHub takes the default branch by default. */
  target_commitish?: string
}
export interface ReleasesDeleteParams {
  owner: Owner
  release_id: ReleaseId
  repo: Repo
}
export interface ReleasesGetParams {
  owner: Owner
  release_id: ReleaseId
  repo: Repo
}
export interface ReleasesListParams {
  owner: Owner
  repo: Repo
  cursor?: Cursor
  per_page?: PerPage
}
export interface ReleasesUpdateParams {
  owner: Owner
  release_id: ReleaseId
  repo: Repo
  /** Text in Markdown. */
  body?: string
  /** Category of a discussion that is opened about it. */
  discussion_category_name?: string
  /** Whether it is not published yet. */
  draft?: boolean
  make_latest?: MakeLatest
  /** Title. */
  name?: string
  /** Whether it is a prerelease. */
  prerelease?: boolean
  /** Name of the tag. */
  tag_name?: string
  /** Branch or commit that a new tag is made from. */
  target_commitish?: string
}
export interface RepositoriesApiSearchParams {
  /** Words and qualifiers, for example: org:tallow language:typescript. */
  q: string
  cursor?: Cursor
  order?: Order
  per_page?: PerPage
  /** What to sort by. GitHub sorts by relevance by default. */
  sort?: "stars" | "forks" | "help-wanted-issues" | "updated"
}
export interface RepositoriesCreateParams {
  /** Name of the repository. */
  name: string
  /** Whether pull requests may merge by themselves when all is green. */
  allow_auto_merge?: boolean
  /** Whether pull requests may be merged by a merge commit. */
  allow_merge_commit?: boolean
  /** Whether pull requests may be rebased. */
  allow_rebase_merge?: boolean
  /** Whether pull requests may be squashed. */
  allow_squash_merge?: boolean
  /** Whether it begins with a commit that holds a README. */
  auto_init?: boolean
  /** Whether merged branches are deleted. */
  delete_branch_on_merge?: boolean
  /** What it is for. */
  description?: string
  /** Name of the template of the .gitignore, for example Node. */
  gitignore_template?: string
  /** Whether it has discussions. Only for repositories of a user. */
  has_discussions?: boolean
  /** Whether it has issues. GitHub gives it some by default. */
  has_issues?: boolean
  /** Whether it has projects. */
  has_projects?: boolean
  /** Whether it has a wiki. GitHub gives it one by default. */
  has_wiki?: boolean
  /** Address of a page about it. */
  homepage?: string
  /** Whether others may be made of it. */
  is_template?: boolean
  /** Keyword of the licence, for example mit. */
  license_template?: string
  /** Login of the organization that gets it. */
  org?: string
  /** Whether it is private. GitHub makes it public by default. */
  private?: boolean
  /** Team that gets access. Only for organizations. */
  team_id?: number
  /** For organizations, in place of private. */
  visibility?: "public" | "private"
}
export interface RepositoriesDeleteParams {
  owner: Owner
  repo: Repo
}
export interface RepositoriesGetParams {
  owner: Owner
  repo: Repo
}
export interface RepositoriesListParams {
  /**
   * Comma-separated: owner, collaborator, organization_member. GitHub takes all three by default.
   * Matches `^(owner|collaborator|organization_member)(,(owner|collaborator|organization_member))*$`.
   */
  affiliation?: string
  /**
   * Only what changed before then.
   * ISO 8601 time with offset, or day.
   */
  before?: string
  cursor?: Cursor
  direction?: Direction
  per_page?: PerPage
  /**
   * Only what changed since then.
   * ISO 8601 time with offset, or day.
   */
  since?: string
  sort?: RepositorySort
  /** GitHub takes all by default. */
  visibility?: "all" | "public" | "private"
}
export interface RepositoriesUpdateParams {
  owner: Owner
  repo: Repo
  /** Whether pull requests may merge by themselves when all is green. */
  allow_auto_merge?: boolean
  /** Whether a private repository may be forked. */
  allow_forking?: boolean
  /** Whether pull requests may be merged by a merge commit. */
  allow_merge_commit?: boolean
  /** Whether pull requests may be rebased. */
  allow_rebase_merge?: boolean
  /** Whether pull requests may be squashed. */
  allow_squash_merge?: boolean
  /** Whether branches that are behind may be updated with a click. */
  allow_update_branch?: boolean
  /** true makes it read-only, false ends that. */
  archived?: boolean
  /** Name of the branch that is shown first. */
  default_branch?: string
  /** Whether merged branches are deleted. */
  delete_branch_on_merge?: boolean
  /** What it is for. */
  description?: string
  /** Whether it has issues. */
  has_issues?: boolean
  /** Whether it has projects. */
  has_projects?: boolean
  /** Whether it has a wiki. */
  has_wiki?: boolean
  /** Address of a page about it. */
  homepage?: string
  /** Whether others may be made of it. */
  is_template?: boolean
  /** New name. */
  name?: string
  /** Who sees it. */
  visibility?: "public" | "private"
  /** Whether commits made on the web must be signed off. */
  web_commit_signoff_required?: boolean
}
export interface TarArchivesDownloadParams {
  owner: Owner
  ref: Ref
  repo: Repo
}
export interface UsersGetParams {
  /** Login of the user, for example octocat. */
  username: string
}
export interface WorkflowRunsGetParams {
  owner: Owner
  repo: Repo
  run_id: Id
  /** Whether pull_requests is left empty. */
  exclude_pull_requests?: boolean
}
export interface WorkflowRunsListParams {
  owner: Owner
  repo: Repo
  /** Login of who started them. */
  actor?: string
  /** Branch that they ran for. */
  branch?: string
  check_suite_id?: Id
  /** When they were created, as a range, for example >=2026-05-01. */
  created?: string
  cursor?: Cursor
  /** What started them, for example push. */
  event?: string
  /** Whether pull_requests is left empty. */
  exclude_pull_requests?: boolean
  /** Commit that they ran for. */
  head_sha?: string
  per_page?: PerPage
  /** State or outcome of the run. */
  status?: "completed" | "action_required" | "cancelled" | "failure" | "neutral" | "skipped" | "stale" | "success" | "timed_out" | "in_progress" | "queued" | "requested" | "waiting" | "pending"
}
export interface ZipArchivesDownloadParams {
  owner: Owner
  ref: Ref
  repo: Repo
}
export interface GithubConfig {
  /**
   * Host of the API. GitHub Enterprise Server has it below its own host, github.example.com/api/v3; GitHub Enterprise Cloud with data residency at api.octocorp.ghe.com.
   * @default "api.github.com"
   */
  api_host?: string
  /**
   * Host of the pages, where users agree: for GitHub Enterprise github.example.com or octocorp.ghe.com.
   * @default "github.com"
   */
  host?: string
  /** Id of the installation of the GitHub App. It is taken from the credentials. */
  installation_id?: string
  /**
   * Repository, as owner/name, whose webhook is made and deleted together with this connection, with a secret of its own. The credentials must be those of an administrator of it: the scope admin:repo_hook or repo, or Webhooks, write, of a fine-grained token or an app. Left out, webhooks are set up by hand.
   * Matches `^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$`.
   */
  webhook_repository?: string
}
/**
 * A GitHub App acts as itself in one account that has installed it. The private key is made on the settings page of the app; the address of the installation's page ends with its id. Tokens of an hour are made of it as needed.
 */
export interface GithubGithubAppCredentials {
  /**
   * Id of the installation.
   * Matches `^[0-9]+$`.
   */
  installation_id: string
  /** Private key of the app (PEM), as GitHub generates it. */
  private_key: string
  /** App id or client id of the GitHub App. */
  app_id?: string
  /** Another name of app_id. */
  client_id?: string
  webhook_secret?: WebhookSecret
}
/**
 * A user agrees to a GitHub App, whose own permissions take the place of scopes. The app must have expiring user tokens (its default): a token lives eight hours, and a refresh token works once within six months.
 */
export interface GithubGithubAppUserCredentials {
  /** Refresh token. */
  refresh_token: string
  /** Access token of the user. Without one the first call refreshes. */
  access_token?: string
  /** Client id of the GitHub App. Needed to refresh. */
  client_id?: string
  /** Client secret of the GitHub App. Needed to refresh. */
  client_secret?: string
  webhook_secret?: WebhookSecret
}
/**
 * A user agrees to the scopes that the actions need. Register the app in the settings of its owner under Developer settings, OAuth apps. Its tokens do not expire; there is no refresh token.
 */
export interface GithubOauthAppCredentials {
  /** Access token of the user. */
  access_token: string
  /** Client id of the OAuth app. */
  client_id?: string
  /** Client secret of the OAuth app. */
  client_secret?: string
  webhook_secret?: WebhookSecret
}
/**
 * A fine-grained or classic personal access token, made in the settings of the account under Developer settings. A fine-grained one belongs to one owner and has the permissions that are ticked; a classic one has scopes, and reaches an organization with single sign-on only after it was authorized for it. Other ready-made tokens of GitHub work as well.
 */
export interface GithubTokenCredentials {
  /** Another name of token. */
  personal_access_token?: string
  /** Personal access token. */
  token?: string
  webhook_secret?: WebhookSecret
}

export interface ArtifactsListMeta {
  total_count: unknown
}

/** Artifacts of workflow runs */
export interface GithubArtifacts {
  /**
   * Delete an artifact
   * Deletes one artifact.
   * @see https://docs.github.com/en/rest
   */
  delete(params: ArtifactsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Download an artifact
   * Streams the ZIP file of one artifact. One that has expired is upstream_not_found.
   * @see https://docs.github.com/en/rest
   */
  download(params: ArtifactsDownloadParams, options?: CallOptions): Promise<Download>
  /**
   * Get an artifact
   * What is known of one artifact, without its bytes.
   * @see https://docs.github.com/en/rest
   */
  get(params: ArtifactsGetParams, options?: CallOptions): Promise<Result<ArtifactsRecord>>
  /**
   * List artifacts
   * Artifacts of all workflow runs of one repository.
   * @see https://docs.github.com/en/rest
   */
  list(params: ArtifactsListParams, options?: CallOptions): PageCall<ArtifactsRecord, ArtifactsListMeta>
}

export interface BranchesListMeta {}

/** Branches */
export interface GithubBranches {
  /**
   * Get a branch
   * One branch with its newest commit.
   * @see https://docs.github.com/en/rest
   */
  get(params: BranchesGetParams, options?: CallOptions): Promise<Result<BranchesRecord>>
  /**
   * List branches
   * Branches of one repository.
   * @see https://docs.github.com/en/rest
   */
  list(params: BranchesListParams, options?: CallOptions): PageCall<BranchesRecord, BranchesListMeta>
}

export interface CommitsListMeta {}

/** Commits */
export interface GithubCommits {
  /**
   * Get a commit
   * One commit with the files that it changed, 300 of them. Further files, up to 3000, are on the next pages.
   * @see https://docs.github.com/en/rest
   */
  get(params: CommitsGetParams, options?: CallOptions): Promise<Result<CommitsRecord>>
  /**
   * List commits
   * Commits of a branch, newest first; of the default branch when none is named.
   * @see https://docs.github.com/en/rest
   */
  list(params: CommitsListParams, options?: CallOptions): PageCall<CommitsRecord, CommitsListMeta>
}

export interface ContentsListMeta {}

/** Files and folders */
export interface GithubContents {
  /**
   * Create a file
   * Commits a new file and answers with it and the commit. For a workflow of GitHub Actions the token needs the scope workflow, too.
   * @see https://docs.github.com/en/rest
   */
  create(params: ContentsCreateParams, options?: CallOptions): Promise<Result<ContentsCreateResult>>
  /**
   * Delete a file
   * Commits the removal of a file.
   * @see https://docs.github.com/en/rest
   */
  delete(params: ContentsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Download a file
   * Streams a file of a repository as it is, up to 100 MB.
   * @see https://docs.github.com/en/rest
   */
  download(params: ContentsDownloadParams, options?: CallOptions): Promise<Download>
  /**
   * Get a file
   * One file with its content in Base64, up to 1 MB; of a larger one all but the content.
   * @see https://docs.github.com/en/rest
   */
  get(params: ContentsGetParams, options?: CallOptions): Promise<Result<ContentsRecord>>
  /**
   * List a folder
   * Files and folders in one folder, at most 1000.
   * @see https://docs.github.com/en/rest
   */
  list(params: ContentsListParams, options?: CallOptions): PageCall<ContentsRecord, ContentsListMeta>
  /**
   * Replace a file
   * Commits new content of a file and answers with it and the commit. A sha that is no longer the newest is upstream_conflict. For a workflow of GitHub Actions the token needs the scope workflow, too.
   * @see https://docs.github.com/en/rest
   */
  update(params: ContentsUpdateParams, options?: CallOptions): Promise<Result<ContentsUpdateResult | null>>
}

/** Current user */
export interface GithubCurrentUser {
  /**
   * Get the user of the token
   * The user whom the token belongs to. Installations of a GitHub App are no users and get 403.
   * @see https://docs.github.com/en/rest
   */
  get(params?: CurrentUserGetParams, options?: CallOptions): Promise<Result<CurrentUserRecord>>
}

export interface IssueCommentsListMeta {}

/** What `issue_comments.search` can filter and sort by. */
export interface IssueCommentsSearchFields {
  author: string
  author_association: string
  body: string
  created_at: string
  html_url: string
  id: number | `${number}`
  issue_url: string
  node_id: string
  reactions: Record<string, unknown>
  repository: string
  updated_at: string
  url: string
  user: NonNullable<IssueCommentsRecord['user']>
}

/** Comments on issues, and those on pull requests that belong to no line of code. */
export interface GithubIssueComments {
  /**
   * Add a comment
   * Adds a comment to an issue or pull request and answers with it.
   * @see https://docs.github.com/en/rest
   */
  create(params: IssueCommentsCreateParams, options?: CallOptions): Promise<Result<IssueCommentsRecord>>
  /**
   * Delete a comment
   * Deletes a comment of an issue or pull request.
   * @see https://docs.github.com/en/rest
   */
  delete(params: IssueCommentsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get a comment
   * One comment by its id.
   * @see https://docs.github.com/en/rest
   */
  get(params: IssueCommentsGetParams, options?: CallOptions): Promise<Result<IssueCommentsRecord>>
  /**
   * List the comments of an issue, or of a repository
   * Comments of the issue issue_number, oldest first; without one those of all issues of the repository.
   * @see https://docs.github.com/en/rest
   */
  list(params: IssueCommentsListParams, options?: CallOptions): PageCall<IssueCommentsRecord, IssueCommentsListMeta>
  /**
   * Change a comment
   * Replaces the text of a comment and answers with the comment.
   * @see https://docs.github.com/en/rest
   */
  update(params: IssueCommentsUpdateParams, options?: CallOptions): Promise<Result<IssueCommentsRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<IssueCommentsSearchFields>, options?: CallOptions): SearchCall<IssueCommentsSearchFields>
}

export interface IssuesApiSearchMeta {
  incomplete_results: unknown
  total_count: unknown
}

export interface IssuesListMeta {}

/** What `issues.search` can filter and sort by. */
export interface IssuesSearchFields {
  active_lock_reason: string
  assignee: NonNullable<IssuesRecord['assignee']>
  assignees: readonly unknown[]
  author: string
  author_association: string
  body: string
  closed_at: string
  /** Empty in the copy. GitHub sends it for single issues only (issues.get). */
  closed_by: NonNullable<IssuesRecord['closed_by']>
  comments: number
  created_at: string
  draft: boolean
  html_url: string
  id: number | `${number}`
  labels: readonly unknown[]
  locked: boolean
  milestone: Record<string, unknown>
  node_id: string
  number: number
  pull_request: Record<string, unknown>
  reactions: Record<string, unknown>
  repository: string
  repository_url: string
  state: string
  state_reason: string
  title: string
  type: Record<string, unknown>
  updated_at: string
  url: string
  user: NonNullable<IssuesRecord['user']>
}

/** GitHub lists pull requests among the issues; those have the member pull_request. */
export interface GithubIssues {
  /**
   * Search issues and pull requests
   * Issues and pull requests on all of GitHub that match a query. GitHub gives at most 1000 of them, and counts 30 searches a minute. For GitHub Apps the query must hold is:issue or is:pull-request.
   * @see https://docs.github.com/en/rest
   */
  api_search(params: IssuesApiSearchParams, options?: CallOptions): PageCall<IssuesRecord, IssuesApiSearchMeta>
  /**
   * Create an issue
   * Creates an issue and answers with it. Without write access GitHub leaves out labels, assignees, milestone and type without a word.
   * @see https://docs.github.com/en/rest
   */
  create(params: IssuesCreateParams, options?: CallOptions): Promise<Result<IssuesRecord>>
  /**
   * Get an issue
   * One issue or pull request by its number.
   * @see https://docs.github.com/en/rest
   */
  get(params: IssuesGetParams, options?: CallOptions): Promise<Result<IssuesRecord>>
  /**
   * List the issues of a repository
   * Issues of one repository, pull requests included. GitHub lists the open ones, newest first, by default.
   * @see https://docs.github.com/en/rest
   */
  list(params: IssuesListParams, options?: CallOptions): PageCall<IssuesRecord, IssuesListMeta>
  /**
   * Change, close or reopen an issue
   * Only what is given changes; lists replace what was there. Answers with the issue.
   * @see https://docs.github.com/en/rest
   */
  update(params: IssuesUpdateParams, options?: CallOptions): Promise<Result<IssuesRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<IssuesSearchFields>, options?: CallOptions): SearchCall<IssuesSearchFields>
}

export interface LabelsListMeta {}

/** Labels */
export interface GithubLabels {
  /**
   * Create a label
   * Adds a label to the repository and answers with it.
   * @see https://docs.github.com/en/rest
   */
  create(params: LabelsCreateParams, options?: CallOptions): Promise<Result<LabelsRecord>>
  /**
   * Delete a label
   * Deletes a label of the repository, and takes it off all issues.
   * @see https://docs.github.com/en/rest
   */
  delete(params: LabelsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * List the labels of a repository
   * All labels that issues and pull requests of the repository can have.
   * @see https://docs.github.com/en/rest
   */
  list(params: LabelsListParams, options?: CallOptions): PageCall<LabelsRecord, LabelsListMeta>
  /**
   * Change a label
   * Renames a label, or changes its colour or description, and answers with it.
   * @see https://docs.github.com/en/rest
   */
  update(params: LabelsUpdateParams, options?: CallOptions): Promise<Result<LabelsRecord | null>>
}

export interface MilestonesListMeta {}

/** What `milestones.search` can filter and sort by. */
export interface MilestonesSearchFields {
  closed_at: string
  closed_issues: number
  created_at: string
  creator: NonNullable<MilestonesRecord['creator']>
  description: string
  due_on: string
  html_url: string
  id: number
  node_id: string
  number: number
  open_issues: number
  repository: string
  state: string
  title: string
  updated_at: string
  url: string
}

/** Milestones */
export interface GithubMilestones {
  /**
   * Create a milestone
   * Adds a milestone to the repository and answers with it.
   * @see https://docs.github.com/en/rest
   */
  create(params: MilestonesCreateParams, options?: CallOptions): Promise<Result<MilestonesRecord>>
  /**
   * Delete a milestone
   * Deletes a milestone; its issues stay, without one.
   * @see https://docs.github.com/en/rest
   */
  delete(params: MilestonesDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * List the milestones of a repository
   * Milestones of one repository. GitHub lists the open ones by default.
   * @see https://docs.github.com/en/rest
   */
  list(params: MilestonesListParams, options?: CallOptions): PageCall<MilestonesRecord, MilestonesListMeta>
  /**
   * Change or close a milestone
   * Only what is given changes. Answers with the milestone.
   * @see https://docs.github.com/en/rest
   */
  update(params: MilestonesUpdateParams, options?: CallOptions): Promise<Result<MilestonesRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<MilestonesSearchFields>, options?: CallOptions): SearchCall<MilestonesSearchFields>
}

export interface OrganizationRepositoriesListMeta {}

/** Repositories of an organization */
export interface GithubOrganizationRepositories {
  /**
   * List the repositories of an organization
   * Those of its repositories that the caller may see.
   * @see https://docs.github.com/en/rest
   */
  list(params: OrganizationRepositoriesListParams, options?: CallOptions): PageCall<OrganizationRepositoriesRecord, OrganizationRepositoriesListMeta>
}

export interface OrganizationsListMeta {}

/** Organizations */
export interface GithubOrganizations {
  /**
   * List the organizations of the user
   * Organizations that the user of the token belongs to. Not for installations of a GitHub App.
   * @see https://docs.github.com/en/rest
   */
  list(params?: OrganizationsListParams, options?: CallOptions): PageCall<OrganizationsRecord, OrganizationsListMeta>
}

export interface PullRequestFilesListMeta {}

/** Files of pull requests */
export interface GithubPullRequestFiles {
  /**
   * List the files of a pull request
   * Files that a pull request changes, with their patches. GitHub lists at most 3000.
   * @see https://docs.github.com/en/rest
   */
  list(params: PullRequestFilesListParams, options?: CallOptions): PageCall<PullRequestFilesRecord, PullRequestFilesListMeta>
}

/** Merges of pull requests */
export interface GithubPullRequestMerges {
  /**
   * Merge a pull request
   * Merges a pull request into its base branch. One that cannot be merged now is upstream_conflict.
   * @see https://docs.github.com/en/rest
   */
  update(params: PullRequestMergesUpdateParams, options?: CallOptions): Promise<Result<PullRequestMergesUpdateResult | null>>
}

export interface PullRequestReviewsListMeta {}

/** Reviews of pull requests */
export interface GithubPullRequestReviews {
  /**
   * Review a pull request
   * Approves a pull request, asks for changes, or comments on it and on lines of it. Without event the review stays pending.
   * @see https://docs.github.com/en/rest
   */
  create(params: PullRequestReviewsCreateParams, options?: CallOptions): Promise<Result<PullRequestReviewsRecord>>
  /**
   * List the reviews of a pull request
   * Reviews of one pull request, oldest first.
   * @see https://docs.github.com/en/rest
   */
  list(params: PullRequestReviewsListParams, options?: CallOptions): PageCall<PullRequestReviewsRecord, PullRequestReviewsListMeta>
}

export interface PullRequestsListMeta {}

/** What `pull_requests.search` can filter and sort by. */
export interface PullRequestsSearchFields {
  active_lock_reason: string
  assignee: NonNullable<PullRequestsRecord['assignee']>
  assignees: readonly unknown[]
  author: string
  author_association: string
  auto_merge: Record<string, unknown>
  base: Record<string, unknown>
  body: string
  closed_at: string
  created_at: string
  diff_url: string
  draft: boolean
  head: Record<string, unknown>
  html_url: string
  id: number | `${number}`
  labels: readonly unknown[]
  locked: boolean
  merge_commit_sha: string
  merged_at: string
  milestone: Record<string, unknown>
  node_id: string
  number: number
  repository: string
  requested_reviewers: readonly unknown[]
  requested_teams: readonly unknown[]
  state: string
  title: string
  updated_at: string
  url: string
  user: NonNullable<PullRequestsRecord['user']>
}

/** Pull requests */
export interface GithubPullRequests {
  /**
   * Open a pull request
   * Opens a pull request, or makes one of an issue, and answers with it.
   * @see https://docs.github.com/en/rest
   */
  create(params: PullRequestsCreateParams, options?: CallOptions): Promise<Result<PullRequestsRecord>>
  /**
   * Get a pull request
   * One pull request, with what GitHub counts and whether it can be merged.
   * @see https://docs.github.com/en/rest
   */
  get(params: PullRequestsGetParams, options?: CallOptions): Promise<Result<PullRequestsRecord>>
  /**
   * List the pull requests of a repository
   * Pull requests of one repository. GitHub lists the open ones, newest first, by default.
   * @see https://docs.github.com/en/rest
   */
  list(params: PullRequestsListParams, options?: CallOptions): PageCall<PullRequestsRecord, PullRequestsListMeta>
  /**
   * Change, close or reopen a pull request
   * Only what is given changes. Labels, assignees and milestone are changed by issues.update. Answers with the pull request.
   * @see https://docs.github.com/en/rest
   */
  update(params: PullRequestsUpdateParams, options?: CallOptions): Promise<Result<PullRequestsRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<PullRequestsSearchFields>, options?: CallOptions): SearchCall<PullRequestsSearchFields>
}

export interface ReleaseAssetsListMeta {}

/** Files of releases */
export interface GithubReleaseAssets {
  /**
   * Delete a file of a release
   * Deletes one file of a release.
   * @see https://docs.github.com/en/rest
   */
  delete(params: ReleaseAssetsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Download a file of a release
   * Streams a file of a release, whole or in part.
   * @see https://docs.github.com/en/rest
   */
  download(params: ReleaseAssetsDownloadParams, options?: CallOptions): Promise<Download>
  /**
   * Get a file of a release
   * What is known of one file, without its bytes.
   * @see https://docs.github.com/en/rest
   */
  get(params: ReleaseAssetsGetParams, options?: CallOptions): Promise<Result<ReleaseAssetsRecord>>
  /**
   * List the files of a release
   * Files that were uploaded to one release.
   * @see https://docs.github.com/en/rest
   */
  list(params: ReleaseAssetsListParams, options?: CallOptions): PageCall<ReleaseAssetsRecord, ReleaseAssetsListMeta>
  /**
   * Rename a file of a release
   * Changes the name of a file, or the label that stands in place of it. Answers with the file.
   * @see https://docs.github.com/en/rest
   */
  update(params: ReleaseAssetsUpdateParams, options?: CallOptions): Promise<Result<ReleaseAssetsRecord | null>>
}

export interface ReleasesListMeta {}

/** What `releases.search` can filter and sort by. */
export interface ReleasesSearchFields {
  assets: readonly unknown[]
  author: NonNullable<ReleasesRecord['author']>
  body: string
  created_at: string
  draft: boolean
  html_url: string
  id: number
  immutable: boolean
  name: string
  node_id: string
  prerelease: boolean
  published_at: string
  repository: string
  tag_name: string
  target_commitish: string
  updated_at: string
  url: string
}

/** Releases */
export interface GithubReleases {
  /**
   * Create a release
   * Creates a release, and its tag where there is none, and answers with it. Of a commit that changes workflows of GitHub Actions the token needs the scope workflow, too; without it comes upstream_not_found.
   * @see https://docs.github.com/en/rest
   */
  create(params: ReleasesCreateParams, options?: CallOptions): Promise<Result<ReleasesRecord>>
  /**
   * Delete a release
   * Deletes a release with its files; the tag stays.
   * @see https://docs.github.com/en/rest
   */
  delete(params: ReleasesDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get a release
   * One release with its files.
   * @see https://docs.github.com/en/rest
   */
  get(params: ReleasesGetParams, options?: CallOptions): Promise<Result<ReleasesRecord>>
  /**
   * List releases
   * Releases of one repository, newest first. Drafts are listed for those who may write.
   * @see https://docs.github.com/en/rest
   */
  list(params: ReleasesListParams, options?: CallOptions): PageCall<ReleasesRecord, ReleasesListMeta>
  /**
   * Change or publish a release
   * Only what is given changes; draft false publishes it. Answers with the release. Of a commit that changes workflows of GitHub Actions the token needs the scope workflow, too.
   * @see https://docs.github.com/en/rest
   */
  update(params: ReleasesUpdateParams, options?: CallOptions): Promise<Result<ReleasesRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<ReleasesSearchFields>, options?: CallOptions): SearchCall<ReleasesSearchFields>
}

export interface RepositoriesApiSearchMeta {
  incomplete_results: unknown
  total_count: unknown
}

export interface RepositoriesListMeta {}

/** What `repositories.search` can filter and sort by. */
export interface RepositoriesSearchFields {
  archived: boolean
  created_at: string
  default_branch: string
  description: string
  disabled: boolean
  fork: boolean
  forks_count: number
  full_name: string
  has_discussions: boolean
  has_issues: boolean
  has_pages: boolean
  has_projects: boolean
  has_wiki: boolean
  homepage: string
  html_url: string
  id: number | `${number}`
  is_template: boolean
  language: string
  license: Record<string, unknown>
  name: string
  node_id: string
  open_issues_count: number
  owner: NonNullable<RepositoriesRecord['owner']>
  owner_login: string
  permissions: Record<string, unknown>
  private: boolean
  pushed_at: string
  size: number
  stargazers_count: number
  topics: readonly unknown[]
  updated_at: string
  visibility: string
  watchers_count: number
}

/** Repositories */
export interface GithubRepositories {
  /**
   * Search repositories
   * Repositories on all of GitHub that match a query. GitHub gives at most 1000 of them, and counts 30 searches a minute.
   * @see https://docs.github.com/en/rest
   */
  api_search(params: RepositoriesApiSearchParams, options?: CallOptions): PageCall<RepositoriesRecord, RepositoriesApiSearchMeta>
  /**
   * Create a repository
   * Creates a repository of the organization org, else of the user of the token. Installations of a GitHub App must name an organization.
   * @see https://docs.github.com/en/rest
   */
  create(params: RepositoriesCreateParams, options?: CallOptions): Promise<Result<RepositoriesRecord>>
  /**
   * Delete a repository
   * Deletes a repository with all that is in it. It cannot be undone.
   * @see https://docs.github.com/en/rest
   */
  delete(params: RepositoriesDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get a repository
   * One repository by owner and name; also by a name that it had before.
   * @see https://docs.github.com/en/rest
   */
  get(params: RepositoriesGetParams, options?: CallOptions): Promise<Result<RepositoriesRecord>>
  /**
   * List the repositories of the connection
   * Repositories that the user of the token reaches as owner, collaborator or member; of an installation of a GitHub App those that it was given, which GitHub neither filters nor sorts.
   * @see https://docs.github.com/en/rest
   */
  list(params?: RepositoriesListParams, options?: CallOptions): PageCall<RepositoriesRecord, RepositoriesListMeta>
  /**
   * Change a repository
   * Only what is given changes. Answers with the repository.
   * @see https://docs.github.com/en/rest
   */
  update(params: RepositoriesUpdateParams, options?: CallOptions): Promise<Result<RepositoriesRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<RepositoriesSearchFields>, options?: CallOptions): SearchCall<RepositoriesSearchFields>
}

/** Source code as TAR */
export interface GithubTarArchives {
  /**
   * Download a repository as a compressed TAR file
   * Streams all files of a branch, tag or commit.
   * @see https://docs.github.com/en/rest
   */
  download(params: TarArchivesDownloadParams, options?: CallOptions): Promise<Download>
}

/** Users */
export interface GithubUsers {
  /**
   * Get a user
   * What is public of one user or organization.
   * @see https://docs.github.com/en/rest
   */
  get(params: UsersGetParams, options?: CallOptions): Promise<Result<UsersRecord>>
}

export interface WorkflowRunsListMeta {
  total_count: unknown
}

/** Workflow runs */
export interface GithubWorkflowRuns {
  /**
   * Get a workflow run
   * One run with its state.
   * @see https://docs.github.com/en/rest
   */
  get(params: WorkflowRunsGetParams, options?: CallOptions): Promise<Result<WorkflowRunsRecord>>
  /**
   * List workflow runs
   * Runs of the workflows of one repository, newest first. GitHub gives at most 1000 where there is a filter.
   * @see https://docs.github.com/en/rest
   */
  list(params: WorkflowRunsListParams, options?: CallOptions): PageCall<WorkflowRunsRecord, WorkflowRunsListMeta>
}

/** Source code as ZIP */
export interface GithubZipArchives {
  /**
   * Download a repository as a ZIP file
   * Streams all files of a branch, tag or commit.
   * @see https://docs.github.com/en/rest
   */
  download(params: ZipArchivesDownloadParams, options?: CallOptions): Promise<Download>
}

/** Its entities, also for `execute`. */
export interface GithubEntities {
  readonly artifacts: GithubArtifacts
  readonly branches: GithubBranches
  readonly commits: GithubCommits
  readonly contents: GithubContents
  readonly current_user: GithubCurrentUser
  readonly issue_comments: GithubIssueComments
  readonly issues: GithubIssues
  readonly labels: GithubLabels
  readonly milestones: GithubMilestones
  readonly organization_repositories: GithubOrganizationRepositories
  readonly organizations: GithubOrganizations
  readonly pull_request_files: GithubPullRequestFiles
  readonly pull_request_merges: GithubPullRequestMerges
  readonly pull_request_reviews: GithubPullRequestReviews
  readonly pull_requests: GithubPullRequests
  readonly release_assets: GithubReleaseAssets
  readonly releases: GithubReleases
  readonly repositories: GithubRepositories
  readonly tar_archives: GithubTarArchives
  readonly users: GithubUsers
  readonly workflow_runs: GithubWorkflowRuns
  readonly zip_archives: GithubZipArchives
}

/**
 * Repositories, issues, pull requests, commits, files, releases and workflow runs of GitHub.com, GitHub Enterprise Cloud with data residency and GitHub Enterprise Server.
 * @see https://docs.github.com/en/rest
 */
export interface Github extends ConnectorOf<GithubEntities>, GithubEntities {}

export type GithubCredentials = GithubGithubAppCredentials | GithubGithubAppUserCredentials | GithubOauthAppCredentials | GithubTokenCredentials

export interface GithubSettings {
  credentials: GithubCredentials
  config: GithubConfig
}

declare module 'tenon' {
  interface Connectors {
    github: Github
  }
}
