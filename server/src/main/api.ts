import closeWithGrace from "close-with-grace";
import { setTimeout as sleep } from "node:timers/promises";
import { createToolChecks } from "../features/connections/index.ts";
import { createSigner } from "../platform/sign.ts";
import { readConfig } from "./config.ts";
import { createApi } from "./create-api.ts";
import { readCanaryMailbox } from "./canaries.ts";
import { createOperatorApi } from "./create-operator-api.ts";
import { createOperatorOidc } from "./operator-oidc.ts";
import { operatorUrlOf } from "./operator-url.ts";
import { readMail } from "./mail.ts";
import { openInfrastructure } from "./open-infrastructure.ts";
import { startMetrics } from "./start-metrics.ts";
import { createSides } from "./create-sides.ts";
import { createPayments } from "./payments.ts";
import { readRelease } from "./release.ts";
import { releasePath } from "./release-path.ts";
import { tableReader } from "./table-reader.ts";
import { reportAndExit } from "./report-and-exit.ts";

const start = async () => {
  const config = readConfig();
  const payments = createPayments(config);
  const infrastructure = await openInfrastructure(config, {
    applicationName: "portage api",
    release: readRelease(),
    poolSize: config.DATABASE_POOL_SIZE,
    // Together with the query timeout under 5 s: no request waits longer for an unresponsive database.
    acquireTimeoutMs: 1_500,
  });
  const { db, log, registry, outbound, sealer, uploads } = infrastructure;
  const { metrics, stop: stopMetrics } = await startMetrics(config, { service: "api", db, log });
  const { close: closeSides, ...sides } = createSides({
    db,
    sealer,
    registry,
    outbound,
    log,
    largeAnswerBytes: config.LARGE_ANSWERS_MB * 1024 * 1024,
    metrics,
  });
  const api = createApi({
    ...sides,
    db,
    sealer,
    signer: createSigner(config.PORTAGE_KEYS),
    registry,
    toolChecks: createToolChecks(registry, outbound),
    outbound,
    files: { uploads, tables: tableReader },
    log,
    metrics,
    publicUrl: config.PUBLIC_URL,
    sendsMail: readMail(config) !== null,
    canaryMailbox: readCanaryMailbox(config)?.address ?? null,
    providers: payments.providers,
    payments: payments.offered,
    webFolder: releasePath(config.WEB_FOLDER),
    downloadsFolder: releasePath(config.DOWNLOADS_FOLDER),
    siteFolder: releasePath(config.SITE_FOLDER),
    webhookAllow: config.WEBHOOK_ALLOW,
    signInFailuresPerMinute: config.SIGN_IN_FAILURES_PER_MINUTE,
    connectAttemptsPerMinute: config.CONNECT_ATTEMPTS_PER_MINUTE,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    trustedProxies: config.TRUSTED_PROXIES,
  });
  const oidc = createOperatorOidc(config);
  const operator =
    config.OPERATOR_PORT === undefined
      ? null
      : createOperatorApi({
          ...sides,
          db,
          sealer,
          signer: createSigner(config.PORTAGE_KEYS),
          registry,
          log,
          publicUrl: config.PUBLIC_URL,
          operatorUrl: operatorUrlOf(config),
          oidc: oidc?.client ?? null,
          webFolder: releasePath(config.WEB_FOLDER),
          webhookAllow: config.WEBHOOK_ALLOW,
          signInFailuresPerMinute: config.SIGN_IN_FAILURES_PER_MINUTE,
          requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
          trustedProxies: config.TRUSTED_PROXIES,
        });
  closeWithGrace(
    { delay: config.SHUTDOWN_DELAY_MS + config.REQUEST_TIMEOUT_MS, logger: false },
    async ({ err, signal }) => {
      if (err) log.error({ err }, "stopping after an error");
      log.info({ signal }, "draining");
      // The load balancer and the clients see the drain before the server closes, so that no request is refused.
      api.drain();
      operator?.drain();
      if (!err) await sleep(config.SHUTDOWN_DELAY_MS);
      await Promise.all([api.app.close(), operator?.app.close()]);
      await closeSides();
      await oidc?.close();
      await payments.close();
      await stopMetrics();
      await infrastructure.close();
      log.info("stopped");
    },
  );
  if (operator) {
    await operator.app.listen({ host: config.OPERATOR_HOST, port: config.OPERATOR_PORT ?? 0 });
    log.info({ address: operator.app.listeningOrigin }, "operator API ready");
  }
  await api.app.listen({ host: config.HOST, port: config.PORT });
  log.info({ address: api.app.listeningOrigin, public_url: config.PUBLIC_URL }, "listening");
};

await start().catch(reportAndExit);
