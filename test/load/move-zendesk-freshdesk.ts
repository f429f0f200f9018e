// `npm run prove:move-zendesk-freshdesk`: a nasty Zendesk of 2,000 tickets, 8,000 comments and 600 files moves into Freshdesk, both
// stand-ins that are held to descriptions and keep the vendors' quotas. --scale 0.01 for a small run without quotas.
import { prove } from "../support/proof.ts";
import { startFreshdesk } from "../vendors/freshdesk/stand-in.ts";
import { freshdeskSide } from "../vendors/freshdesk/side.ts";
import { zendeskSide } from "../vendors/zendesk/side.ts";
import { startZendesk } from "../vendors/zendesk/stand-in.ts";
import { proveMove, quotaUsed, seedOf, sizesFor } from "./moves/prove-move.ts";

const maxSourceCallsPerTicket = 0.1;
const leastQuotaUsed = 0.95;
const askFile = "GET /api/v2/attachments/{attachment_id}";
/** Of all files of a ticket. */
const maxFileBytes = 20 * 1024 * 1024;
/** What binds each kind of write, by the vendor's largest plan. */
const phases = {
  tickets: { operation: /^POST .*tickets$/, perMinute: 280, counts: "these calls" },
  notes: { operation: /^POST .*notes$/, perMinute: 700, counts: "every call" },
} as const;

await prove("move-zendesk-freshdesk", async (proof) => {
  const seed = seedOf(proof);
  const quotas = proof.scale === 1 ? {} : ({ quotas: "off" } as const);
  const sizes = sizesFor(proof);
  const zendesk = await startZendesk({ seed, sizes, exportLagMs: 0, ...quotas });
  proof.afterwards(() => zendesk.close());
  const freshdesk = await startFreshdesk({ sizes: null, ...quotas });
  proof.afterwards(() => freshdesk.close());
  // Freshdesk mails whom it makes an agent, so agents are never created: a customer's are there already.
  const admin = freshdesk.tables.people.get(freshdesk.ids.get("admin") ?? 0)?.data;
  for (const { data } of zendesk.tables.users.live())
    if (admin && data.role === "agent")
      freshdesk.tables.people.insert({ data: { ...admin, name: data.name, email: data.email } });
  const { report, sourceCalls, destinationCalls, seconds } = await proveMove(proof, {
    source: { ...zendesk, tool: "zendesk", side: zendeskSide(zendesk) },
    destination: {
      ...freshdesk,
      tool: "freshdesk",
      side: freshdeskSide(freshdesk),
      counted: () => freshdesk.counted,
      tooLargeFiles: sizes.largeFileBytes > maxFileBytes ? 1 : 0,
    },
  });
  const tickets = report.streams.find(({ stream }) => stream === "tickets")?.source ?? 0;
  const perTicket = (calls: number) => Math.round((calls / tickets) * 1000) / 1000;
  // Each file is read by itself, twice: its link, and its bytes, which come from another host.
  const fileCalls = sourceCalls.filter(({ operation }) => operation === askFile).length;
  const callsPerTicket = perTicket(sourceCalls.length - fileCalls);
  // A small desk has as many kinds of records as a large one: the bound is about many tickets.
  proof.aims(
    `at most ${maxSourceCallsPerTicket} calls to the source per ticket, besides files`,
    callsPerTicket <= maxSourceCallsPerTicket,
    callsPerTicket,
  );
  const used = {
    tickets: quotaUsed(destinationCalls, phases.tickets),
    notes: quotaUsed(destinationCalls, phases.notes),
  };
  proof.aims(
    `at least ${leastQuotaUsed} of the limit that binds is used, of new tickets and then of all calls`,
    Math.min(used.tickets, used.notes) >= leastQuotaUsed,
    used,
  );
  return {
    seed,
    tickets,
    sourceCalls: sourceCalls.length,
    fileCalls,
    callsPerTicket,
    quotaUsed: used,
    runSeconds: seconds,
  };
});
