// Made by `tenon types` (format 4) from gong 1.0.0. Do not edit.
// manifest sha256-994974501b1aeeda1e17730fced0a1ddf0dd2190973b257139a02f52d1cd065d
/* eslint-disable */ /* oxlint-disable */

import type { CallOptions, ConnectorOf, Download, PageCall, Result, SearchCall, SearchParams } from 'tenon'

/** The cursor that came with the page before (meta.pagination.cursor). Leave out for the first page. */
export type Cursor = string

export interface CallTranscriptsRecord {
  /** Names a record of `calls`. */
  callId?: string
  /**
   * One element per turn of a speaker. Its speakerId matches parties[].speakerId of calls_extensive; sentences carry start and end in milliseconds.
   */
  transcript?: Record<string, unknown>[]
  [member: string]: unknown
}
export interface CallsRecord {
  calendarEventId?: string | null
  clientUniqueId?: string | null
  customData?: string | null
  /** Inbound, Outbound, Conference or Unknown. */
  direction?: string
  /**
   * How long the call took.
   * In seconds.
   */
  duration?: number
  id?: string
  /** Private calls are listed when the credentials may see them. */
  isPrivate?: boolean
  language?: string
  /** Video or Audio. */
  media?: string
  meetingUrl?: string
  /** Names a record of `users`. */
  primaryUserId?: string
  purpose?: string | null
  scheduled?: string
  /** Internal, External or Unknown. */
  scope?: string
  sdrDisposition?: string | null
  started?: string
  system?: string
  title?: string
  url?: string
  workspaceId?: string
  [member: string]: unknown
}
export interface CallsExtensiveRecord {
  collaboration?: Record<string, unknown>
  content?: Record<string, unknown>
  interaction?: Record<string, unknown>
  /** Signed addresses of the recordings. They work for 8 hours. */
  media?: Record<string, unknown>
  /** Id, title, time, duration and the other members of a call. */
  metaData?: {
    /**
     * How long the call took.
     * In seconds.
     */
    duration?: number
    /** Names a record of `users`. */
    primaryUserId?: string
    [member: string]: unknown
  }
  parties?: Record<string, unknown>[]
  [member: string]: unknown
}
export interface CoachingRecord {
  /** Only if Gong sends it. */
  coachingMetrics?: {
    callsAttended?: number
    callsListened?: number
    callsWithComments?: number
    callsWithFeedback?: number
    scorecardsFilled?: number
    [member: string]: unknown
  }
  /** One element per direct report, with report (the user) and metrics (call ids by kind of coaching). */
  directReportsMetrics?: Record<string, unknown>[]
  /** Only if Gong sends it. */
  isManager?: boolean
  /** Id, e-mail address, names and title of the manager. */
  manager?: Record<string, unknown>
  /** Only if Gong sends it. */
  userEmailAddress?: string
  /**
   * Only if Gong sends it.
   * Names a record of `users`.
   */
  userId?: string
  /** Only if Gong sends it. */
  userName?: string
  [member: string]: unknown
}
export interface LibraryFolderContentRecord {
  addedBy?: string
  /**
   * The id of the call.
   * Names a record of `calls`.
   */
  callId?: string
  created?: string
  /** Only if Gong sends it. */
  duration?: number
  /** The same as callId. */
  id?: string
  note?: string
  /**
   * Only if Gong sends it.
   * Names a record of `users`.
   */
  primaryUserId?: string
  snippet?: {
    fromSec?: number
    toSec?: number
    [member: string]: unknown
  }
  /** Only if Gong sends it. */
  started?: string
  title?: string
  url?: string
  [member: string]: unknown
}
export interface LibraryFoldersRecord {
  createdBy?: string | null
  id?: string
  name?: string
  parentFolderId?: string | null
  updated?: string
  [member: string]: unknown
}
export interface SettingsScorecardsRecord {
  created?: string
  enabled?: boolean
  questions?: {
    /** Gong may send the text as answerGuide instead. */
    answerGuid?: string | null
    /** Gong's own spelling of answerGuid. */
    answerGuide?: string | null
    answerOptions?: Record<string, unknown>[]
    created?: string
    isOverall?: boolean
    isRequired?: boolean
    /** Text or an integer, as Gong sends it. */
    maxRange?: string | number | null
    /** Text or an integer, as Gong sends it. */
    minRange?: string | number | null
    /** 64-bit integer; as text where a double would lose digits. */
    questionId?: string
    /** 64-bit integer; as text where a double would lose digits. */
    questionRevisionId?: string
    questionText?: string
    questionType?: string
    updated?: string
    /**
     * 64-bit integer; as text where a double would lose digits.
     * Names a record of `users`.
     */
    updaterUserId?: string
    [member: string]: unknown
  }[]
  reviewMethod?: string
  /** 64-bit integer; as text where a double would lose digits. */
  scorecardId?: string
  scorecardName?: string
  updated?: string
  /**
   * 64-bit integer; as text where a double would lose digits.
   * Names a record of `users`.
   */
  updaterUserId?: string
  /** 64-bit integer; as text where a double would lose digits. */
  workspaceId?: string | null
  [member: string]: unknown
}
export interface SettingsTrackersRecord {
  affiliation?: string
  created?: string
  /** Names a record of `users`. */
  creatorUserId?: string | null
  filterQuery?: string
  languageKeywords?: Record<string, unknown>[]
  partOfQuestion?: boolean
  saidAt?: string
  /** Gong sends an integer. */
  saidAtInterval?: string | number | null
  saidAtUnit?: string | null
  saidInCallParts?: string[]
  saidInTopics?: string[]
  trackerId?: string
  trackerName?: string
  updated?: string
  /** Names a record of `users`. */
  updaterUserId?: string | null
  workspaceId?: string | null
  [member: string]: unknown
}
export interface StatsActivityAggregateRecord {
  userAggregateActivityStats?: {
    callsAsHost?: number
    callsAttended?: number
    callsCommentsGiven?: number
    callsCommentsReceived?: number
    callsGaveFeedback?: number
    callsMarkedAsFeedbackGiven?: number
    callsMarkedAsFeedbackReceived?: number
    callsReceivedFeedback?: number
    callsRequestedFeedback?: number
    callsScorecardsFilled?: number
    callsScorecardsReceived?: number
    callsSharedExternally?: number
    callsSharedInternally?: number
    othersCallsListenedTo?: number
    ownCallsListenedTo?: number
    [member: string]: unknown
  }
  userEmailAddress?: string
  /** Names a record of `users`. */
  userId?: string
  [member: string]: unknown
}
export interface StatsActivityDayByDayRecord {
  /** One element per day; the arrays hold call ids. */
  userDailyActivityStats?: {
    callsAsHost?: string[]
    callsAttended?: string[]
    callsCommentsGiven?: string[]
    callsCommentsReceived?: string[]
    callsGaveFeedback?: string[]
    callsMarkedAsFeedbackGiven?: string[]
    callsMarkedAsFeedbackReceived?: string[]
    callsReceivedFeedback?: string[]
    callsRequestedFeedback?: string[]
    callsScorecardsFilled?: string[]
    callsScorecardsReceived?: string[]
    callsSharedExternally?: string[]
    callsSharedInternally?: string[]
    fromDate?: string
    othersCallsListenedTo?: string[]
    ownCallsListenedTo?: string[]
    toDate?: string
    [member: string]: unknown
  }[]
  userEmailAddress?: string
  /** Names a record of `users`. */
  userId?: string
  [member: string]: unknown
}
export interface StatsActivityScorecardsRecord {
  answeredDateTime?: string
  /** 64-bit integer; as text where a double would lose digits. */
  answeredScorecardId?: string
  answers?: {
    answer?: string
    answerText?: string | null
    isOverall?: boolean
    notApplicable?: boolean
    /** 64-bit integer; as text where a double would lose digits. */
    questionId?: string
    /** 64-bit integer; as text where a double would lose digits. */
    questionRevisionId?: string
    score?: number
    selectedOptions?: unknown[] | null
    [member: string]: unknown
  }[]
  /**
   * 64-bit integer; as text where a double would lose digits.
   * Names a record of `calls`.
   */
  callId?: string
  callStartTime?: string
  /**
   * 64-bit integer; as text where a double would lose digits.
   * Names a record of `users`.
   */
  editorUserId?: string | null
  overallScore?: number
  reviewMethod?: string
  reviewTime?: string
  /**
   * 64-bit integer; as text where a double would lose digits.
   * Names a record of `users`.
   */
  reviewedUserId?: string
  /**
   * 64-bit integer; as text where a double would lose digits.
   * Names a record of `users`.
   */
  reviewerUserId?: string
  /**
   * 64-bit integer; as text where a double would lose digits.
   * Names a record of `settings_scorecards`.
   */
  scorecardId?: string
  scorecardName?: string
  visibility?: string
  visibilityType?: string
  [member: string]: unknown
}
export interface StatsInteractionRecord {
  personInteractionStats?: {
    name?: string
    value?: number
    [member: string]: unknown
  }[]
  userEmailAddress?: string
  /** Names a record of `users`. */
  userId?: string
  [member: string]: unknown
}
export interface UsersRecord {
  active?: boolean
  created?: string
  emailAddress?: string
  emailAliases?: string[]
  extension?: string | null
  firstName?: string
  id?: string
  lastName?: string
  /** Names a record of `users`. */
  managerId?: string | null
  meetingConsentPageUrl?: string | null
  personalMeetingUrls?: string[]
  phoneNumber?: string | null
  settings?: Record<string, unknown>
  spokenLanguages?: Record<string, unknown>[]
  title?: string | null
  trustedEmailAddress?: string | null
  [member: string]: unknown
}
export interface WorkspacesRecord {
  description?: string
  id?: string
  name?: string
  /** The same as id. */
  workspaceId?: string
  [member: string]: unknown
}
/** What comes back beside metaData. */
export interface ContentSelector {
  /** Adds context, the objects of connected systems. */
  context?: "Extended"
  /**
   * Which state of the connected systems to report; Gong takes Now by default. Only with context Extended.
   */
  contextTiming?: ("Now" | "TimeOfCall")[]
  exposedFields?: ExposedFields
}
export interface DayStatsParams {
  cursor?: Cursor
  /**
   * Which days and users.
   * @default {}
   */
  filter?: {
    /**
     * First day, in the company's time zone. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    fromDate?: string
    /**
     * Day after the last day, in the company's time zone; not after today. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    toDate?: string
    /**
     * Only these users.
     * At least 1 element.
     */
    userIds?: string[]
  }
  [member: string]: unknown
}
/** Parts of a call to send. Each is left out unless true. */
export interface ExposedFields {
  collaboration?: {
    publicComments?: boolean
  }
  content?: {
    brief?: boolean
    callOutcome?: boolean
    highlights?: boolean
    keyPoints?: boolean
    outline?: boolean
    /**
     * @deprecated
     * Replaced by highlights.
     */
    pointsOfInterest?: boolean
    structure?: boolean
    topics?: boolean
    /** Goes together with trackers. */
    trackerOccurrences?: boolean
    trackers?: boolean
  }
  interaction?: {
    /** Comes back as interaction.interactionStats. */
    personInteractionStats?: boolean
    questions?: boolean
    speakers?: boolean
    video?: boolean
  }
  /** Signed addresses of audio and video, good for 8 hours. Needs the scope api:calls:read:media-url. */
  media?: boolean
  /** Participants of the call. */
  parties?: boolean
}
export interface MediaParams {
  /** Must ask for the media. */
  contentSelector: {
    exposedFields: {
      /** Must be true; without it Gong sends no address of the file. */
      media: true
    }
  }
  /** Which call. */
  filter: {
    /**
     * The id of exactly one call.
     * At least 1 element, at most 1 element.
     */
    callIds: string[]
  }
  /**
   * Part of the file: bytes=<start>-<end>, bytes=<start>- or bytes=-<last bytes>.
   * Matches `^bytes=(\d+-\d*|-\d+)$`.
   */
  range_header?: string
  [member: string]: unknown
}
export interface CallAudioDownloadParams {
  /** Must ask for the media. */
  contentSelector: {
    exposedFields: {
      /** Must be true; without it Gong sends no address of the file. */
      media: true
    }
  }
  /** Which call. */
  filter: {
    /**
     * The id of exactly one call.
     * At least 1 element, at most 1 element.
     */
    callIds: string[]
  }
  /**
   * Part of the file: bytes=<start>-<end>, bytes=<start>- or bytes=-<last bytes>.
   * Matches `^bytes=(\d+-\d*|-\d+)$`.
   */
  range_header?: string
}
export interface CallTranscriptsListParams {
  cursor?: Cursor
  /**
   * Which calls.
   * @default {}
   */
  filter?: {
    /**
     * Only these calls. Together with times both conditions apply.
     * At least 1 element.
     */
    callIds?: string[]
    /**
     * Calls that started at this time or later. ISO 8601 with offset or Z; a day is its midnight in UTC. Not needed with callIds.
     * ISO 8601 time with offset, or day.
     */
    fromDateTime?: string
    /**
     * Calls that started before this time. ISO 8601 with offset or Z; a day is its midnight in UTC. Not needed with callIds.
     * ISO 8601 time with offset, or day.
     */
    toDateTime?: string
  }
}
export interface CallVideoDownloadParams {
  /** Must ask for the media. */
  contentSelector: {
    exposedFields: {
      /** Must be true; without it Gong sends no address of the file. */
      media: true
    }
  }
  /** Which call. */
  filter: {
    /**
     * The id of exactly one call.
     * At least 1 element, at most 1 element.
     */
    callIds: string[]
  }
  /**
   * Part of the file: bytes=<start>-<end>, bytes=<start>- or bytes=-<last bytes>.
   * Matches `^bytes=(\d+-\d*|-\d+)$`.
   */
  range_header?: string
}
export interface CallsGetParams {
  /** Call id. */
  id: string
}
export interface CallsListParams {
  cursor?: Cursor
  /**
   * Calls that started at this time or later. ISO 8601 with offset or Z; a day is its midnight in UTC.
   * ISO 8601 time with offset, or day.
   */
  fromDateTime?: string
  /**
   * Calls that started before this time. ISO 8601 with offset or Z; a day is its midnight in UTC.
   * ISO 8601 time with offset, or day.
   */
  toDateTime?: string
}
export interface CallsExtensiveListParams {
  /** Which calls. May be empty. */
  filter: {
    /**
     * Only these calls.
     * At least 1 element.
     */
    callIds?: string[]
    /**
     * Calls that started at this time or later. ISO 8601 with offset or Z; a day is its midnight in UTC.
     * ISO 8601 time with offset, or day.
     */
    fromDateTime?: string
    /**
     * Calls that started before this time. ISO 8601 with offset or Z; a day is its midnight in UTC.
     * ISO 8601 time with offset, or day.
     */
    toDateTime?: string
    /** Only calls of this workspace. */
    workspaceId?: string
  }
  contentSelector?: ContentSelector
  cursor?: Cursor
}
export interface CoachingListParams {
  /**
   * Start of the period. ISO 8601 with offset or Z; a day is its midnight in UTC.
   * ISO 8601 time with offset, or day.
   */
  from: string
  /** User id of the manager. */
  "manager-id": string
  /**
   * End of the period. ISO 8601 with offset or Z; a day is its midnight in UTC.
   * ISO 8601 time with offset, or day.
   */
  to: string
  /** Workspace id. */
  "workspace-id": string
}
export interface LibraryFolderContentListParams {
  /** Id of a folder from library_folders. */
  folderId: string
  cursor?: Cursor
}
export interface LibraryFoldersListParams {
  /** Workspace whose folders are listed. */
  workspaceId: string
}
export interface SettingsScorecardsListParams {
  /** Only scorecards of this workspace, as far as Gong heeds it. */
  workspaceId?: string
}
export interface SettingsTrackersListParams {
  /** Only trackers of this workspace. */
  workspaceId?: string
}
export interface StatsActivityAggregateListParams {
  cursor?: Cursor
  /**
   * Which days and users.
   * @default {}
   */
  filter?: {
    /**
     * First day, in the company's time zone. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    fromDate?: string
    /**
     * Day after the last day, in the company's time zone; not after today. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    toDate?: string
    /**
     * Only these users.
     * At least 1 element.
     */
    userIds?: string[]
  }
}
export interface StatsActivityDayByDayListParams {
  cursor?: Cursor
  /**
   * Which days and users.
   * @default {}
   */
  filter?: {
    /**
     * First day, in the company's time zone. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    fromDate?: string
    /**
     * Day after the last day, in the company's time zone; not after today. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    toDate?: string
    /**
     * Only these users.
     * At least 1 element.
     */
    userIds?: string[]
  }
}
export interface StatsActivityScorecardsListParams {
  cursor?: Cursor
  /**
   * Which answered scorecards.
   * @default {}
   */
  filter?: {
    /**
     * First day of the reviewed calls. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    callFromDate?: string
    /**
     * Only reviews of these calls. Applied to each page after it was fetched.
     * At least 1 element.
     */
    callIds?: string[]
    /**
     * Day after the last day of the reviewed calls. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    callToDate?: string
    /**
     * Reviewed on the day of this time or later. ISO 8601 with offset or Z; a day is its midnight in UTC.
     * ISO 8601 time with offset, or day.
     */
    fromDateTime?: string
    /**
     * First review day, instead of fromDateTime. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    reviewFromDate?: string
    /**
     * Reviews by people, automatic ones, or both.
     * @default "BOTH"
     */
    reviewMethod?: "AUTOMATIC" | "MANUAL" | "BOTH"
    /**
     * Day after the last review day, instead of toDateTime. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    reviewToDate?: string
    /**
     * Only reviews of these users.
     * At least 1 element.
     */
    reviewedUserIds?: string[]
    /**
     * Only reviews by these users. Applied to each page after it was fetched.
     * At least 1 element.
     */
    reviewerUserIds?: string[]
    /**
     * Only these scorecards.
     * At least 1 element.
     */
    scorecardIds?: string[]
    /**
     * Reviewed before this time, to the end of its day. ISO 8601 with offset or Z; a day is its midnight in UTC.
     * ISO 8601 time with offset, or day.
     */
    toDateTime?: string
  }
}
export interface StatsInteractionListParams {
  cursor?: Cursor
  /**
   * Which days and users.
   * @default {}
   */
  filter?: {
    /**
     * First day, in the company's time zone. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    fromDate?: string
    /**
     * Day after the last day, in the company's time zone; not after today. YYYY-MM-DD.
     * Date, YYYY-MM-DD.
     */
    toDate?: string
    /**
     * Only these users.
     * At least 1 element.
     */
    userIds?: string[]
  }
}
export interface UsersGetParams {
  /** User id. */
  id: string
}
export interface UsersListParams {
  cursor?: Cursor
}
export interface WorkspacesListParams {}
export interface GongConfig {
  /**
   * Base URL of the customer, shown on Gong's API settings page.
   * URI.
   * @default "https://api.gong.io"
   */
  api_base_url?: string
}
/** An access key and its secret, made by a Gong technical administrator on Gong's API settings page. */
export interface GongAccessKeyCredentials {
  /** Access key. */
  access_key: string
  /** Secret of the access key. */
  access_key_secret: string
}
/**
 * The user who consents must be a Gong technical administrator. A refresh token works once; each refresh returns a new one.
 */
export interface GongOauthCredentials {
  /** Refresh token. Single-use. */
  refresh_token: string
  /** Access token. Without one the first call refreshes. */
  access_token?: string
  /** Client id of the OAuth app. Needed to refresh. */
  client_id?: string
  /** Client secret of the OAuth app. Needed to refresh. */
  client_secret?: string
}

/** Call audio */
export interface GongCallAudio {
  /**
   * Download the audio of one call
   * Streams the audio file of one call, whole or in part.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  download(params: CallAudioDownloadParams, options?: CallOptions): Promise<Download>
}

export interface CallTranscriptsListMeta {
  pagination: { currentPageNumber: number; currentPageSize: number; totalRecords: number; [member: string]: unknown } | null
}

/** Call transcripts */
export interface GongCallTranscripts {
  /**
   * List call transcripts
   * Transcripts of the calls of a period, of chosen calls, or of the chosen calls that lie in the period.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params?: CallTranscriptsListParams, options?: CallOptions): PageCall<CallTranscriptsRecord, CallTranscriptsListMeta>
}

/** Call video */
export interface GongCallVideo {
  /**
   * Download the video of one call
   * Streams the video file of one call, whole or in part. A call that was recorded as audio has none.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  download(params: CallVideoDownloadParams, options?: CallOptions): Promise<Download>
}

export interface CallsListMeta {
  pagination: { currentPageNumber: number; currentPageSize: number; totalRecords: number; [member: string]: unknown } | null
}

/** What `calls.search` can filter and sort by. */
export interface CallsSearchFields {
  calendarEventId: string
  clientUniqueId: string
  customData: string
  direction: string
  duration: number
  id: string
  isPrivate: boolean
  language: string
  media: string
  meetingUrl: string
  primaryUserId: string
  purpose: string
  scheduled: string
  scope: string
  sdrDisposition: string
  started: string
  system: string
  title: string
  url: string
  workspaceId: string
}

/** Calls */
export interface GongCalls {
  /**
   * Get one call
   * Reads the basic data of one call by id.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  get(params: CallsGetParams, options?: CallOptions): Promise<Result<CallsRecord>>
  /**
   * List calls
   * Calls that started within a period. Gong may insist on both bounds; it then answers 400.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params?: CallsListParams, options?: CallOptions): PageCall<CallsRecord, CallsListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<CallsSearchFields>, options?: CallOptions): SearchCall<CallsSearchFields>
}

export interface CallsExtensiveListMeta {
  pagination: { currentPageNumber: number; currentPageSize: number; totalRecords: number; [member: string]: unknown } | null
}

/** What `calls_extensive.search` can filter and sort by. */
export interface CallsExtensiveSearchFields {
  collaboration: Record<string, unknown>
  content: Record<string, unknown>
  context: Record<string, unknown>
  id: number | `${number}`
  interaction: Record<string, unknown>
  media: Record<string, unknown>
  metaData: NonNullable<CallsExtensiveRecord['metaData']>
  parties: readonly unknown[]
  startdatetime: string
}

/** Calls with details */
export interface GongCallsExtensive {
  /**
   * List calls with details
   * Calls with participants, content, interaction, comments and media links. Only metaData comes back unless contentSelector asks for more.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params: CallsExtensiveListParams, options?: CallOptions): PageCall<CallsExtensiveRecord, CallsExtensiveListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<CallsExtensiveSearchFields>, options?: CallOptions): SearchCall<CallsExtensiveSearchFields>
}

export interface CoachingListMeta {}

/** Coaching */
export interface GongCoaching {
  /**
   * List coaching metrics of a manager's team
   * How a manager coached the team within a period. Gong answers with one object per manager; it is delivered as received.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params: CoachingListParams, options?: CallOptions): PageCall<CoachingRecord, CoachingListMeta>
}

export interface LibraryFolderContentListMeta {
  pagination: { currentPageNumber: number; currentPageSize: number; totalRecords: number; [member: string]: unknown } | null
}

/** Library folder content */
export interface GongLibraryFolderContent {
  /**
   * List the calls in a library folder
   * Gong sends a folder in one page as far as is known; a cursor is passed on when given, and meta.pagination is null when Gong sends none.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params: LibraryFolderContentListParams, options?: CallOptions): PageCall<LibraryFolderContentRecord, LibraryFolderContentListMeta>
}

export interface LibraryFoldersListMeta {}

/** Library folders */
export interface GongLibraryFolders {
  /**
   * List library folders
   * The folders of a workspace's call library.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params: LibraryFoldersListParams, options?: CallOptions): PageCall<LibraryFoldersRecord, LibraryFoldersListMeta>
}

export interface SettingsScorecardsListMeta {}

/** What `settings_scorecards.search` can filter and sort by. */
export interface SettingsScorecardsSearchFields {
  created: string
  enabled: boolean
  questions: readonly unknown[]
  scorecardId: string
  scorecardName: string
  updated: string
  updaterUserId: string
  workspaceId: string
}

/** Scorecards */
export interface GongSettingsScorecards {
  /**
   * List scorecards
   * The scorecards that the company has set up, with their questions.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params?: SettingsScorecardsListParams, options?: CallOptions): PageCall<SettingsScorecardsRecord, SettingsScorecardsListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<SettingsScorecardsSearchFields>, options?: CallOptions): SearchCall<SettingsScorecardsSearchFields>
}

export interface SettingsTrackersListMeta {}

/** Trackers */
export interface GongSettingsTrackers {
  /**
   * List keyword trackers
   * The keyword trackers that the company has set up.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params?: SettingsTrackersListParams, options?: CallOptions): PageCall<SettingsTrackersRecord, SettingsTrackersListMeta>
}

export interface StatsActivityAggregateListMeta {
  pagination: { currentPageNumber: number; currentPageSize: number; totalRecords: number; [member: string]: unknown } | null
}

/** Activity totals */
export interface GongStatsActivityAggregate {
  /**
   * List activity totals per user
   * Counts of what each user did over a span of days. Gong wants both days and answers 400 without them.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params?: StatsActivityAggregateListParams, options?: CallOptions): PageCall<StatsActivityAggregateRecord, StatsActivityAggregateListMeta>
}

export interface StatsActivityDayByDayListMeta {
  pagination: { currentPageNumber: number; currentPageSize: number; totalRecords: number; [member: string]: unknown } | null
}

/** Activity by day */
export interface GongStatsActivityDayByDay {
  /**
   * List activity per user and day
   * The calls on which each user was active, day by day. Gong wants both days and answers 400 without them.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params?: StatsActivityDayByDayListParams, options?: CallOptions): PageCall<StatsActivityDayByDayRecord, StatsActivityDayByDayListMeta>
}

export interface StatsActivityScorecardsListMeta {
  pagination: { currentPageNumber: number; currentPageSize: number; totalRecords: number; [member: string]: unknown } | null
}

/** What `stats_activity_scorecards.search` can filter and sort by. */
export interface StatsActivityScorecardsSearchFields {
  answeredScorecardId: string
  answers: readonly unknown[]
  callId: string
  callStartTime: string
  reviewTime: string
  reviewedUserId: string
  reviewerUserId: string
  scorecardId: string
  scorecardName: string
  visibilityType: string
}

/** Answered scorecards */
export interface GongStatsActivityScorecards {
  /**
   * List answered scorecards
   * Scorecards that were filled in. Gong filters by whole days, so times are widened to the days they touch; and it cannot filter by reviewer or call, so those two are applied to each page after it was fetched (meta.filtered_out counts what was taken away).
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params?: StatsActivityScorecardsListParams, options?: CallOptions): PageCall<StatsActivityScorecardsRecord, StatsActivityScorecardsListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<StatsActivityScorecardsSearchFields>, options?: CallOptions): SearchCall<StatsActivityScorecardsSearchFields>
}

export interface StatsInteractionListMeta {
  pagination: { currentPageNumber: number; currentPageSize: number; totalRecords: number; [member: string]: unknown } | null
}

/** Interaction statistics */
export interface GongStatsInteraction {
  /**
   * List interaction statistics per user
   * Interaction figures of each user, from calls that have a coaching-assist feature turned on. Gong wants both days and answers 400 without them.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params?: StatsInteractionListParams, options?: CallOptions): PageCall<StatsInteractionRecord, StatsInteractionListMeta>
}

export interface UsersListMeta {
  pagination: { currentPageNumber: number; currentPageSize: number; totalRecords: number; [member: string]: unknown } | null
}

/** What `users.search` can filter and sort by. */
export interface UsersSearchFields {
  active: boolean
  created: string
  emailAddress: string
  emailAliases: readonly unknown[]
  extension: string
  firstName: string
  id: string
  lastName: string
  managerId: string
  meetingConsentPageUrl: string
  personalMeetingUrls: readonly unknown[]
  phoneNumber: string
  settings: Record<string, unknown>
  spokenLanguages: readonly unknown[]
  title: string
  trustedEmailAddress: string
}

/** Users */
export interface GongUsers {
  /**
   * Get one user
   * Reads one user by id.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  get(params: UsersGetParams, options?: CallOptions): Promise<Result<UsersRecord>>
  /**
   * List users
   * All users of the company, active or not.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params?: UsersListParams, options?: CallOptions): PageCall<UsersRecord, UsersListMeta>
  /** Searches the synchronized copy; hosted mode only. */
  search(params: SearchParams<UsersSearchFields>, options?: CallOptions): SearchCall<UsersSearchFields>
}

export interface WorkspacesListMeta {}

/** Workspaces */
export interface GongWorkspaces {
  /**
   * List workspaces
   * All workspaces of the company.
   * @see https://gong.app.gong.io/settings/api/documentation
   */
  list(params?: WorkspacesListParams, options?: CallOptions): PageCall<WorkspacesRecord, WorkspacesListMeta>
}

/** Its entities, also for `execute`. */
export interface GongEntities {
  readonly call_audio: GongCallAudio
  readonly call_transcripts: GongCallTranscripts
  readonly call_video: GongCallVideo
  readonly calls: GongCalls
  readonly calls_extensive: GongCallsExtensive
  readonly coaching: GongCoaching
  readonly library_folder_content: GongLibraryFolderContent
  readonly library_folders: GongLibraryFolders
  readonly settings_scorecards: GongSettingsScorecards
  readonly settings_trackers: GongSettingsTrackers
  readonly stats_activity_aggregate: GongStatsActivityAggregate
  readonly stats_activity_day_by_day: GongStatsActivityDayByDay
  readonly stats_activity_scorecards: GongStatsActivityScorecards
  readonly stats_interaction: GongStatsInteraction
  readonly users: GongUsers
  readonly workspaces: GongWorkspaces
}

/**
 * Calls, users, transcripts, scorecards, trackers, library folders, coaching and activity statistics of Gong.
 * @see https://gong.app.gong.io/settings/api/documentation
 */
export interface Gong extends ConnectorOf<GongEntities>, GongEntities {}

export type GongCredentials = GongAccessKeyCredentials | GongOauthCredentials

export interface GongSettings {
  credentials: GongCredentials
  config: GongConfig
}

declare module 'tenon' {
  interface Connectors {
    gong: Gong
  }
}
