// `npm run prove:move-freshdesk-zendesk`: a nasty Freshdesk moves into Zendesk, both stand-ins that are held to descriptions and keep
// the vendors' quotas. Tickets arrive with their comments, by jobs, and answers about jobs get lost. --scale 0.01 for a small run.
import { createRandom } from "@portage/connector-kit/conformance";
import { prove } from "../support/proof.ts";
import { startFreshdesk } from "../vendors/freshdesk/stand-in.ts";
import { freshdeskSide } from "../vendors/freshdesk/side.ts";
import { zendeskSide } from "../vendors/zendesk/side.ts";
import { startZendesk } from "../vendors/zendesk/stand-in.ts";
import { proveMove, seedOf, sizesFor } from "./moves/prove-move.ts";

const create = "POST /api/v2/imports/tickets/create_many";
const status = "GET /api/v2/job_statuses/{job_status_id}";
const lostEveryMs = 400;

await prove("move-freshdesk-zendesk", async (proof) => {
  const seed = seedOf(proof);
  const maxLost = proof.size(30, 1);
  const quotas = proof.scale === 1 ? {} : ({ quotas: "off" } as const);
  const freshdesk = await startFreshdesk({ seed, sizes: sizesFor(proof), ...quotas });
  proof.afterwards(() => freshdesk.close());
  const zendesk = await startZendesk({ sizes: null, exportLagMs: 0, jobMs: 2_000, ...quotas });
  proof.afterwards(() => zendesk.close());
  const random = createRandom(`${seed}/lost`);
  const lost = () =>
    zendesk.calls.filter(
      ({ operation, status: sent }) => sent === null && [create, status].includes(operation),
    ).length;
  const loseAnswers = () => {
    const timer = setInterval(() => {
      zendesk.clearFaults();
      if (lost() < maxLost) zendesk.fault(random.pick([create, status]), "lose answer");
    }, lostEveryMs);
    return () => {
      clearInterval(timer);
      zendesk.clearFaults();
    };
  };
  const { report, destinationCalls, seconds } = await proveMove(
    proof,
    {
      source: { ...freshdesk, tool: "freshdesk", side: freshdeskSide(freshdesk) },
      destination: {
        ...zendesk,
        tool: "zendesk",
        side: zendeskSide(zendesk),
        counted: () => zendesk.counted,
      },
    },
    loseAnswers,
  );
  const tickets = report.streams.find(({ stream }) => stream === "tickets")?.source ?? 0;
  const comments = report.streams.find(({ stream }) => stream === "comments");
  const times = (operation: string) => destinationCalls.filter((call) => call.operation === operation).length;
  const declared = (comments?.changes ?? []).filter(({ field }) => ["createdAt", "author"].includes(field));
  proof.holds("comments keep dates and authors", declared.length === 0, declared);
  const updates = times("PUT /api/v2/tickets/{ticket_id}") + times("PUT /api/v2/tickets/update_many");
  proof.holds("no ticket is updated", updates === 0, updates);
  const creations = times(create);
  proof.meets("at most one call per 50 tickets creates them", creations <= tickets / 50, creations);
  proof.holds(`${maxLost} answers about jobs were lost`, lost() >= maxLost, lost());
  return { seed, tickets, creations, updates, lostAnswers: lost(), runSeconds: seconds };
});
