// `npm run prove:upload`: a customer uploads a CSV file of 5 GB in chunks, one of them broken off and one repeated, and the
// whole of it is read and moved. The API and the worker each take at most 150 MB over idle. --scale 0.01 for a small run.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  WizardInspectedFiles,
  WizardReport,
  WizardUpload,
  WizardUploads,
} from "@portage/contract/wizard";
import { createCustomerClient } from "../support/customer-client.ts";
import { createFixture } from "../support/fixture.ts";
import { givenPartner } from "../support/fixtures.ts";
import { freePort } from "../support/free-port.ts";
import { createPartnerClient } from "../support/partner-client.ts";
import { type Proof, prove } from "../support/proof.ts";
import { startRestate } from "../support/restate-process.ts";
import { untilCompleted } from "../support/run-fixture.ts";
import { startStandInProcess } from "../support/stand-in-process.ts";
import { startWorkerProcess } from "../support/worker-process.ts";
import { standInPackages } from "../tools/stand-in-package/index.ts";
import { forgetPeak, residentBytes } from "./memory/process-memory.ts";

const mb = 1_000_000;
const maxOverIdleMb = 150;
const longestMs = 4 * 3_600_000;
const logs = join(import.meta.dirname, "../../artifacts/upload");

const header = Buffer.from("Ticket ID,Subject,Status,Created at,Export\n");
const rowBytes = 100_000;

/** One row, always as long; its last column, which is not moved, holds most of it. */
const rowOf = (index: number): Buffer => {
  const start = `${index + 1},Ticket ${index + 1},open,2026-01-01 10:00,"`;
  const filler = 'Größer, "" quoted\n'.repeat(Math.ceil(rowBytes / 19));
  const row = Buffer.alloc(rowBytes, "x");
  Buffer.from(start).copy(row);
  const room = rowBytes - Buffer.byteLength(start) - 2 - 100;
  // Cut between two repetitions, so that no character and no pair of quotes is split.
  const each = Buffer.from('Größer, "" quoted\n').length;
  Buffer.from(filler).copy(row, Buffer.byteLength(start), 0, Math.floor(room / each) * each);
  row.write('"\n', rowBytes - 2);
  return row;
};

/** The bytes of the file from an offset on, as a browser slices a file: nothing is held. */
const bytesAt = (size: number, offset: number, length: number): Buffer => {
  const parts: Buffer[] = [];
  for (let at = offset; at < Math.min(offset + length, size); ) {
    const inRows = at - header.length;
    const part =
      inRows < 0 ? header.subarray(at) : rowOf(Math.floor(inRows / rowBytes)).subarray(inRows % rowBytes);
    const wanted = part.subarray(0, Math.min(part.length, offset + length - at, size - at));
    parts.push(wanted);
    at += wanted.length;
  }
  return Buffer.concat(parts);
};

const peakOf = (pid: number) => residentBytes(pid).peak / mb;

/** The memory of a process when it has served a little and rests. */
const idleOf = async (pid: number) => {
  await sleep(2_000);
  const idle = residentBytes(pid).now / mb;
  forgetPeak(pid);
  return idle;
};

const startAll = async (proof: Proof) => {
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const tool = await startStandInProcess({ counts: {}, lean: true, hostile: false, largeText: 0 });
  proof.afterwards(() => tool.stop());
  const restate = await startRestate();
  proof.afterwards(() => restate.remove());
  const fixture = await createFixture(proof);
  const env = {
    ...fixture.env,
    PORTAGE_CONNECTORS: standInPackages.join(","),
    OUTBOUND_ALLOW: tool.host,
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEYS: restate.identityKey,
    STAND_IN_BATCH_SIZE: "100",
  };
  const api = await fixture.startApi({
    env: { ...env, PORT: String(await freePort()) },
    logFile: join(logs, "api.log"),
  });
  const worker = await startWorkerProcess({ env, logFile: join(logs, "worker-1.log") });
  proof.afterwards(() => worker.stop());
  return { tool, fixture, api, worker };
};

await prove("upload", async (proof) => {
  const rows = proof.size(50_000, 200);
  const size = header.length + rows * rowBytes;
  const { tool, fixture, api, worker } = await startAll(proof);
  const { token } = await givenPartner(fixture.db, { destinationTool: "stand-in", payer: "partner" });
  const partner = createPartnerClient(api.url, token);
  const made = await partner.createImport({ source_tool: "csv", family: "helpdesk", start_full: true });
  const customer = createCustomerClient(api.url, made);
  const base = `${api.url}/wizard/api/imports/${made.id}/connections/source/uploads`;
  const authorization = `Bearer ${made.token}`;
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { chunkBytes, pieceBytes } = await ask<WizardUploads>("GET", "");
  const idle = { api: await idleOf(api.pid), worker: await idleOf(worker.pid) };
  proof.say(
    `idle: API ${Math.round(idle.api)} MB, worker ${Math.round(idle.worker)} MB; file ${size / mb} MB`,
  );

  const { id } = await ask<WizardUpload>("POST", "", { name: "tickets.csv", size });
  const put = (offset: number, body: Buffer, signal?: AbortSignal) =>
    fetch(`${base}/${id}/bytes?offset=${offset}`, {
      method: "PUT",
      headers: { authorization },
      body: new Uint8Array(body),
      ...(signal && { signal }),
    });
  const receivedSoFar = async () => (await ask<WizardUploads>("GET", "")).files[0]?.received ?? 0;
  const began = performance.now();
  let chunks = 0;
  let broken = 0;
  let refused = 0;
  for (let received = 0; received < size; chunks += 1) {
    const body = bytesAt(size, received, chunkBytes);
    // Every twentieth chunk is broken off on the way.
    if (chunks % 20 === 1) {
      broken += 1;
      await put(received, body, AbortSignal.timeout(20)).catch(() => {});
      // What of it arrived may still be being stored.
      await sleep(500);
      received = await receivedSoFar();
      continue;
    }
    const answer = await put(received, body);
    if (answer.ok && refused < broken) refused += Number((await put(received, body)).status === 409);
    const progress = (await answer.json()) as { received?: number; current?: { received: number } };
    received = progress.received ?? progress.current?.received ?? (await receivedSoFar());
  }
  const uploadSeconds = (performance.now() - began) / 1_000;
  proof.holds("all bytes are received", (await receivedSoFar()) === size, size);
  proof.holds("chunks were broken off, and repeated ones refused", broken > 0 && refused > 0, {
    broken,
    refused,
  });
  proof.say(`the API's peak over idle after the upload: ${Math.round(peakOf(api.pid) - idle.api)} MB`);
  const { files } = await ask<WizardInspectedFiles>("POST", "/inspect", {
    files: [{ file: id, fields: { 4: null } }],
  });
  const [file] = files;
  proof.holds(
    "its columns are recognized",
    file?.stream === "tickets" && file.questions.length === 0,
    file?.questions,
  );
  proof.say(`… after its columns were suggested: ${Math.round(peakOf(api.pid) - idle.api)} MB`);
  const settings = { files: { tickets: { file: id, columns: file?.columns ?? [] } } };
  await ask("POST", "/check", { settings });
  await customer.connect("source", settings);
  const apiOver = Math.round(peakOf(api.pid) - idle.api);
  proof.meets(`the API takes at most ${maxOverIdleMb} MB over idle`, apiOver <= maxOverIdleMb, apiOver);
  const megabytesPerSecond = Math.round(size / mb / uploadSeconds);
  proof.say(`uploaded in ${Math.round(uploadSeconds)} s, ${chunks} chunks of up to ${chunkBytes} bytes`);

  const startedAt = performance.now();
  const { token: account } = await tool.control.newAccount();
  await customer.connect("destination", { instanceUrl: tool.url, token: account });
  await untilCompleted({ customer }, longestMs);
  const runSeconds = Math.round((performance.now() - startedAt) / 1_000);
  const workerOver = Math.round(peakOf(worker.pid) - idle.worker);
  proof.meets(
    `the worker takes at most ${maxOverIdleMb} MB over idle`,
    workerOver <= maxOverIdleMb,
    workerOver,
  );
  const answer = await fetch(`${api.url}/wizard/api/imports/${made.id}/report`, {
    headers: { authorization },
  });
  const report = (await answer.json()) as WizardReport;
  const tickets = report.streams.find(({ stream }) => stream === "tickets");
  proof.holds("every row is moved", (await partner.showImport(made.id)).items["tickets"] === rows, rows);
  proof.holds("the report counts every row", tickets?.source === rows, tickets);

  const erased = await fetch(`${api.url}/wizard/api/imports/${made.id}/connections/source`, {
    method: "DELETE",
    headers: { authorization },
  });
  const { rows: keys } = await fixture.db.pool.query("select from uploads where length(data_key) > 0");
  proof.holds("disconnecting destroys the file's key at once", erased.ok && keys.length === 0);
  return {
    file_mb: Math.round(size / mb),
    rows,
    chunk_bytes: chunkBytes,
    piece_bytes: pieceBytes,
    upload_mb_per_second: megabytesPerSecond,
    run_seconds: runSeconds,
    api_idle_mb: Math.round(idle.api),
    api_over_idle_mb: apiOver,
    worker_idle_mb: Math.round(idle.worker),
    worker_over_idle_mb: workerOver,
  };
});
