// Made from contract/openapi.json by `npm run generate`.

/** The import, and where to send the customer. */
export type CreatedImport = {
  readonly id: ImportId;
  /** The secret part of the customer's link. */
  readonly token: string;
  /** Send the customer here. Whoever has this address can act for the customer. */
  readonly redirect_url: string;
};

/** Every error but a failed validation. */
export type ErrorAnswer = {
  readonly error: {
    /** Stable; decide by this. */
    readonly code: "bad_request" | "unauthorized" | "not_found" | "method_not_allowed" | "request_timeout" | "conflict" | "rate_limited" | "headers_too_large" | "internal" | "unavailable";
    /** A sentence for the person who reads your log. */
    readonly message: string;
    /** Also in X-Request-Id; quote it when you write to us. */
    readonly request_id: string;
  };
};

/** Something that happened to an import. */
export type ImportEvent = {
  readonly event_id: string;
  readonly type: "import.status_changed" | "import.full_requested" | "import.attention_required" | "import.closed" | "webhook.test";
  readonly id: ImportId;
  /** The secret part of the customer's link. Empty: it can't be shown now, and the operator of this installation must look into it. */
  readonly token: string;
  readonly status_code: "collecting_credentials" | "waiting_for_sample" | "sample_in_progress" | "sample_completed" | "in_preparation" | "migration_in_progress" | "migration_completed" | "undo_in_progress" | "migration_cleaned";
  readonly status: Status;
  /** Only of a change of status. */
  readonly previous_status: Status | null;
  readonly family: Family;
  /** Your own id, as given at creation. */
  readonly reference: string | null;
  /** Records in the destination because of this import, by stream, when the event happened. */
  readonly items: Readonly<Record<string, number>>;
  /** People found on each side, and how many were matched, when the event happened. */
  readonly users: {
    readonly source_tool: number;
    readonly destination_tool: number;
    readonly matched: number;
  };
  /** Only of `import.closed`: who or what closed it. `partner`: you; `operator`; `customer`; `idle`: nothing happened for as long as the operator set. There may be others. */
  readonly reason?: string | undefined;
  /** Only of a simulation, and always there. */
  readonly test?: true | undefined;
  /** Milliseconds. In a webhook: of this attempt; in a list: of the event. */
  readonly timestamp: number;
};

/** A product family. */
export type Family = "helpdesk" | "projects" | "crm" | "content";

/** One import and how it stands. */
export type Import = {
  readonly id: ImportId;
  /** The secret part of the customer's link. */
  readonly token: string;
  readonly status: Status;
  readonly status_code: StatusCode;
  /** The slug of the tool from which the data comes. */
  readonly source_tool: string;
  /** Records now in the destination because of this import, by stream. */
  readonly items: Readonly<Record<string, number>>;
  /** People found on each side, and how many were matched. */
  readonly users: {
    readonly source_tool: number;
    readonly destination_tool: number;
    readonly matched: number;
  };
  /** Send the customer here. Whoever has this address can act for the customer. */
  readonly redirect_url: string;
  /** Your decision to pay for the full migration. */
  readonly sponsorship: "undecided" | "accepted" | "rejected";
  /** Your own id, as given at creation. */
  readonly reference: string | null;
  /** When it was created, in UTC. */
  readonly created_at: string;
  /** When something last happened to it, in UTC. */
  readonly updated_at: string;
  readonly family: Family;
  /** Only while a run is under way. */
  readonly progress?: Progress | undefined;
  /** Only if there are any. */
  readonly warnings?: readonly Warning[] | undefined;
};

/** An import in a list. */
export type ImportEntry = {
  readonly id: ImportId;
  /** The secret part of the customer's link. Empty: it can't be shown now, and the operator of this installation must look into it. */
  readonly token: string;
  readonly status: Status;
  readonly status_code: StatusCode;
  /** The slug of the tool from which the data comes. */
  readonly source_tool: string;
  /** Records now in the destination because of this import, by stream. */
  readonly items: Readonly<Record<string, number>>;
  /** People found on each side, and how many were matched. */
  readonly users: {
    readonly source_tool: number;
    readonly destination_tool: number;
    readonly matched: number;
  };
  /** Send the customer here. Empty: it can't be shown now, and the operator of this installation must look into it. */
  readonly redirect_url: string;
  /** Your decision to pay for the full migration. */
  readonly sponsorship: "undecided" | "accepted" | "rejected";
  /** Your own id, as given at creation. */
  readonly reference: string | null;
  /** When it was created, in UTC. */
  readonly created_at: string;
  /** When something last happened to it, in UTC. */
  readonly updated_at: string;
};

/** An import's identifier: `imp_…`, in the simulator `sim_…`; in the sandbox, the code of a status. */
export type ImportId = string;

/** An import to create. */
export type NewImport = {
  /** Name of the tool to move data from, as `GET /tools` lists it. */
  readonly source_tool: string;
  /** Address of the destination tool's instance. */
  readonly destination_instance_url?: string | null | undefined;
  /** The name or e-mail address with which the customer signs in to the destination. */
  readonly destination_username?: string | null | undefined;
  /** API token for the destination. Never returned. */
  readonly destination_token?: string | null | undefined;
  /** Skip the sample and start the full migration, sponsored by you. Default false. */
  readonly start_full?: boolean | null | undefined;
  /** Which kind of data to move. Left out: the one that the tools share, or of several the one that the operator has set for you. */
  readonly family?: Family | null | undefined;
  /** Your own id for this import: lists, imports, reports and events repeat it. */
  readonly reference?: string | null | undefined;
};

/** What is wrong, by property; an empty array means fine. `destination` and `base` hold whole sentences. */
export type NewImportErrors = {
  readonly source_tool: readonly string[];
  readonly destination_instance_url: readonly string[];
  readonly destination_username: readonly string[];
  readonly destination_token: readonly string[];
  readonly start_full: readonly string[];
  readonly family: readonly string[];
  readonly destination: readonly string[];
  readonly reference?: readonly string[] | undefined;
  readonly base?: readonly string[] | undefined;
  readonly [property: string]: readonly string[] | undefined;
};

/** What you leave out stays as it is; so does null, except for `event_types`. */
export type NewWebhookEndpoint = {
  /** An https address that is public, or that the operator allows. */
  readonly url?: string | null | undefined;
  /** Which events; null: all. */
  readonly event_types?: readonly ("import.status_changed" | "import.full_requested" | "import.attention_required" | "import.closed")[] | null | undefined;
  readonly ordered?: boolean | null | undefined;
  /** Send `import.progress` as well. A new endpoint gets none. */
  readonly progress?: boolean | null | undefined;
};

/** A record of the old tool, and the one that it became. */
export type OldLink = {
  /** The kind of record, such as `tickets`. */
  readonly stream: string;
  readonly old_id: string;
  /** Its page in the old tool; null: the tool has none that the id alone leads to. */
  readonly old_address: string | null;
  /** The id of the copy, or of the record that was there already. */
  readonly new_id: string;
  /** Its page in the destination. */
  readonly new_address: string | null;
};

/** How far the run under way has come. */
export type Progress = {
  readonly phase: "sample" | "full" | "delta" | "retry_failed" | "undo";
  /** `waiting`: a person must sign in again before it goes on. */
  readonly state: "running" | "paused" | "waiting" | "stopping";
  /** Records that are where they should be; of an undo, those that were removed. */
  readonly done: number;
  readonly failed: number;
  /** Left out for a reason that the warnings tell; of an undo, those that stay. */
  readonly skipped: number;
  /** As many as the source said, put right by what was really read: at the end done, failed and skipped add up to it. Of a kind of record that the source does not count it holds what was read so far, so it may grow on the way; `eta_seconds` is null then. */
  readonly total: number;
  /** Until the run ends; null while that can't be said. */
  readonly eta_seconds: number | null;
};

/** How far the live run of an import has come. */
export type ProgressEvent = {
  readonly event_id: string;
  readonly type: "import.progress";
  readonly id: ImportId;
  /** The secret part of the customer's link. Empty: it can't be shown now, and the operator of this installation must look into it. */
  readonly token: string;
  readonly status_code: "collecting_credentials" | "waiting_for_sample" | "sample_in_progress" | "sample_completed" | "in_preparation" | "migration_in_progress" | "migration_completed" | "undo_in_progress" | "migration_cleaned";
  readonly status: Status;
  /** Only of a change of status. */
  readonly previous_status: Status | null;
  readonly family: Family;
  /** Your own id, as given at creation. */
  readonly reference: string | null;
  /** Records in the destination because of this import, by stream, when the event happened. */
  readonly items: Readonly<Record<string, number>>;
  /** People found on each side, and how many were matched, when the event happened. */
  readonly users: {
    readonly source_tool: number;
    readonly destination_tool: number;
    readonly matched: number;
  };
  /** Only of a simulation, and always there. */
  readonly test?: true | undefined;
  /** Milliseconds. In a webhook: of this attempt; in a list: of the event. */
  readonly timestamp: number;
  readonly progress: Progress;
};

/** What became of every record, in counts. */
export type Report = {
  readonly id: ImportId;
  /** Your own id, as given at creation. */
  readonly reference: string | null;
  /** The slug of the tool from which the data comes. */
  readonly source_tool: string;
  /** The name of the tool to which the data went. */
  readonly destination_tool: string;
  readonly family: Family;
  /** The last copy that was completed and verified. */
  readonly run: {
    readonly number: number;
    readonly kind: "sample" | "full" | "delta" | "retry_failed";
    readonly started_at: string;
    readonly ended_at: string;
  };
  /** All of it was taken away again since. */
  readonly undone: boolean;
  /** Every record of every stream is accounted for, once. */
  readonly adds_up: boolean;
  readonly streams: readonly ({
    /** The kind of record, such as `tickets`. */
    readonly stream: string;
    /** Its name for people. */
    readonly label: string;
    /** What the old tool had, by a count of its own after the copy. */
    readonly source: number;
    readonly written: number;
    /** Was in the destination already, and is linked. */
    readonly matched: number;
    readonly skipped: readonly {
      /** Stable; a code of the warnings. */
      readonly code: string;
      /** A sentence for people. */
      readonly message: string;
      readonly count: number;
    }[];
    readonly failed: readonly {
      /** Stable; a code of the warnings. */
      readonly code: string;
      /** A sentence for people. */
      readonly message: string;
      readonly count: number;
    }[];
    /** Written, but not as in the old tool now: edited or deleted in the destination, or not updated. */
    readonly behind: readonly {
      /** Stable; a code of the warnings. */
      readonly code: string;
      /** A sentence for people. */
      readonly message: string;
      readonly count: number;
    }[];
    /** Copied, and deleted in the old tool since. */
    readonly deleted_at_source: number;
    /** Fields that the destination can't hold as they were: declared before the copy was read. */
    readonly changed_fields: readonly ({
      readonly field: string;
      readonly change: "cleared" | "truncated" | "converted";
      readonly count: number;
    })[];
    readonly verified: {
      /** One in this many copies was compared, chosen by a hash of the record; 1: all of them. */
      readonly sampled_one_of: number;
      /** Copies that were compared with the old tool, field by field, after a second reading of both tools: `same`, `differs` and `gone`. */
      readonly compared: number;
      readonly same: number;
      /** Different in a field or in the bytes of a file, without a stated reason. */
      readonly differs: number;
      /** No longer in the destination. */
      readonly gone: number;
      /** Copies too many. */
      readonly doubled: number;
      /** Not compared: the old tool has another version since the copy. */
      readonly changed_at_source: number;
      /** Not compared: one of the tools did not show the record. */
      readonly refused: number;
      /** How many copies differ, by field; `file` stands for the bytes of a file. */
      readonly differing_fields: readonly {
        readonly field: string;
        readonly count: number;
      }[];
      /** Null: this kind of record has no files. */
      readonly files: {
        /** Files that were read in both tools, and compared by length and SHA-256. */
        readonly compared: number;
        readonly same: number;
        /** Files whose bytes one of the tools did not give. */
        readonly unread: number;
      } | null;
    };
    /** source = written + matched + skipped + failed */
    readonly adds_up: boolean;
  })[];
  /** Kinds of records that were not moved at all; they are in no stream and in no sum. */
  readonly left_behind: readonly ({
    /** The kind of record, such as `tickets`. */
    readonly stream: string;
    /** Its name for people. */
    readonly label: string;
    /** The destination has no place for them, the customer left them out, or the old tool does not show them to this account. */
    readonly reason: "not_supported" | "not_selected" | "not_allowed";
    /** What the old tool had when the run began; null: it does not tell. */
    readonly count: number | null;
  })[];
  /** Fields that the import created in the destination. */
  readonly created_fields: readonly ({
    /** The kind of record, such as `tickets`. */
    readonly stream: string;
    /** The field's name in the destination. */
    readonly name: string;
    readonly type: string;
    /** `removed`, `kept`: by an undo since. */
    readonly state: "created" | "removed" | "kept";
  })[];
  /** Whether copies send messages to people; null: promised, not measured. */
  readonly silence: {
    /** Records of our own that were written before the copy, and removed again. */
    readonly records: number;
    /** Messages that the destination sent about them. */
    readonly messages: number;
    readonly measured_at: string;
  } | null;
};

/** How to rotate a secret. */
export type Rotation = {
  /** The old secret leaked: it signs no more. */
  readonly immediately?: boolean | null | undefined;
};

/** The report in short, as evidence for others. */
export type SignedSummary = {
  /** For people, and for programs that trust the connection. */
  readonly summary: {
    readonly version: 1;
    /** In the simulator, a simulation's. */
    readonly import_id: string;
    readonly reference: string | null;
    readonly source_tool: string;
    readonly destination_tool: string;
    readonly family: "helpdesk" | "projects" | "crm" | "content";
    readonly run: {
      readonly number: number;
      readonly kind: "sample" | "full" | "delta" | "retry_failed";
      readonly started_at: string;
      readonly ended_at: string;
    };
    /** All of it was taken away again since. */
    readonly undone: boolean;
    readonly streams: readonly ({
      readonly stream: string;
      /** What the old tool had, by a count of its own after the copy. */
      readonly source: number;
      readonly written: number;
      /** Was in the new tool already. */
      readonly matched: number;
      /** How many records, by the code of the reason. */
      readonly skipped: Readonly<Record<string, number>>;
      /** How many records, by the code of the reason. */
      readonly failed: Readonly<Record<string, number>>;
      /** Copied, and deleted in the old tool since. */
      readonly deleted_at_source: number;
      /** Copies that were compared with the old tool, field by field, after a second reading of both tools. */
      readonly compared: number;
      /** Of those, different in a field or in the bytes of a file, without a stated reason. */
      readonly differs: number;
      /** Of those, no longer there. */
      readonly gone: number;
      /** How many copies differ, by field; `file` stands for the bytes of a file. Older summaries lack it. */
      readonly differing_fields?: Readonly<Record<string, number>> | undefined;
      /** Not compared: the old tool has another version since the copy. Older summaries lack it. */
      readonly changed_at_source?: number | undefined;
      /** Not compared: one of the tools did not show the record. Older summaries lack it. */
      readonly refused?: number | undefined;
      /** One in this many copies was compared, chosen by a hash of the record; 1: all. Older summaries lack it. */
      readonly sampled_one_of?: number | undefined;
      /** Only for streams of files. Older summaries lack it. */
      readonly files?: {
        /** Files whose bytes were read in both tools, and compared by length and SHA-256. */
        readonly compared: number;
        readonly same: number;
        /** Files whose bytes one of the tools did not give. */
        readonly unread: number;
      } | undefined;
      /** Copies too many. */
      readonly doubled: number;
      /** source = written + matched + skipped + failed */
      readonly adds_up: boolean;
    })[];
    /** Kinds of records that were not moved at all, and are in no stream above. Older summaries lack it. */
    readonly left_behind?: readonly ({
      readonly stream: string;
      /** The new tool has no place for them, the customer left them out, or the old tool does not show them to this account. */
      readonly reason: "not_supported" | "not_selected" | "not_allowed";
      /** What the old tool had when the move began; null: it does not tell. */
      readonly count: number | null;
    })[] | undefined;
    /** Whether copies send messages to people; null: promised, not measured. Older summaries lack it. */
    readonly silence?: {
      /** Records of our own that were written before the copy, and removed again. */
      readonly records: number;
      /** Messages that the new tool sent about them. */
      readonly messages: number;
      readonly measured_at: string;
    } | null | undefined;
    readonly adds_up: boolean;
    readonly made_at: string;
  };
  /** The same summary, signed: a compact JWS (RFC 7515) with Ed25519. Its key is at `/.well-known/portage-report-keys.json`. */
  readonly jws: string;
};

/** The status of an import, in the words of the interface. */
export type Status = "Collecting credentials" | "Waiting to start sample migration" | "Sample migration in progress" | "Sample migration completed" | "In preparation" | "Migration in progress" | "Migration completed" | "Undo in progress" | "Migration cleaned";

/** The status as a code, for programs. */
export type StatusCode = "collecting_credentials" | "waiting_for_sample" | "sample_in_progress" | "sample_completed" | "in_preparation" | "migration_in_progress" | "migration_completed" | "undo_in_progress" | "migration_cleaned";

/** The test event. */
export type TestEvent = {
  readonly event_id: string;
};

/** A tool that data can be moved from. */
export type Tool = {
  /** The machine name: the value that `source_tool` takes. */
  readonly name: string;
  /** The same as `name`. */
  readonly slug: string;
  /** The name for people. */
  readonly label: string;
  /** What kinds of data can be moved from it. */
  readonly families: readonly Family[];
};

/** What is wrong, by property. Values are predicates; `base` holds sentences. */
export type ValidationErrors = Readonly<Record<string, readonly string[]>>;

/** Something that a person should know. */
export type Warning = {
  /** Stable; listed in this reference. */
  readonly code: string;
  /** A sentence for people. */
  readonly message: string;
  /** The kind of record it is about, where it is about one. */
  readonly stream: string | null;
  /** How many records or people it is about. */
  readonly count: number;
};

/** How an event fared on its way to your receiver. */
export type WebhookDelivery = {
  readonly event_id: string;
  readonly type: "import.status_changed" | "import.full_requested" | "import.attention_required" | "import.closed" | "webhook.test";
  /** The import's id, or the simulation's; `sample_completed` of a test. */
  readonly id: string;
  /** `held`: an earlier event of the import has not arrived yet. `failed`: given up. */
  readonly state: "waiting" | "sending" | "held" | "delivered" | "failed";
  /** When it is tried again; null: not planned. */
  readonly next_attempt: number | null;
  /** Only while it waits for a disabled endpoint: since when and why. Nothing is sent until the endpoint is enabled. */
  readonly endpoint_disabled?: string | undefined;
  /** Oldest first, at most 50. */
  readonly attempts: readonly ({
    /** Milliseconds since 1970. */
    readonly timestamp: number;
    /** What your receiver answered; null: no answer came. */
    readonly status: number | null;
    readonly duration_ms: number;
    /** A stable code; null: delivered. */
    readonly error: string | null;
    /** The first bytes of what your receiver answered, without the token. */
    readonly answer: string | null;
  })[];
  /** Milliseconds since 1970. */
  readonly timestamp: number;
};

/** Where your events are sent. */
export type WebhookEndpoint = {
  /** Where your events are sent. */
  readonly url: string;
  /** Which events; null: all. */
  readonly event_types: readonly ("import.status_changed" | "import.full_requested" | "import.attention_required" | "import.closed")[] | null;
  /** Whether the events of an import wait for each other. */
  readonly ordered: boolean;
  /** Whether `import.progress` is sent as well: at most once a minute while a run is under way. */
  readonly progress: boolean;
  /** False: nothing is sent until it is enabled. */
  readonly enabled: boolean;
  readonly disabled_since: string | null;
  /** Why it is disabled, in words. */
  readonly disabled_because: string | null;
  /** The first failed attempt since the last success. */
  readonly failing_since: string | null;
  /** During a rotation: until then the old secret signs as well. */
  readonly old_secret_until: string | null;
  readonly created_at: string;
};

/** The endpoint, with its new secret if it got one. */
export type WebhookEndpointWithSecret = {
  /** Where your events are sent. */
  readonly url: string;
  /** Which events; null: all. */
  readonly event_types: readonly ("import.status_changed" | "import.full_requested" | "import.attention_required" | "import.closed")[] | null;
  /** Whether the events of an import wait for each other. */
  readonly ordered: boolean;
  /** Whether `import.progress` is sent as well: at most once a minute while a run is under way. */
  readonly progress: boolean;
  /** False: nothing is sent until it is enabled. */
  readonly enabled: boolean;
  readonly disabled_since: string | null;
  /** Why it is disabled, in words. */
  readonly disabled_because: string | null;
  /** The first failed attempt since the last success. */
  readonly failing_since: string | null;
  /** During a rotation: until then the old secret signs as well. */
  readonly old_secret_until: string | null;
  readonly created_at: string;
  /** A new signing secret, shown this once. */
  readonly secret?: string | undefined;
};

export interface Operations {
  /** List source tools. The tools from which your customers' data can be moved, sorted by label. */
  readonly listTools: {
    readonly query: {
      readonly family?: Family | undefined;
    };
    readonly body: undefined;
    readonly answer: readonly Tool[];
  };
  /** Create an import. Creates an import and answers with the address to which you send the customer. When everything that the destination needs is given, it is called first: what it refuses is a 422 with `destination`. So is a value that can't be right, such as the address of another tool, even if something else is still missing. */
  readonly createImport: {
    readonly query: undefined;
    readonly body: NewImport;
    readonly answer: CreatedImport;
  };
  /** List imports. Your imports that fulfil all that you ask for, newest first; cancelled and archived ones are left out. At least one filter is needed. With a username you get all of its imports, unless you ask for pages with `limit`; without one, pages of 100 unless `limit` says otherwise. The `Link` header with `rel="next"` leads to the next page. */
  readonly listImports: {
    readonly query: {
      readonly destination_username?: string | undefined;
      readonly status?: "collecting_credentials" | "waiting_for_sample" | "sample_in_progress" | "sample_completed" | "in_preparation" | "migration_in_progress" | "migration_completed" | "undo_in_progress" | "migration_cleaned" | "Collecting credentials" | "Waiting to start sample migration" | "Sample migration in progress" | "Sample migration completed" | "In preparation" | "Migration in progress" | "Migration completed" | "Undo in progress" | "Migration cleaned" | undefined;
      readonly reference?: string | undefined;
      readonly family?: "helpdesk" | "projects" | "crm" | "content" | undefined;
      readonly created_after?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: readonly ImportEntry[];
  };
  /** Show an import. How an import stands: its status, what is in the destination, what a person should know. */
  readonly showImport: {
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Import;
  };
  /** List what old records became. The records of the old tool with the ids and addresses that they have in the destination, by kind and old id: from the end of the full migration, for as long as the operator set for you. Empty before, and once the migration is undone. Follow the `Link` header with `rel="next"`. With `address`, at most the one record that it means. To redirect people, send them to `/r/{id}/{old address}` of this service instead: it needs no token. */
  readonly listOldLinks: {
    readonly query: {
      readonly address?: string | undefined;
      readonly limit?: number | undefined;
      readonly cursor?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: readonly OldLink[];
  };
  /** Show the report of an import. What became of every record of the last completed copy, in counts by stream and cause, and what the comparison with the old tool found. It names no record and shows nothing of what is in one: the customer's own report does. */
  readonly showReport: {
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Report;
  };
  /** Show the signed summary of an import. The report in short, signed by this installation, so that whoever gets the file can check that it is unchanged. The keys are public, at `/.well-known/portage-report-keys.json`. The keys of the sandbox and the simulator are not among them: a check refuses what they sign. */
  readonly showSignedSummary: {
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: SignedSummary;
  };
  /** Accept sponsorship. You pay for the full migration: the customer can start it. Can be repeated. Has no effect once the customer has paid. A body is ignored. */
  readonly acceptSponsorship: {
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Reject sponsorship. The customer can buy the full migration instead. Can be repeated. A body is ignored. */
  readonly rejectSponsorship: {
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Cancel an import. Ends all work on the import and deletes its credentials. What was already moved stays where it is. Afterwards the import answers 404. A body is ignored. */
  readonly cancelImport: {
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** Make a new link for the customer. For a customer whose link was lost or seen by others. The old link, its sessions and the links made from it stop working. A body is ignored. */
  readonly reissueLink: {
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CreatedImport;
  };
  /** Show your webhook endpoint. Where your events are sent, whether it works, and since when it does not. Its secret is never shown. */
  readonly showWebhookEndpoint: {
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: WebhookEndpoint;
  };
  /** Set your webhook endpoint. What you leave out stays as it is. A new endpoint gets a signing secret, shown this once. The address must be https and public, unless the operator allows others. Events that wait are sent to a new address, which is enabled, unless the operator disabled the endpoint. */
  readonly setWebhookEndpoint: {
    readonly query: undefined;
    readonly body: NewWebhookEndpoint;
    readonly answer: WebhookEndpointWithSecret;
  };
  /** Send a test event. Sends `webhook.test` to your endpoint. Its delivery says what came back. A body is ignored. */
  readonly testWebhookEndpoint: {
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: TestEvent;
  };
  /** Rotate your signing secret. Answers with a new secret, shown this once. The old one signs as well for 24 hours, so that you can change it without losing an event. Without a body it does just that. */
  readonly rotateWebhookSecret: {
    readonly query: undefined;
    readonly body: Rotation;
    readonly answer: WebhookEndpointWithSecret;
  };
  /** Enable your webhook endpoint. After you repaired a receiver that was disabled. Waiting events are sent; abandoned ones only if you replay them. A body is ignored. */
  readonly enableWebhookEndpoint: {
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: WebhookEndpoint;
  };
  /** List events. Your events of the last 30 days, oldest first, to catch up after your webhook receiver was away. Ask again with `after` set to the last `event_id` until the list is empty. */
  readonly listEvents: {
    readonly query: {
      readonly after?: string | undefined;
      readonly limit?: number | undefined;
    };
    readonly body: undefined;
    readonly answer: readonly ImportEvent[];
  };
  /** List webhook deliveries. How your events of the last 30 days fared on their way to your receiver, newest first, with every attempt. Ask again with `after` set to the last `event_id` until the list is empty. */
  readonly listWebhookDeliveries: {
    readonly query: {
      readonly after?: string | undefined;
      readonly limit?: number | undefined;
      readonly event_id?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: readonly WebhookDelivery[];
  };
  /** Send an event again. Has the event sent to your receiver once more, or now if it waits for its next attempt. One that is being sent, or held back by an earlier event of its import, goes out anyhow: the answer is the same. A body is ignored. */
  readonly replayWebhookDelivery: {
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
}

/** Method and path of every operation. */
export const routes = {
  listTools: ["GET", "/tools"],
  createImport: ["POST", "/imports"],
  listImports: ["GET", "/imports"],
  showImport: ["GET", "/imports/{id}"],
  listOldLinks: ["GET", "/imports/{id}/old-links"],
  showReport: ["GET", "/imports/{id}/report"],
  showSignedSummary: ["GET", "/imports/{id}/report/summary"],
  acceptSponsorship: ["POST", "/imports/{id}/payment/accept"],
  rejectSponsorship: ["POST", "/imports/{id}/payment/reject"],
  cancelImport: ["POST", "/imports/{id}/cancel"],
  reissueLink: ["POST", "/imports/{id}/link"],
  showWebhookEndpoint: ["GET", "/webhook-endpoint"],
  setWebhookEndpoint: ["POST", "/webhook-endpoint"],
  testWebhookEndpoint: ["POST", "/webhook-endpoint/test"],
  rotateWebhookSecret: ["POST", "/webhook-endpoint/rotate"],
  enableWebhookEndpoint: ["POST", "/webhook-endpoint/enable"],
  listEvents: ["GET", "/events"],
  listWebhookDeliveries: ["GET", "/webhook-deliveries"],
  replayWebhookDelivery: ["POST", "/webhook-deliveries/{id}/replay"],
} as const satisfies Readonly<Record<keyof Operations, readonly ["GET" | "POST", string]>>;
