import type { Config } from "./config.ts";

/** What each environment variable says, in Markdown; defaults and bounds are in the schema. */
export const configDescriptions: Readonly<Record<keyof Config, string>> = {
  DATABASE_URL:
    "where PostgreSQL is: `postgres://user:password@host:5432/portage`; of several hosts, `host1,host2:5433`, the primary is used",
  PORTAGE_RUNTIME_ROLE:
    "for `portage migrate`: the PostgreSQL role that API and workers connect as, if it is not the one that migrates. It gets the rights on rows, and none to change the schema ([Database roles](database-roles.md))",
  PORTAGE_KEYS:
    "encryption keys, `id:key`, comma-separated, the current one first; `portage keys new` creates one. Set this variable or one of the next two ([Keys](keys.md))",
  PORTAGE_KEYS_FILE: "the file that has those keys, one per line or comma-separated",
  PORTAGE_KEYS_COMMAND:
    "the program, with arguments separated by spaces, that prints those keys, such as the client of a key service. Each process runs it once at the start, without a shell, for at most 10 seconds, and logs nothing of its output",
  PUBLIC_URL: "the address that partners and customers use, https unless on loopback",
  WEB_FOLDER: "the folder with the built pages; a relative one is within this release",
  DOWNLOADS_FOLDER:
    "the folder with the packed SDK, which the API serves under `/downloads/` if it is there; `npm run build:packages` packs it. A relative one is within this release",
  SITE_FOLDER:
    "the folder with the built documentation, which `/docs` shows; a relative one is within this release",
  HOST: "the interface that the API listens on",
  PORT: "the port that the API listens on",
  OPERATOR_HOST:
    "the interface that the operator API listens on; neither partners nor customers should reach it",
  OPERATOR_PORT: "the port of the operator API, which the API's processes serve; without it there is none",
  OPERATOR_URL:
    "the address of the operator API in the staff's browsers, https unless on loopback; without it, `http://127.0.0.1` with `OPERATOR_PORT`",
  OPERATOR_OIDC_ISSUER:
    "the identity provider that the staff signs in with (OpenID Connect), as it spells itself; https unless on loopback. It may be private: `OUTBOUND_ALLOW` does not apply to its host",
  OPERATOR_OIDC_CLIENT_ID:
    "the client that is registered there, with the redirect URI `/console/oidc/callback` at `OPERATOR_URL`",
  OPERATOR_OIDC_CLIENT_SECRET: "the secret of that client",
  OPERATOR_OIDC_LABEL: "what the button of the sign-in page says",
  OPERATOR_OIDC_ROLES_CLAIM:
    "the claim that has a person's groups: its name, or a path such as `realm_access.roles`",
  OPERATOR_OIDC_ROLES:
    "which value of the claim gives which role, such as `portage-admins=admin,portage-ops=operator`; a person with none can't sign in",
  PORTAGE_OPERATOR_URL:
    "for the command line: where the operator API is; with it and `portage login`, commands go through it instead of the database",
  LOG_LEVEL: "the least important lines that the log has",
  DATABASE_POOL_SIZE: "connections to PostgreSQL per process",
  STATEMENT_TIMEOUT_MS: "query timeout of PostgreSQL",
  REQUEST_TIMEOUT_MS: "how long a client may take to send its request",
  SHUTDOWN_DELAY_MS:
    "how long a stopping process still accepts requests, until the load balancer has noticed",
  SIGN_IN_FAILURES_PER_MINUTE:
    "failed sign-ins per minute and address (of IPv6: per /64), per API process; an address over the limit is refused before PostgreSQL is asked, unless it shows a token that was accepted before",
  CONNECT_ATTEMPTS_PER_MINUTE:
    "attempts per minute to connect the tools of one import, and failed ones at one host that customers name, per API process",
  TRUSTED_PROXIES:
    "addresses or networks of proxies whose `X-Forwarded-For` is trusted, comma-separated; without them, all clients behind a proxy count as one address",
  PORTAGE_CONNECTORS:
    "npm packages with further connectors, comma-separated; installed where the service is started",
  UPLOADS:
    "where the files that customers upload are stored, sealed: `postgres`, or `s3`. The same for API and workers; files stay where they were stored before a change, so keep the settings of S3 until they are gone",
  S3_URL:
    "the address of a service that is compatible with S3; without it, Amazon's. It is the operator's own, so `OUTBOUND_ALLOW` does not apply",
  S3_REGION: "the region of the bucket",
  S3_BUCKET: "the bucket, which must exist and keep no versions: an erased file must be gone",
  S3_PREFIX: "what the names of all objects begin with",
  S3_ACCESS_KEY_ID: "the key's id; it needs to put, get, delete and list objects in the bucket",
  S3_SECRET_ACCESS_KEY: "the key",
  OUTBOUND_ALLOW:
    "allowed tools on private addresses or without TLS, as exact `host:port`, comma-separated. If `PUBLIC_URL` is on loopback, also an address of this machine with any port (`127.0.0.1:*`), which `npm run dev` allows by default. Their names resolve as the system resolves them; all other names by `/etc/hosts` and DNS, without search domains",
  WEBHOOK_ALLOW:
    "allowed webhook receivers on private addresses or without TLS, in the same form. Partners choose these addresses, so a tool in `OUTBOUND_ALLOW` is not among them",
  RESTATE_INGRESS_URL: "Restate's ingress",
  RESTATE_ADMIN_URL: "Restate's admin address",
  RESTATE_IDENTITY_KEYS:
    "public keys of the Restate that may call the worker, comma-separated; `portage restate key` prints one. Without a key, any client that reaches the worker's port may call it",
  WORKER_HOST: "the interface that the worker listens on",
  WORKER_PORT: "the port that Restate calls the worker at",
  WORKER_HEALTH_PORT: "the port of the worker's `/healthz` and `/readyz`",
  WORKER_URL:
    "where Restate finds the worker, if not at `http://WORKER_HOST:WORKER_PORT`; several workers of one release may share it behind a balancer",
  WORKER_PROCESSES:
    "how many processes a worker runs, one for each core that it may use. They share its ports, drain together, and each has its own connections and concurrency; with `METRICS_PORT`, each serves its metrics at a port of its own, from that one on",
  WORKER_CONCURRENCY: "concurrent chunks per process of a worker",
  LARGE_ANSWERS_MB: "megabytes of large answers of tools that a process receives at a time",
  RUN_PARTITIONS: "concurrent partitions per stream",
  RUN_LEASE_MS: "lease of a partition: after this time without progress the sweep sends it again",
  RUN_WRITE_MS: "deadline for the writes of a page",
  METRICS_HOST: "the interface that `/metrics` for Prometheus listens on",
  METRICS_PORT:
    "the port of `/metrics`, of the API and of the worker; processes on one machine need a port each. Without it, there are no metrics. It requires no password: only Prometheus should reach it",
  METRICS_INTERVAL_MS:
    "how often one elected process reads the metrics of queues from PostgreSQL, over up to three connections of its own",
  OTEL_EXPORTER_OTLP_ENDPOINT:
    "the address of an OpenTelemetry collector that takes OTLP over HTTP, such as `http://127.0.0.1:4318`; without it, there are no traces",
  OTEL_TRACES_SAMPLER:
    "which traces are sent: all, none, or a share by `traceidratio`; with `parentbased_`, a caller that sends a `traceparent` decides for its own",
  OTEL_TRACES_SAMPLER_ARG: "the share of `traceidratio`, from 0 to 1",
  WEBHOOK_CONCURRENCY: "concurrent webhook calls per process of a worker",
  WEBHOOK_PARTNER_CONCURRENCY: "concurrent webhook calls per partner, over all workers",
  WEBHOOK_TIME_SCALE: "shortens the days between attempts, for tests: 0.01 makes 5 minutes 3 seconds",
  SMTP_URL:
    "the mail server for mails to customers, such as `smtp://user:password@mail.example.com:587`, or `smtps://`; TLS is required unless it is on loopback. Without it, the wizard offers no email",
  MAIL_FROM: "the sender address of those mails; set with `SMTP_URL`, for API and workers",
  CANARY_ADDRESS:
    "the address whose mails arrive at `CANARY_SMTP_PORT`, with anything after a plus: `canary+…@` too. Portage gives it to records that it writes and removes before a full run, to [measure](silence.md) that a move sends no messages. The same for API and workers",
  CANARY_SMTP_PORT: "the port at which each worker receives those mails, by SMTP, on `WORKER_HOST`",
  CANARY_WAIT_SECONDS: "how long a run waits for messages before it copies anything",
  PAYMENTS:
    "how customers buy: `stripe` (Stripe Checkout), `manual` (the operator records payments), `none` (no purchases). The same for API and workers",
  STRIPE_SECRET_KEY:
    "Stripe's key, beginning with `sk_` or `rk_`; a restricted one needs Checkout Sessions and Refunds to write, PaymentIntents to read",
  STRIPE_WEBHOOK_SECRET:
    "the signing secret of the webhook endpoint `PUBLIC_URL/inbound/stripe`, beginning with `whsec_`",
  STRIPE_API_URL: "for tests: another address of Stripe; without TLS on loopback only",
  STRIPE_AUTOMATIC_TAX: "`true`: Stripe calculates tax on top of our prices; set it up at Stripe first",
};
