// Made by `tenon types` (format 4) from slack 2.0.0. Do not edit.
// manifest sha256-614b354a4009394809c9700d1df71b83b1201a4ad26347e464ebef7843988c35
/* eslint-disable */ /* oxlint-disable */

import type { CallOptions, ConnectorOf, Download, PageCall, Result, SearchCall, SearchParams } from 'tenon'

/** Whether messages have their metadata. Slack leaves it out by default. */
export type AllMetadata = boolean
/**
 * Attachments, for example [{"color":"#36a64f","text":"Hello"}].
 * At least 1 element.
 */
export type Attachments = Record<string, unknown>[]
/**
 * Blocks of Block Kit, for example [{"type":"section","text":{"type":"mrkdwn","text":"Hello"}}].
 * At least 1 element, at most 50 elements.
 */
export type Blocks = Record<string, unknown>[]
/** Id of the conversation, for example C012AB3CD. */
export type Channel = string
/** Cursor of the page; left out for the first one. */
export type Cursor = string
/** Name of the emoji without colons, for example thumbsup. */
export type EmojiName = string
/** Whether archived channels are left out. Slack lists them by default. */
export type ExcludeArchived = boolean
/** Id of the file, for example F0S43P1CZ. */
export type File = string
/**
 * Emoji to show as the picture, such as :wave:. Needs the scope chat:write.customize, which bots have.
 */
export type IconEmoji = string
/**
 * Address of a picture to show. Needs the scope chat:write.customize, which bots have.
 * URI.
 */
export type IconUrl = string
/** Whether messages of exactly oldest and latest belong to it. Slack leaves them out by default. */
export type Inclusive = boolean
/** Only messages before this time, in seconds since 1970, or a ts. Slack takes the present by default. */
export type Latest = string
/**
 * Page size. Slack takes 100 by default and sends fewer at times; it advises 200 at most.
 * At least 1, at most 999.
 */
export type Limit = number
/**
 * Page size. Slack sends all at once by default, if it can; it advises 200 at most.
 * At least 1, at most 999.
 */
export type LimitOfAll = number
/** Whether names of channels and user groups become links. Users are mentioned by id: <@U07MAREN01>. */
export type LinkNames = boolean
/**
 * Text of the message in Markdown, in place of text and blocks.
 * At most 12000 characters.
 */
export type MarkdownText = string
/** Only messages after this time, in seconds since 1970, or a ts. */
export type Oldest = string
/**
 * Number of the page, from 1.
 * At least 1.
 */
export type Page = number
/** How text is read. Slack takes none by default. */
export type Parse = "full" | "none"
/** Whether a reply is shown in the conversation as well. Slack does not by default. */
export type ReplyBroadcast = boolean
/**
 * Text of the message, with Slack's markup. Next to blocks or attachments it is what notifications show.
 */
export type Text = string
/** ts of the first message of the thread to reply to. */
export type ThreadTs = string
/** ts of the message, for example 1512085950.000216. */
export type Ts = string
/**
 * Kinds of conversations, comma-separated: public_channel, private_channel, mpim, im. Slack takes public_channel by default.
 */
export type Types = string
/** Whether linked pages are previewed. */
export type UnfurlLinks = boolean
/** Whether linked media are previewed. */
export type UnfurlMedia = boolean
/** Id of the user group, for example S0614TZR7. */
export type Usergroup = string
/** Name to show in place of the bot's. Needs the scope chat:write.customize, which bots have. */
export type Username = string

export interface AccountRecord {
  app_id?: string
  app_name?: string
  /** With a bot token. */
  bot_id?: string
  enterprise_id?: string
  is_enterprise_install?: boolean
  team?: string
  team_id?: string
  url?: string
  user?: string
  user_id?: string
  [member: string]: unknown
}
export interface BookmarksRecord {
  app_id?: string
  /** Names a record of `conversations`. */
  channel_id?: string
  /** In seconds since 1970. */
  date_created?: number
  /** In seconds since 1970. */
  date_updated?: number
  emoji?: string
  entity_id?: string
  icon_url?: string
  id?: string
  last_updated_by_team_id?: string
  /** Names a record of `users`. */
  last_updated_by_user_id?: string
  link?: string
  rank?: string
  shortcut_id?: string
  title?: string
  type?: string
  [member: string]: unknown
}
export interface ConversationMembersRecord {
  /**
   * Id of the conversation.
   * Names a record of `conversations`.
   */
  channel?: string
  /**
   * Id of a user.
   * Names a record of `users`.
   */
  id?: string
  [member: string]: unknown
}
export interface ConversationsRecord {
  context_team_id?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /**
   * Id of a user.
   * Names a record of `users`.
   */
  creator?: string
  id?: string
  is_archived?: boolean
  is_channel?: boolean
  is_ext_shared?: boolean
  is_general?: boolean
  is_group?: boolean
  is_im?: boolean
  /** Whether the bot or user of the token is a member. */
  is_member?: boolean
  is_mpim?: boolean
  is_open?: boolean
  is_org_shared?: boolean
  is_pending_ext_shared?: boolean
  is_private?: boolean
  is_shared?: boolean
  last_read?: string
  locale?: string
  /** Absent on direct messages. */
  name?: string
  name_normalized?: string
  num_members?: number
  previous_names?: string[]
  priority?: number
  properties?: Record<string, unknown>
  purpose?: Record<string, unknown>
  shared_team_ids?: string[]
  topic?: Record<string, unknown>
  unread_count?: number
  /** Time of the last change, in milliseconds since 1970. */
  updated?: number
  /**
   * Direct messages: the other person.
   * Names a record of `users`.
   */
  user?: string
  [member: string]: unknown
}
export interface DirectMessagesRecord {
  context_team_id?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /**
   * Id of a user.
   * Names a record of `users`.
   */
  creator?: string
  id?: string
  is_archived?: boolean
  is_channel?: boolean
  is_ext_shared?: boolean
  is_general?: boolean
  is_group?: boolean
  is_im?: boolean
  /** Whether the bot or user of the token is a member. */
  is_member?: boolean
  is_mpim?: boolean
  is_open?: boolean
  is_org_shared?: boolean
  is_pending_ext_shared?: boolean
  is_private?: boolean
  is_shared?: boolean
  last_read?: string
  locale?: string
  /** Absent on direct messages. */
  name?: string
  name_normalized?: string
  num_members?: number
  previous_names?: string[]
  priority?: number
  properties?: Record<string, unknown>
  purpose?: Record<string, unknown>
  shared_team_ids?: string[]
  topic?: Record<string, unknown>
  unread_count?: number
  /** Time of the last change, in milliseconds since 1970. */
  updated?: number
  /**
   * Direct messages: the other person.
   * Names a record of `users`.
   */
  user?: string
  [member: string]: unknown
}
export interface EmojiRecord {
  name?: string
  /** Address of the picture, or alias: and the name of another emoji. */
  value?: string
  [member: string]: unknown
}
export interface EphemeralMessagesRecord {
  message_ts?: string
  [member: string]: unknown
}
export interface FilesRecord {
  alt_txt?: string
  /**
   * Names a record of `conversations`.
   *
   * Items: Names a record of `conversations`.
   */
  channels?: string[]
  comments_count?: number
  /** Time of creation, in seconds since 1970. */
  created?: number
  display_as_bot?: boolean
  editable?: boolean
  external_type?: string
  file_access?: string
  filetype?: string
  /**
   * Names a record of `conversations`.
   *
   * Items: Names a record of `conversations`.
   */
  groups?: string[]
  has_rich_preview?: boolean
  id?: string
  /**
   * Names a record of `conversations`.
   *
   * Items: Names a record of `conversations`.
   */
  ims?: string[]
  is_external?: boolean
  is_public?: boolean
  mimetype?: string
  /** hosted, external, snippet, post and others. */
  mode?: string
  name?: string
  original_h?: number
  original_w?: number
  permalink?: string
  permalink_public?: string
  pretty_type?: string
  preview?: string
  public_url_shared?: boolean
  reactions?: Record<string, unknown>[]
  shares?: Record<string, unknown>
  /** In bytes. */
  size?: number
  thumb_360?: string
  timestamp?: number
  title?: string
  updated?: number
  /** Needs the token as a header. */
  url_private?: string
  /** Needs the token as a header. */
  url_private_download?: string
  /** Names a record of `users`. */
  user?: string
  user_team?: string
  username?: string
  [member: string]: unknown
}
export interface JoinedConversationsRecord {
  context_team_id?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /**
   * Id of a user.
   * Names a record of `users`.
   */
  creator?: string
  id?: string
  is_archived?: boolean
  is_channel?: boolean
  is_ext_shared?: boolean
  is_general?: boolean
  is_group?: boolean
  is_im?: boolean
  /** Whether the bot or user of the token is a member. */
  is_member?: boolean
  is_mpim?: boolean
  is_open?: boolean
  is_org_shared?: boolean
  is_pending_ext_shared?: boolean
  is_private?: boolean
  is_shared?: boolean
  last_read?: string
  locale?: string
  /** Absent on direct messages. */
  name?: string
  name_normalized?: string
  num_members?: number
  previous_names?: string[]
  priority?: number
  properties?: Record<string, unknown>
  purpose?: Record<string, unknown>
  shared_team_ids?: string[]
  topic?: Record<string, unknown>
  unread_count?: number
  /** Time of the last change, in milliseconds since 1970. */
  updated?: number
  /**
   * Direct messages: the other person.
   * Names a record of `users`.
   */
  user?: string
  [member: string]: unknown
}
export interface MessageLinksRecord {
  channel?: string
  permalink?: string
  [member: string]: unknown
}
export interface MessagesRecord {
  app_id?: string
  attachments?: Record<string, unknown>[]
  blocks?: Record<string, unknown>[]
  bot_id?: string | null
  bot_profile?: Record<string, unknown>
  /**
   * Id of the conversation. Slack leaves it out; it is added.
   * Names a record of `conversations`.
   */
  channel?: string
  client_msg_id?: string
  edited?: Record<string, unknown>
  files?: Record<string, unknown>[]
  /** Names a record of `users`. */
  inviter?: string
  is_locked?: boolean
  last_read?: string
  latest_reply?: string
  metadata?: Record<string, unknown>
  /** Names a record of `users`. */
  parent_user_id?: string
  permalink?: string
  pinned_to?: string[]
  purpose?: string
  reactions?: Record<string, unknown>[]
  reply_count?: number
  /**
   * Names a record of `users`.
   *
   * Items: Names a record of `users`.
   */
  reply_users?: string[]
  reply_users_count?: number
  /** The time in ts, as ISO 8601 in UTC. Slack does not send it; it is added. */
  sent_at?: string
  subscribed?: boolean
  subtype?: string
  team?: string
  text?: string
  /** In a thread: ts of its first message. */
  thread_ts?: string
  topic?: string
  ts?: string
  type?: string
  /**
   * Id of the author.
   * Names a record of `users`.
   */
  user?: string
  username?: string
  [member: string]: unknown
}
export interface PinsRecord {
  /** Names a record of `conversations`. */
  channel?: string
  created?: number
  /** Names a record of `users`. */
  created_by?: string
  file?: Record<string, unknown>
  message?: Record<string, unknown>
  /** message or file. */
  type?: string
  [member: string]: unknown
}
export interface ReactionsRecord {
  /** Names a record of `conversations`. */
  channel?: string
  file?: Record<string, unknown>
  message?: Record<string, unknown>
  /** message or file. */
  type?: string
  [member: string]: unknown
}
export interface ScheduledMessagesRecord {
  /** Names a record of `conversations`. */
  channel_id?: string
  /** In seconds since 1970. */
  date_created?: number
  id?: string
  /** When it is sent, in seconds since 1970. */
  post_at?: number
  text?: string
  [member: string]: unknown
}
export interface TeamRecord {
  domain?: string
  email_domain?: string
  enterprise_id?: string
  enterprise_name?: string
  icon?: Record<string, unknown>
  id?: string
  locale?: string
  name?: string
  url?: string
  [member: string]: unknown
}
export interface ThreadRepliesRecord {
  app_id?: string
  attachments?: Record<string, unknown>[]
  blocks?: Record<string, unknown>[]
  bot_id?: string | null
  bot_profile?: Record<string, unknown>
  /**
   * Id of the conversation. Slack leaves it out; it is added.
   * Names a record of `conversations`.
   */
  channel?: string
  client_msg_id?: string
  edited?: Record<string, unknown>
  files?: Record<string, unknown>[]
  /** Names a record of `users`. */
  inviter?: string
  is_locked?: boolean
  last_read?: string
  latest_reply?: string
  metadata?: Record<string, unknown>
  /** Names a record of `users`. */
  parent_user_id?: string
  permalink?: string
  pinned_to?: string[]
  purpose?: string
  reactions?: Record<string, unknown>[]
  reply_count?: number
  /**
   * Names a record of `users`.
   *
   * Items: Names a record of `users`.
   */
  reply_users?: string[]
  reply_users_count?: number
  /** The time in ts, as ISO 8601 in UTC. Slack does not send it; it is added. */
  sent_at?: string
  subscribed?: boolean
  subtype?: string
  team?: string
  text?: string
  /** In a thread: ts of its first message. */
  thread_ts?: string
  topic?: string
  ts?: string
  type?: string
  /**
   * Id of the author.
   * Names a record of `users`.
   */
  user?: string
  username?: string
  [member: string]: unknown
}
export interface UserPresenceRecord {
  auto_away?: boolean
  connection_count?: number
  last_activity?: number
  manual_away?: boolean
  online?: boolean
  /** active or away. */
  presence?: string
  [member: string]: unknown
}
export interface UserProfilesRecord {
  display_name?: string
  email?: string | null
  /** Fields of the workspace, by their ids; an empty list when there are none. */
  fields?: Record<string, unknown> | unknown[] | null
  first_name?: string | null
  image_192?: string | null
  image_original?: string | null
  last_name?: string | null
  phone?: string
  pronouns?: string
  real_name?: string
  start_date?: string
  status_emoji?: string
  /** In seconds since 1970. */
  status_expiration?: number
  status_text?: string
  title?: string
  [member: string]: unknown
}
export interface UsergroupMembersRecord {
  /**
   * Id of a user.
   * Names a record of `users`.
   */
  id?: string
  /**
   * Id of the group.
   * Names a record of `usergroups`.
   */
  usergroup?: string
  [member: string]: unknown
}
export interface UsergroupsRecord {
  auto_type?: string | null
  /** Names a record of `users`. */
  created_by?: string
  /** In seconds since 1970. */
  date_create?: number
  /** When it was disabled, in seconds since 1970; 0 for never. */
  date_delete?: number
  /** In seconds since 1970. */
  date_update?: number
  deleted_by?: string | null
  description?: string
  handle?: string
  id?: string
  is_external?: boolean
  is_usergroup?: boolean
  name?: string
  /** Conversations that its members join: channels and groups. */
  prefs?: Record<string, unknown>
  team_id?: string
  /** Names a record of `users`. */
  updated_by?: string
  user_count?: number
  /**
   * Names a record of `users`.
   *
   * Items: Names a record of `users`.
   */
  users?: string[]
  [member: string]: unknown
}
export interface UsersRecord {
  color?: string
  /** Whether the account is deactivated. */
  deleted?: boolean
  enterprise_user?: Record<string, unknown>
  has_2fa?: boolean
  id?: string
  is_admin?: boolean
  is_app_user?: boolean
  is_bot?: boolean
  is_email_confirmed?: boolean
  is_invited_user?: boolean
  is_owner?: boolean
  is_primary_owner?: boolean
  /** Whether it is a guest. */
  is_restricted?: boolean
  /** Whether it is a guest of a single channel. */
  is_ultra_restricted?: boolean
  locale?: string
  name?: string
  /** E-mail, title, picture, status and more; the e-mail needs the scope users:read.email. */
  profile?: Record<string, unknown>
  real_name?: string
  team_id?: string
  tz?: string | null
  tz_label?: string
  tz_offset?: number
  /** Time of the last change, in seconds since 1970. */
  updated?: number
  [member: string]: unknown
}
export interface Done {
  ok: boolean
  [member: string]: unknown
}
/** Data for apps: {"event_type":"order_created","event_payload":{"id":"1"}}. */
export interface Metadata {
  [member: string]: unknown
}
export interface AccountGetParams {}
export interface ArchivedConversationsCreateParams {
  channel: Channel
}
export interface ArchivedConversationsCreateResult {
  ok: boolean
  [member: string]: unknown
}
export interface ArchivedConversationsDeleteParams {
  channel: Channel
}
export interface BookmarksCreateParams {
  channel_id: Channel
  /**
   * Address.
   * URI.
   */
  link: string
  /** Title of the bookmark. */
  title: string
  /** Emoji before the title, such as :books:. */
  emoji?: string
  /** Id of the message or file that is meant. */
  entity_id?: string
  /** Id of the bookmark to put it below. */
  parent_id?: string
}
export interface BookmarksDeleteParams {
  /** Id of the bookmark. */
  bookmark_id: string
  channel_id: Channel
}
export interface BookmarksListParams {
  channel_id: Channel
}
export interface BookmarksUpdateParams {
  /** Id of the bookmark. */
  bookmark_id: string
  channel_id: Channel
  /** New emoji. */
  emoji?: string
  /**
   * New address.
   * URI.
   */
  link?: string
  /** New title. */
  title?: string
}
export interface ConversationMembersCreateParams {
  channel: Channel
  /** Ids of users, comma-separated, at most 1000. */
  users: string
  /** Whether valid ids are invited when others are not. Slack invites none then by default. */
  force?: boolean
}
export interface ConversationMembersCreateResult {
  context_team_id?: string
  /** Time of creation, in seconds since 1970. */
  created?: number
  /**
   * Id of a user.
   * Names a record of `users`.
   */
  creator?: string
  id?: string
  is_archived?: boolean
  is_channel?: boolean
  is_ext_shared?: boolean
  is_general?: boolean
  is_group?: boolean
  is_im?: boolean
  /** Whether the bot or user of the token is a member. */
  is_member?: boolean
  is_mpim?: boolean
  is_open?: boolean
  is_org_shared?: boolean
  is_pending_ext_shared?: boolean
  is_private?: boolean
  is_shared?: boolean
  last_read?: string
  locale?: string
  /** Absent on direct messages. */
  name?: string
  name_normalized?: string
  num_members?: number
  previous_names?: string[]
  priority?: number
  properties?: Record<string, unknown>
  purpose?: Record<string, unknown>
  shared_team_ids?: string[]
  topic?: Record<string, unknown>
  unread_count?: number
  /** Time of the last change, in milliseconds since 1970. */
  updated?: number
  /**
   * Direct messages: the other person.
   * Names a record of `users`.
   */
  user?: string
  [member: string]: unknown
}
export interface ConversationMembersDeleteParams {
  channel: Channel
  /** Id of the user. */
  user: string
}
export interface ConversationMembersListParams {
  channel: Channel
  cursor?: Cursor
  limit?: Limit
}
export interface ConversationsCreateParams {
  /**
   * Name: lower-case letters, digits, hyphens and underscores.
   * At most 80 characters.
   */
  name: string
  /** Whether the channel is private. Slack makes a public one by default. */
  is_private?: boolean
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
}
export interface ConversationsGetParams {
  channel: Channel
  /** Whether the answer has the locale. Slack leaves it out by default. */
  include_locale?: boolean
  /** Whether the answer has the number of members. Slack leaves it out by default. */
  include_num_members?: boolean
}
export interface ConversationsListParams {
  cursor?: Cursor
  exclude_archived?: ExcludeArchived
  limit?: Limit
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
  types?: Types
}
export interface ConversationsUpdateParams {
  channel: Channel
  /**
   * New name: lower-case letters, digits, hyphens and underscores.
   * At most 80 characters.
   */
  name?: string
  /**
   * New purpose, which Slack shows as the description; the empty text takes it away.
   * At most 250 characters.
   */
  purpose?: string
  /**
   * New topic; the empty text takes it away.
   * At most 250 characters.
   */
  topic?: string
}
export interface DirectMessagesCreateParams {
  /** Id of a direct or group message that is there already. */
  channel?: string
  /** Whether only a conversation that is there already is looked for. */
  prevent_creation?: boolean
  /** Whether the whole conversation is answered. Slack answers with its id by default. */
  return_im?: boolean
  /** Ids of one to eight users, comma-separated. */
  users?: string
}
export interface DirectMessagesDeleteParams {
  channel: Channel
}
export interface EmojiListParams {}
export interface EphemeralMessagesCreateParams {
  channel: Channel
  /** Id of the user, who must be a member of the conversation. */
  user: string
  attachments?: Attachments
  blocks?: Blocks
  icon_emoji?: IconEmoji
  icon_url?: IconUrl
  link_names?: LinkNames
  markdown_text?: MarkdownText
  parse?: Parse
  text?: Text
  thread_ts?: ThreadTs
  username?: Username
}
export interface FilesCreateParams {
  /**
   * The bytes of the file, as base64.
   * Format byte.
   */
  content: string
  /** Name of the file, with its ending. */
  filename: string
  /**
   * Size of the file in bytes, before base64. Slack refuses an upload of another size.
   * At least 1.
   */
  length: number
  /** What an image shows; for screen readers. */
  alt_text?: string
  blocks?: Blocks
  /** Id of the conversation to share the file in. Left out the file stays private. */
  channel_id?: string
  /** Language to show a text in; Slack detects one, and may detect another. */
  highlight_type?: string
  /** Text of the message that shares the file. */
  initial_comment?: string
  /** Language of a snippet, for example python. */
  snippet_type?: string
  thread_ts?: ThreadTs
  /** Title of the file. Slack takes its name by default. */
  title?: string
}
export interface FilesDeleteParams {
  file: File
}
export interface FilesDownloadParams {
  file: File
  /**
   * Part of the file, for example bytes=0-1023.
   * Matches `^bytes=\d*-\d*$`.
   */
  range?: string
}
export interface FilesGetParams {
  file: File
}
export interface FilesListParams {
  /** Id of a conversation that the files were shared in. */
  channel?: string
  /**
   * Page size. Slack takes 100 by default.
   * At least 1, at most 1000.
   */
  count?: number
  page?: Page
  /** Whether files beyond the limit of a free workspace are listed in a short form. */
  show_files_hidden_by_limit?: boolean
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
  /** Only files made at this time or later, in seconds since 1970. */
  ts_from?: string
  /** Only files made at this time or before, in seconds since 1970. */
  ts_to?: string
  /** Kinds, comma-separated: all, spaces, snippets, images, gdocs, zips, pdfs. */
  types?: string
  /** Id of the user who made them. */
  user?: string
}
export interface JoinedConversationsCreateParams {
  channel: Channel
}
export interface JoinedConversationsDeleteParams {
  channel: Channel
}
export interface JoinedConversationsListParams {
  cursor?: Cursor
  exclude_archived?: ExcludeArchived
  limit?: Limit
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
  types?: Types
  /**
   * Id of the user. Slack takes the one of the token by default. Of others only what both are members of is shown.
   */
  user?: string
}
export interface MessageLinksGetParams {
  channel: Channel
  message_ts: Ts
}
export interface MessagesApiSearchParams {
  /** Words and modifiers, as in the search field of Slack. */
  query: string
  /**
   * Page size. Slack takes 20 by default.
   * At least 1, at most 100.
   */
  count?: number
  /** Whether hits are marked in the text. Slack does not by default. */
  highlight?: boolean
  page?: Page
  /** What to sort by. Slack takes score by default. */
  sort?: "score" | "timestamp"
  /** Direction. Slack takes desc by default. */
  sort_dir?: "asc" | "desc"
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
}
export interface MessagesApiSearchResult {
  attachments?: Record<string, unknown>[]
  blocks?: Record<string, unknown>[]
  channel?: Record<string, unknown>
  files?: Record<string, unknown>[]
  iid?: string
  permalink?: string
  score?: number
  team?: string
  text?: string
  ts?: string
  type?: string
  user?: string
  username?: string
  [member: string]: unknown
}
export interface MessagesCreateParams {
  /** Id of the conversation, or of a user for a direct message. */
  channel: string
  attachments?: Attachments
  blocks?: Blocks
  icon_emoji?: IconEmoji
  icon_url?: IconUrl
  link_names?: LinkNames
  markdown_text?: MarkdownText
  metadata?: Metadata
  /** Whether markup in text is read. Slack reads it by default. */
  mrkdwn?: boolean
  parse?: Parse
  reply_broadcast?: ReplyBroadcast
  text?: Text
  thread_ts?: ThreadTs
  unfurl_links?: UnfurlLinks
  unfurl_media?: UnfurlMedia
  username?: Username
}
export interface MessagesDeleteParams {
  channel: Channel
  ts: Ts
}
export interface MessagesGetParams {
  channel: Channel
  ts: Ts
  include_all_metadata?: AllMetadata
}
export interface MessagesListParams {
  channel: Channel
  cursor?: Cursor
  include_all_metadata?: AllMetadata
  inclusive?: Inclusive
  latest?: Latest
  limit?: Limit
  oldest?: Oldest
}
export interface MessagesUpdateParams {
  channel: Channel
  ts: Ts
  /** Attachments in place of all before; none with an empty list. */
  attachments?: Record<string, unknown>[]
  /**
   * Blocks of Block Kit in place of all before; none with an empty list.
   * At most 50 elements.
   */
  blocks?: Record<string, unknown>[]
  /** Ids of the files of the message. */
  file_ids?: string[]
  link_names?: LinkNames
  markdown_text?: MarkdownText
  metadata?: Metadata
  /** How text is read. Slack takes client by default, whatever was sent before. */
  parse?: "full" | "none"
  /** Whether an existing reply is shown in the conversation as well. */
  reply_broadcast?: boolean
  text?: Text
}
export interface PinsCreateParams {
  channel: Channel
  timestamp: Ts
}
export interface PinsCreateResult {
  ok: boolean
  [member: string]: unknown
}
export interface PinsDeleteParams {
  channel: Channel
  timestamp: Ts
}
export interface PinsListParams {
  channel: Channel
}
export interface ReactionsCreateParams {
  channel: Channel
  name: EmojiName
  timestamp: Ts
}
export interface ReactionsCreateResult {
  ok: boolean
  [member: string]: unknown
}
export interface ReactionsDeleteParams {
  name: EmojiName
  channel?: Channel
  file?: File
  timestamp?: Ts
}
export interface ReactionsGetParams {
  channel?: Channel
  file?: File
  /** Whether all reactions are listed. */
  full?: boolean
  timestamp?: Ts
}
export interface ReactionsListParams {
  cursor?: Cursor
  /** Whether all reactions are listed. */
  full?: boolean
  limit?: Limit
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
  /** Id of the user. Slack takes the one of the token by default. */
  user?: string
}
export interface ScheduledMessagesCreateParams {
  channel: Channel
  /**
   * When to send it, in seconds since 1970.
   * At least 1.
   */
  post_at: number
  attachments?: Attachments
  blocks?: Blocks
  link_names?: LinkNames
  markdown_text?: MarkdownText
  metadata?: Metadata
  parse?: Parse
  reply_broadcast?: ReplyBroadcast
  text?: Text
  thread_ts?: ThreadTs
  unfurl_links?: UnfurlLinks
  unfurl_media?: UnfurlMedia
}
export interface ScheduledMessagesCreateResult {
  /** In seconds since 1970. */
  post_at: number
  scheduled_message_id: string
  channel?: string
  message?: Record<string, unknown>
  [member: string]: unknown
}
export interface ScheduledMessagesDeleteParams {
  channel: Channel
  /** Id of the scheduled message. */
  scheduled_message_id: string
}
export interface ScheduledMessagesListParams {
  /** Id of a conversation. Slack lists all by default. */
  channel?: string
  cursor?: Cursor
  /** Only those to be sent before this time, in seconds since 1970. */
  latest?: string
  limit?: Limit
  /** Only those to be sent after this time, in seconds since 1970. */
  oldest?: string
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
}
export interface TeamGetParams {
  /** Domain of a workspace of the same organization; used when team is not given. */
  domain?: string
  /** Id of the workspace. Slack takes that of the token by default. */
  team?: string
}
export interface ThreadRepliesListParams {
  channel: Channel
  /** ts of the first message of the thread, or of any message in it. */
  ts: string
  cursor?: Cursor
  include_all_metadata?: AllMetadata
  inclusive?: Inclusive
  latest?: Latest
  /**
   * Page size. Slack takes 1000 by default and sends fewer at times; it advises 200 at most.
   * At least 1, at most 999.
   */
  limit?: number
  oldest?: Oldest
}
export interface UserPresenceGetParams {
  /** Id of the user. Slack takes the one of the token by default. */
  user?: string
}
export interface UserProfilesGetParams {
  /** Whether fields have their labels. Slack answers this far less often. */
  include_labels?: boolean
  /** Id of the user. Slack takes the one of the token by default. */
  user?: string
}
export interface UserProfilesUpdateParams {
  /**
   * Members to set, for example {"status_text":"On holiday","status_emoji":":palm_tree:","status_expiration":0}.
   * At least 1 member.
   */
  profile: {
    display_name?: string
    /** Fields of the workspace: {"Xf0A": {"value": "x", "alt": ""}}. */
    fields?: Record<string, unknown>
    phone?: string
    pronouns?: string
    real_name?: string
    status_emoji?: string
    /**
     * When the status ends, in seconds since 1970; 0 for never.
     * At least 0.
     */
    status_expiration?: number
    /** At most 100 characters. */
    status_text?: string
    title?: string
    [member: string]: unknown
  }
  /** Id of the user. Slack takes the one of the token by default. */
  user?: string
}
export interface UsergroupMembersListParams {
  usergroup: Usergroup
  /** Whether a disabled group is accepted. */
  include_disabled?: boolean
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
}
export interface UsergroupMembersUpdateParams {
  usergroup: Usergroup
  /** Ids of all users of the group, comma-separated. */
  users: string
  /** Whether the answer has the number of users. */
  include_count?: boolean
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
}
export interface UsergroupMembersUpdateResult {
  auto_type?: string | null
  /** Names a record of `users`. */
  created_by?: string
  /** In seconds since 1970. */
  date_create?: number
  /** When it was disabled, in seconds since 1970; 0 for never. */
  date_delete?: number
  /** In seconds since 1970. */
  date_update?: number
  deleted_by?: string | null
  description?: string
  handle?: string
  id?: string
  is_external?: boolean
  is_usergroup?: boolean
  name?: string
  /** Conversations that its members join: channels and groups. */
  prefs?: Record<string, unknown>
  team_id?: string
  /** Names a record of `users`. */
  updated_by?: string
  user_count?: number
  /**
   * Names a record of `users`.
   *
   * Items: Names a record of `users`.
   */
  users?: string[]
  [member: string]: unknown
}
export interface UsergroupsCreateParams {
  /** Name; no other group may have it. */
  name: string
  /** Ids of the channels that members join, comma-separated. */
  channels?: string
  /** Short description. */
  description?: string
  /** Handle for mentions, without @. */
  handle?: string
  /** Whether the answer has the number of users. */
  include_count?: boolean
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
}
export interface UsergroupsDeleteParams {
  usergroup: Usergroup
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
}
export interface UsergroupsListParams {
  /** Whether each group has the number of its users. Slack leaves it out by default. */
  include_count?: boolean
  /** Whether disabled groups are listed. Slack leaves them out by default. */
  include_disabled?: boolean
  /** Whether each group has the ids of its users. Slack leaves them out by default. */
  include_users?: boolean
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
}
export interface UsergroupsUpdateParams {
  usergroup: Usergroup
  /** Ids of the channels that members join, comma-separated; replaces all. */
  channels?: string
  /** New description. */
  description?: string
  /** Enables a group that was disabled (usergroups.delete). */
  enable?: true
  /** New handle. */
  handle?: string
  /** Whether the answer has the number of users. */
  include_count?: boolean
  /** New name. */
  name?: string
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
}
export interface UsersApiSearchParams {
  /**
   * E-mail address of the account.
   * Format email.
   */
  email: string
}
export interface UsersGetParams {
  /** Id of the user. */
  user: string
  /** Whether the answer has the locale. Slack leaves it out by default. */
  include_locale?: boolean
}
export interface UsersListParams {
  cursor?: Cursor
  /** Whether the answer has the locales. Slack leaves them out by default. */
  include_locale?: boolean
  limit?: LimitOfAll
  /** Id of the workspace. Needed with a token of an organization. */
  team_id?: string
}
export interface SlackConfig {
  /**
   * Id of the workspace.
   * Matches `^[TE][A-Z0-9]+$`.
   */
  team_id?: string
}
/**
 * A bot token of an installed Slack app. At api.slack.com/apps make an app, give its bot the scopes of the actions below under OAuth & Permissions, install it to the workspace and copy the Bot User OAuth Token. The bot reads a conversation only after it was invited or has joined.
 */
export interface SlackBotTokenCredentials {
  /**
   * Bot token.
   * Matches `^xox(e\.xox)?b-`.
   */
  bot_token: string
}
/**
 * Installs an app to the workspace and works as its bot, in the channels that it is invited to or joins. Make the app at api.slack.com/apps, enter the redirect address (https) and the bot scopes below under OAuth & Permissions, and take client id and client secret from Basic Information. To be installed in other workspaces it must be distributed (Manage Distribution). Tokens of apps with token rotation end after twelve hours and are refreshed, each time with another refresh token; tokens of other apps do not end and come without one. An installation for a whole organization names no workspace: set team_id.
 */
export interface SlackOauthCredentials {
  /**
   * Bot token.
   * Matches `^xox(e\.xox)?b-`.
   */
  access_token: string
  /** Client id of the Slack app. Needed to refresh. */
  client_id?: string
  /** Client secret of the Slack app. Needed to refresh. */
  client_secret?: string
  /** Refresh token of an app with token rotation. */
  refresh_token?: string
}
/**
 * Works as the person who agrees, with what this person sees. It takes the same app, client id and client secret as for the bot; the scopes below are user token scopes of the app. Tokens end only for apps with token rotation.
 */
export interface SlackOauthUserCredentials {
  /**
   * User token.
   * Matches `^xox(e\.xox)?p-`.
   */
  access_token: string
  /** Client id of the Slack app. Needed to refresh. */
  client_id?: string
  /** Client secret of the Slack app. Needed to refresh. */
  client_secret?: string
  /** Refresh token of an app with token rotation. */
  refresh_token?: string
}
/**
 * A token with which an app acts as one person. It is on the same page of the app, called User OAuth Token, once the app has user token scopes: those of the actions below, and channels:write in place of channels:manage and channels:join. Searches, changes of a profile and bringing archived channels back work with a user token only.
 */
export interface SlackUserTokenCredentials {
  /**
   * User token.
   * Matches `^xox(e\.xox)?p-`.
   */
  user_token: string
}

/** Own account */
export interface SlackAccount {
  /**
   * Who the token belongs to
   * The user or bot of the token and its workspace.
   * @see https://docs.slack.dev/reference/methods
   */
  get(params?: AccountGetParams, options?: CallOptions): Promise<Result<AccountRecord>>
}

/** Archiving closes a channel and keeps what is in it. */
export interface SlackArchivedConversations {
  /**
   * Archive a channel
   * Closes a channel to new messages.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: ArchivedConversationsCreateParams, options?: CallOptions): Promise<Result<ArchivedConversationsCreateResult>>
  /**
   * Bring an archived channel back
   * Opens an archived channel again. Slack allows it with user tokens only.
   * @see https://docs.slack.dev/reference/methods
   */
  delete(params: ArchivedConversationsDeleteParams, options?: CallOptions): Promise<Result<null>>
}

export interface BookmarksListMeta {}

/** What `bookmarks.search` can filter and sort by. */
export interface BookmarksSearchFields {
  channel_id: string
  id: string
  link: string
  title: string
  type: string
}

/** Links in the bar of a conversation. */
export interface SlackBookmarks {
  /**
   * Add a bookmark
   * Adds a link to the bar of a conversation and answers with it.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: BookmarksCreateParams, options?: CallOptions): Promise<Result<BookmarksRecord>>
  /**
   * Remove a bookmark
   * Takes a bookmark out of the bar of a conversation.
   * @see https://docs.slack.dev/reference/methods
   */
  delete(params: BookmarksDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * List the bookmarks of a conversation
   * All bookmarks of a conversation.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params: BookmarksListParams, options?: CallOptions): PageCall<BookmarksRecord, BookmarksListMeta>
  /**
   * Change a bookmark
   * Only what is given changes. Answers with the bookmark.
   * @see https://docs.slack.dev/reference/methods
   */
  update(params: BookmarksUpdateParams, options?: CallOptions): Promise<Result<BookmarksRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<BookmarksSearchFields>, options?: CallOptions): SearchCall<BookmarksSearchFields>
}

export interface ConversationMembersListMeta {}

/** Members of a conversation */
export interface SlackConversationMembers {
  /**
   * Invite users to a conversation
   * Adds users to a channel and answers with the channel.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: ConversationMembersCreateParams, options?: CallOptions): Promise<Result<ConversationMembersCreateResult>>
  /**
   * Remove a user from a conversation
   * Takes a user out of a channel.
   * @see https://docs.slack.dev/reference/methods
   */
  delete(params: ConversationMembersDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * List the members of a conversation
   * Ids of the users in a conversation. Slack answers with the ids alone; here each is a record.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params: ConversationMembersListParams, options?: CallOptions): PageCall<ConversationMembersRecord, ConversationMembersListMeta>
}

export interface ConversationsListMeta {}

/** What `conversations.search` can filter and sort by. */
export interface ConversationsSearchFields {
  created: number
  creator: string
  id: string
  is_archived: boolean
  is_channel: boolean
  is_ext_shared: boolean
  is_general: boolean
  is_group: boolean
  is_im: boolean
  is_member: boolean
  is_mpim: boolean
  is_private: boolean
  name: string
  num_members: number
  purpose: Record<string, unknown>
  topic: Record<string, unknown>
  user: string
}

/** Public and private channels, group messages and direct messages. */
export interface SlackConversations {
  /**
   * Create a channel
   * Creates a public or private channel and answers with it. The bot or user of the token becomes its first member.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: ConversationsCreateParams, options?: CallOptions): Promise<Result<ConversationsRecord>>
  /**
   * Get one conversation
   * Reads one conversation by id.
   * @see https://docs.slack.dev/reference/methods
   */
  get(params: ConversationsGetParams, options?: CallOptions): Promise<Result<ConversationsRecord>>
  /**
   * List conversations
   * Conversations of the workspace that the token may see. Without types, public channels only.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params?: ConversationsListParams, options?: CallOptions): PageCall<ConversationsRecord, ConversationsListMeta>
  /**
   * Rename a conversation, or set its topic or purpose
   * Each of the three is a request of its own, in this order; if one fails, the error says which were applied. Answers with the conversation.
   * @see https://docs.slack.dev/reference/methods
   */
  update(params: ConversationsUpdateParams, options?: CallOptions): Promise<Result<ConversationsRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<ConversationsSearchFields>, options?: CallOptions): SearchCall<ConversationsSearchFields>
}

/** Conversations with one person, or with a few. */
export interface SlackDirectMessages {
  /**
   * Open a direct message
   * Opens the conversation with one user, or a group message with several, and answers with it. The same users give the same conversation.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params?: DirectMessagesCreateParams, options?: CallOptions): Promise<Result<DirectMessagesRecord>>
  /**
   * Close a direct message
   * Takes a direct or group message out of the list of the user. Its messages are kept.
   * @see https://docs.slack.dev/reference/methods
   */
  delete(params: DirectMessagesDeleteParams, options?: CallOptions): Promise<Result<null>>
}

export interface EmojiListMeta {}

/** What `emoji.search` can filter and sort by. */
export interface EmojiSearchFields {
  name: string
  value: string
}

/** The workspace's own emoji. */
export interface SlackEmoji {
  /**
   * List the emoji of the workspace
   * Names and pictures of all emoji that the workspace has added.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params?: EmojiListParams, options?: CallOptions): PageCall<EmojiRecord, EmojiListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<EmojiSearchFields>, options?: CallOptions): SearchCall<EmojiSearchFields>
}

/** Messages for one person */
export interface SlackEphemeralMessages {
  /**
   * Show a message to one person
   * Shows a message in a conversation to one member of it. It cannot be read, changed or deleted later.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: EphemeralMessagesCreateParams, options?: CallOptions): Promise<Result<EphemeralMessagesRecord>>
}

export interface FilesListMeta {
  total: unknown
}

/** What `files.search` can filter and sort by. */
export interface FilesSearchFields {
  channels: readonly unknown[]
  created: number
  filetype: string
  id: string
  is_external: boolean
  is_public: boolean
  mimetype: string
  mode: string
  name: string
  permalink: string
  size: number
  title: string
  user: string
}

/** Files */
export interface SlackFiles {
  /**
   * Upload a file
   * Asks Slack for an address, sends the bytes there and finishes the upload, which also shares the file when a conversation is given. Answers with the file. If the last step fails, nothing is shared and Slack forgets the bytes.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: FilesCreateParams, options?: CallOptions): Promise<Result<FilesRecord>>
  /**
   * Delete a file
   * Deletes a file everywhere. A bot deletes its own only.
   * @see https://docs.slack.dev/reference/methods
   */
  delete(params: FilesDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Download a file
   * Streams the bytes of a file. Files that lie elsewhere (mode external) have none here.
   * @see https://docs.slack.dev/reference/methods
   */
  download(params: FilesDownloadParams, options?: CallOptions): Promise<Download>
  /**
   * Get one file
   * Reads what is known of a file. files.download reads the file itself.
   * @see https://docs.slack.dev/reference/methods
   */
  get(params: FilesGetParams, options?: CallOptions): Promise<Result<FilesRecord>>
  /**
   * List files
   * Files that the token may see, newest first.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params?: FilesListParams, options?: CallOptions): PageCall<FilesRecord, FilesListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<FilesSearchFields>, options?: CallOptions): SearchCall<FilesSearchFields>
}

export interface JoinedConversationsListMeta {}

/** The conversations that the bot or user of the token, or another user, is a member of. */
export interface SlackJoinedConversations {
  /**
   * Join a public channel
   * The bot or user of the token joins a public channel. Answers with the channel, also for a member.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: JoinedConversationsCreateParams, options?: CallOptions): Promise<Result<JoinedConversationsRecord>>
  /**
   * Leave a conversation
   * The bot or user of the token leaves a channel.
   * @see https://docs.slack.dev/reference/methods
   */
  delete(params: JoinedConversationsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * List the conversations of a user
   * Conversations that a user is a member of. Without types, public channels only.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params?: JoinedConversationsListParams, options?: CallOptions): PageCall<JoinedConversationsRecord, JoinedConversationsListMeta>
}

/** Links to messages */
export interface SlackMessageLinks {
  /**
   * Get the address of a message
   * The address under which people open a message in Slack.
   * @see https://docs.slack.dev/reference/methods
   */
  get(params: MessageLinksGetParams, options?: CallOptions): Promise<Result<MessageLinksRecord>>
}

export interface MessagesApiSearchMeta {
  total: unknown
}

export interface MessagesListMeta {}

/** What `messages.search` can filter and sort by. */
export interface MessagesSearchFields {
  bot_id: string
  channel: string
  edited: Record<string, unknown>
  files: readonly unknown[]
  latest_reply: string
  reactions: readonly unknown[]
  reply_count: number
  reply_users: readonly unknown[]
  sent_at: string
  subtype: string
  text: string
  thread_ts: string
  ts: string
  type: string
  user: string
}

/**
 * Messages of a conversation, without the replies in its threads (thread_replies). A message is named by its conversation and its ts, a text of seconds since 1970 with six decimals.
 */
export interface SlackMessages {
  /**
   * Search messages
   * Messages of all conversations of a person that match a query such as: in:#orders from:@maren invoice. Slack searches with user tokens only.
   * @see https://docs.slack.dev/reference/methods
   */
  api_search(params: MessagesApiSearchParams, options?: CallOptions): PageCall<MessagesApiSearchResult, MessagesApiSearchMeta>
  /**
   * Send a message
   * Posts a message to a conversation, or a reply to a thread, and answers with it. Slack takes one message a second per conversation.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: MessagesCreateParams, options?: CallOptions): Promise<Result<MessagesRecord>>
  /**
   * Delete a message
   * Deletes a message. A bot deletes its own only.
   * @see https://docs.slack.dev/reference/methods
   */
  delete(params: MessagesDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get one message
   * Reads one message of a conversation by its ts. A reply in a thread is not found here (thread_replies.list).
   * @see https://docs.slack.dev/reference/methods
   */
  get(params: MessagesGetParams, options?: CallOptions): Promise<Result<MessagesRecord>>
  /**
   * List the messages of a conversation
   * Messages from the newest on. A bot must be a member. For apps that are sold outside the Slack Marketplace Slack lowers the page size to 15 and allows one call a minute.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params: MessagesListParams, options?: CallOptions): PageCall<MessagesRecord, MessagesListMeta>
  /**
   * Change a message
   * Replaces the content of a message that the token has sent, and answers with it. Blocks, attachments and metadata that are not given stay.
   * @see https://docs.slack.dev/reference/methods
   */
  update(params: MessagesUpdateParams, options?: CallOptions): Promise<Result<MessagesRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<MessagesSearchFields>, options?: CallOptions): SearchCall<MessagesSearchFields>
}

export interface PinsListMeta {}

/** Pins */
export interface SlackPins {
  /**
   * Pin a message
   * Pins a message to its conversation.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: PinsCreateParams, options?: CallOptions): Promise<Result<PinsCreateResult>>
  /**
   * Take a pin off
   * Takes the pin off a message.
   * @see https://docs.slack.dev/reference/methods
   */
  delete(params: PinsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * List what is pinned to a conversation
   * Pinned messages and files of a conversation.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params: PinsListParams, options?: CallOptions): PageCall<PinsRecord, PinsListMeta>
}

export interface ReactionsListMeta {}

/** Emoji under messages and files. channel and timestamp name a message, file a file. */
export interface SlackReactions {
  /**
   * React to a message
   * Adds an emoji to a message.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: ReactionsCreateParams, options?: CallOptions): Promise<Result<ReactionsCreateResult>>
  /**
   * Take a reaction back
   * Takes an emoji of the bot or user of the token off a message or a file.
   * @see https://docs.slack.dev/reference/methods
   */
  delete(params: ReactionsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * Get the reactions to a message or a file
   * The message or file with the reactions to it.
   * @see https://docs.slack.dev/reference/methods
   */
  get(params?: ReactionsGetParams, options?: CallOptions): Promise<Result<ReactionsRecord>>
  /**
   * List what a user has reacted to
   * Messages and files with a reaction of the user, each with all reactions to it.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params?: ReactionsListParams, options?: CallOptions): PageCall<ReactionsRecord, ReactionsListMeta>
}

export interface ScheduledMessagesListMeta {}

/** Scheduled messages */
export interface SlackScheduledMessages {
  /**
   * Schedule a message
   * Sends a message at a time within the next 120 days, and answers with the id by which it can be deleted before.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: ScheduledMessagesCreateParams, options?: CallOptions): Promise<Result<ScheduledMessagesCreateResult>>
  /**
   * Delete a scheduled message
   * Takes a message back that is not sent yet. Slack refuses this within the last 60 seconds.
   * @see https://docs.slack.dev/reference/methods
   */
  delete(params: ScheduledMessagesDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * List scheduled messages
   * Messages that this app has scheduled and that are not sent yet.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params?: ScheduledMessagesListParams, options?: CallOptions): PageCall<ScheduledMessagesRecord, ScheduledMessagesListMeta>
}

/** Workspace */
export interface SlackTeam {
  /**
   * Get a workspace
   * The workspace of the token, or another one of the same organization.
   * @see https://docs.slack.dev/reference/methods
   */
  get(params?: TeamGetParams, options?: CallOptions): Promise<Result<TeamRecord>>
}

export interface ThreadRepliesListMeta {}

/** Replies in a thread */
export interface SlackThreadReplies {
  /**
   * List the messages of a thread
   * The first message of a thread and its replies, oldest first. For apps that are sold outside the Slack Marketplace Slack lowers the page size to 15 and allows one call a minute.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params: ThreadRepliesListParams, options?: CallOptions): PageCall<ThreadRepliesRecord, ThreadRepliesListMeta>
}

/** Presence of users */
export interface SlackUserPresence {
  /**
   * Whether a user is active
   * The presence of a user. Slack tells more than presence only of the user of the token.
   * @see https://docs.slack.dev/reference/methods
   */
  get(params?: UserPresenceGetParams, options?: CallOptions): Promise<Result<UserPresenceRecord>>
}

/** Profiles of users */
export interface SlackUserProfiles {
  /**
   * Get the profile of a user
   * Name, status, pictures and fields of the workspace's own.
   * @see https://docs.slack.dev/reference/methods
   */
  get(params?: UserProfilesGetParams, options?: CallOptions): Promise<Result<UserProfilesRecord>>
  /**
   * Change a profile
   * Sets the given members and answers with the profile. Slack takes it with user tokens only; the profile of another user needs an administrator.
   * @see https://docs.slack.dev/reference/methods
   */
  update(params: UserProfilesUpdateParams, options?: CallOptions): Promise<Result<UserProfilesRecord | null>>
}

export interface UsergroupMembersListMeta {}

/** Members of a user group */
export interface SlackUsergroupMembers {
  /**
   * List the users of a user group
   * Ids of the users of a group. Slack answers with the ids alone; here each is a record.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params: UsergroupMembersListParams, options?: CallOptions): PageCall<UsergroupMembersRecord, UsergroupMembersListMeta>
  /**
   * Replace the users of a user group
   * The given users become the group, all others leave it. Answers with the group.
   * @see https://docs.slack.dev/reference/methods
   */
  update(params: UsergroupMembersUpdateParams, options?: CallOptions): Promise<Result<UsergroupMembersUpdateResult | null>>
}

export interface UsergroupsListMeta {}

/** What `usergroups.search` can filter and sort by. */
export interface UsergroupsSearchFields {
  created_by: string
  date_create: number
  date_delete: number
  date_update: number
  description: string
  handle: string
  id: string
  name: string
  user_count: number
  users: readonly unknown[]
}

/** Groups of people that can be mentioned together, of paid workspaces. */
export interface SlackUsergroups {
  /**
   * Create a user group
   * Creates a user group without users and answers with it.
   * @see https://docs.slack.dev/reference/methods
   */
  create(params: UsergroupsCreateParams, options?: CallOptions): Promise<Result<UsergroupsRecord>>
  /**
   * Disable a user group
   * Slack keeps a disabled group; usergroups.update enables it again.
   * @see https://docs.slack.dev/reference/methods
   */
  delete(params: UsergroupsDeleteParams, options?: CallOptions): Promise<Result<null>>
  /**
   * List user groups
   * All user groups of the workspace.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params?: UsergroupsListParams, options?: CallOptions): PageCall<UsergroupsRecord, UsergroupsListMeta>
  /**
   * Change a user group, or enable it again
   * Only what is given changes. Enabling comes first, as a request of its own. Answers with the group.
   * @see https://docs.slack.dev/reference/methods
   */
  update(params: UsergroupsUpdateParams, options?: CallOptions): Promise<Result<UsergroupsRecord | null>>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<UsergroupsSearchFields>, options?: CallOptions): SearchCall<UsergroupsSearchFields>
}

export interface UsersApiSearchMeta {}

export interface UsersListMeta {}

/** What `users.search` can filter and sort by. */
export interface UsersSearchFields {
  deleted: boolean
  id: string
  is_admin: boolean
  is_bot: boolean
  is_owner: boolean
  is_restricted: boolean
  name: string
  profile: Record<string, unknown>
  real_name: string
  tz: string
  updated: number
}

/** People, guests and bots of the workspace, deactivated ones as well. */
export interface SlackUsers {
  /**
   * Find a user by e-mail address
   * The user with an e-mail address, or nobody.
   * @see https://docs.slack.dev/reference/methods
   */
  api_search(params: UsersApiSearchParams, options?: CallOptions): PageCall<UsersRecord, UsersApiSearchMeta>
  /**
   * Get one user
   * Reads one user by id.
   * @see https://docs.slack.dev/reference/methods
   */
  get(params: UsersGetParams, options?: CallOptions): Promise<Result<UsersRecord>>
  /**
   * List all users
   * All users of the workspace.
   * @see https://docs.slack.dev/reference/methods
   */
  list(params?: UsersListParams, options?: CallOptions): PageCall<UsersRecord, UsersListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<UsersSearchFields>, options?: CallOptions): SearchCall<UsersSearchFields>
}

/** Its entities, also for `execute`. */
export interface SlackEntities {
  readonly account: SlackAccount
  readonly archived_conversations: SlackArchivedConversations
  readonly bookmarks: SlackBookmarks
  readonly conversation_members: SlackConversationMembers
  readonly conversations: SlackConversations
  readonly direct_messages: SlackDirectMessages
  readonly emoji: SlackEmoji
  readonly ephemeral_messages: SlackEphemeralMessages
  readonly files: SlackFiles
  readonly joined_conversations: SlackJoinedConversations
  readonly message_links: SlackMessageLinks
  readonly messages: SlackMessages
  readonly pins: SlackPins
  readonly reactions: SlackReactions
  readonly scheduled_messages: SlackScheduledMessages
  readonly team: SlackTeam
  readonly thread_replies: SlackThreadReplies
  readonly user_presence: SlackUserPresence
  readonly user_profiles: SlackUserProfiles
  readonly usergroup_members: SlackUsergroupMembers
  readonly usergroups: SlackUsergroups
  readonly users: SlackUsers
}

/**
 * Conversations, messages, threads, users, files, reactions, pins, bookmarks, user groups and emoji of a Slack workspace.
 * @see https://docs.slack.dev/reference/methods
 */
export interface Slack extends ConnectorOf<SlackEntities>, SlackEntities {}

export type SlackCredentials = SlackBotTokenCredentials | SlackOauthCredentials | SlackOauthUserCredentials | SlackUserTokenCredentials

export interface SlackSettings {
  credentials: SlackCredentials
  config: SlackConfig
}

declare module 'tenon' {
  interface Connectors {
    slack: Slack
  }
}
