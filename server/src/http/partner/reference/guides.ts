import { type ErrorCode, errorStatuses } from "@portage/contract";
import { warningTexts } from "../../../features/imports/index.ts";
import { requestsPerSecond } from "../../../features/rate-limit/index.ts";
import { reasons } from "../../../features/runs/index.ts";
import { maxLive } from "../../../features/simulator/index.ts";

interface Guide {
  readonly name: string;
  readonly description: string;
}

const errorMeanings: Readonly<Record<Exclude<ErrorCode, "forbidden">, string>> = {
  bad_request: "The request can't be read: bad syntax. Correct it; sending it again does not help.",
  unauthorized: "No API token, or one that is wrong or revoked.",
  not_found: "No such import or address, or it was cancelled or archived.",
  method_not_allowed: "This address takes other methods; `Allow` names them.",
  request_timeout: "The request took too long to arrive. Send it again.",
  conflict:
    "A request with this idempotency key is still under way: send it again in a moment. Of a report: no copy has completed yet.",
  rate_limited: "Too many requests, or failed sign-ins. Wait as long as `Retry-After` says.",
  headers_too_large: "The headers are too large.",
  internal: "Something went wrong on our side. Send it again; quote `request_id` to the operator.",
  unavailable:
    "The service is starting, stopping or can't reach its database. Wait as long as `Retry-After` says.",
};

const errorRows = Object.entries(errorMeanings)
  .map(([code, meaning]) => `| ${errorStatuses[code as ErrorCode]} | \`${code}\` | ${meaning} |`)
  .join("\n");

const warningList = [
  ...Object.entries(warningTexts),
  ...Object.entries(reasons).map(([code, text]) => [code, `Records that ${text}.`] as const),
]
  .map(([code, message]) => `- \`${code}\`: ${message}`)
  .join("\n");

/** What a partner must know besides the operations: each is a page of the reference, which its search finds. */
export const guides: readonly Guide[] = [
  {
    name: "Sandbox",
    description: `The same operations under \`/api/sandbox\`, with the same token. It validates, writes nothing, calls no destination and has
no limit. It has an import for each status, whose id is the status code: \`GET /imports/sample_completed\`. The
\`destination_token\` \`invalid\` is refused, and \`nobody@example.com\` has no imports.`,
  },
  {
    name: "Simulator",
    description: `The same operations under \`/api/simulator\`, for your end-to-end tests. An import that is created there (\`sim_…\`) walks through
its statuses by itself in some seconds, and your receiver gets the real, signed webhooks of it, each with \`"test": true\`. Nothing
is read from any tool, nothing is written to any.

\`reference\` chooses what is played: \`happy\`, \`warnings\`, \`expired_sign_in\`, \`rejected\`, \`undo\`; anything else is \`happy\`. The
limit counts here too. At most ${maxLive} simulations can be under way at a time; each is removed after a day.`,
  },
  {
    name: "Errors",
    description: `Every error but a failed validation has the same body. Decide by \`code\`, which is stable; \`message\` is for people.

\`\`\`json
{ "error": { "code": "not_found", "message": "There is no such import of yours, or it was cancelled or archived.", "request_id": "2f1c9e1e-8a55-4c0b-9d2b-6a7d2c1f4e10" } }
\`\`\`

| status | code | what it means |
| --- | --- | --- |
${errorRows}

**422** is a failed validation: an object with what is wrong, by property. Values are predicates such as "can't be blank";
\`base\` and \`destination\` hold whole sentences. A 422 of \`POST /imports\` always has all its keys, with an empty array for each property
that is fine.

\`\`\`json
{ "destination_username": ["can't be blank"] }
\`\`\`

\`X-Request-Id\` is in every answer: quote it when you write to the operator.`,
  },
  {
    name: "Limits",
    description: `| what | limit | beyond it |
| --- | --- | --- |
| requests, over all endpoints and all your tokens | ${requestsPerSecond} per second | 429 with \`Retry-After\` |
| failed sign-ins from one address | set by the operator | 429 with \`Retry-After\`; in the sandbox 401 |
| the body of a request | 64 KiB | 400 |
| \`destination_instance_url\` | 2,048 characters | 422 |
| \`destination_username\` | 320 characters | 422 |
| \`destination_token\` | 4,096 characters | 422 |
| \`reference\`, \`Idempotency-Key\` | 255 characters | 422, 400 |
| a page of a list | 100 entries; of old links 1,000 | 422 |
| events and deliveries | kept for 30 days | |
| simulations under way | ${maxLive} | 422 |

Answers have \`RateLimit-Policy: "default";q=${requestsPerSecond};w=1\` and \`RateLimit: "default";r=7;t=1\`: \`r\` requests are left in this second.
The sandbox has no rate limit.`,
  },
  {
    name: "Idempotency",
    description: `Send an \`Idempotency-Key\` with \`POST /imports\`, so that a request that you repeat after a time-out never creates a second import. Any
text of at most 255 characters will do, for example your own id of the move; keys of other partners never collide with yours.

- **The same key and the same body**: for 24 hours you get the first 201 again, with the same \`id\`. It has the first link, which no longer works
  if you made a new one since.
- **The first request is still under way**: the second waits for it, at most 10 seconds; then the answer is 409 and you try again.
- **Another body**: 422 with \`base\`.
- **Only a 201 is remembered**: after an error, correct the request and use the same key.

\`accept\`, \`reject\` and \`replay\` can be repeated without a key; a repeated \`cancel\` answers 404, since the import is gone. The SDK makes a key for every call and retries by itself.`,
  },
  {
    name: "Webhooks",
    description: `Portage sends a \`POST\` to one address of yours for each event of your customers' imports. You set it (\`POST /webhook-endpoint\`) and get a
secret (\`whsec_…\`). Every type of event has all properties, so a receiver that reads only \`status\` is never misled; ignore
properties and types that you don't know.

**Answer** with any status from 200 to 299 within 10 seconds: store the message, and do the work later. Portage retries anything
else after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. 410 disables your address, and so do five days without a
success.

**The same message may arrive twice**: remember \`event_id\` for a while. **Order**: the events of one import arrive in order, so a
failing one holds back that import's later ones, unless you (\`ordered: false\`) or the operator disable this.

**After an outage**, catch up with \`GET /events\`. \`GET /webhook-deliveries\` shows every attempt, and
\`POST /webhook-deliveries/{id}/replay\` sends an event again. An event of a simulation has \`"test": true\`.

**Progress**: with \`progress\` of your endpoint you also get \`import.progress\` while a run is under way, at most once a minute for an
import. It is sent once, is in no list, and no event waits for it.`,
  },
  {
    name: "Signatures",
    description: `Every webhook has two signatures; check either, over the **raw** body, before you parse it. Both are HMAC-SHA256.

- \`X-Authorization-Content-SHA256\`: of the body, in lower-case hexadecimal. The key is the whole secret, unchanged.
- [Standard Webhooks](https://www.standardwebhooks.com): \`webhook-signature\`, of \`id.timestamp.body\`, in base64 after \`v1,\`. The key is
  the part after \`whsec_\`, decoded from base64; a secret without that prefix is the key itself.

Then refuse a \`timestamp\` that is older than five minutes: it may be a replay attack. The SDK does all of it in one call:

\`\`\`js
import { verifyWebhook } from "@portage/sdk";

const { event } = await verifyWebhook({ body, headers, secrets: process.env.PORTAGE_WEBHOOK_SECRET });
\`\`\`

**When the secret is rotated**, the old one stays valid for 24 hours: \`webhook-signature\` has a signature of each, and
\`X-Authorization-Content-SHA256\` is made with the old one until then. Accept either for a day.`,
  },
  {
    name: "Warnings",
    description: `\`GET /imports/{id}\` lists warnings if there are any. They are grouped by cause, worst first, and have these codes. A tool may have
others of its own; their message names them.

${warningList}`,
  },
];
