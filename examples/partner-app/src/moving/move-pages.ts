import type { Tool } from "@portage/sdk";
import { type Html, html } from "../pages/html.ts";
import { when } from "../pages/parts.ts";
import type { Move } from "../store/store-moves.ts";

const moveName = (move: Move) => `Move ${move.id} from ${move.sourceTool}`;

export const movesPage = (
  tools: readonly Tool[],
  moves: readonly Move[],
  formKey: string,
  problems: readonly string[] = [],
): Html => html`<h1>Move your data here</h1>
${problems.length > 0 ? html`<div class="card" role="alert"><p>That did not work.</p><ul>${problems.map((each) => html`<li>${each}</li>`)}</ul></div>` : null}
<p>Bring tickets, contacts and articles along from the tool that you have used so far. You see a free sample first.</p>
${
  tools.length > 0
    ? html`<form method="post" action="/moves" class="start">
<input type="hidden" name="key" value="${formKey}">
<div><label for="tool">Where is your data now?</label>
<select id="tool" name="tool" required>${tools.map(({ name, label }) => html`<option value="${name}">${label}</option>`)}</select></div>
<button>Move your data here</button>
</form>`
    : html`<p>Moving is not possible just now. Please try again in a few minutes.</p>`
}
${
  moves.length > 0
    ? html`<h2>Moves so far</h2><ul>${moves.map(
        (move) =>
          html`<li><a href="/moves/${move.id}">${moveName(move)}</a>: ${move.closed ? "ended" : (move.status ?? "being started")}</li>`,
      )}</ul>`
    : null
}`;

const itemList = (items: Move["items"]): Html | null => {
  const moved = Object.entries(items).filter(([, count]) => count > 0);
  if (moved.length === 0) return null;
  return html`<dl>${moved.map(([stream, count]) => html`<div><dt>${stream}</dt><dd>${count}</dd></div>`)}</dl>`;
};

const decisionForm = (move: Move): Html => html`<section class="card" aria-labelledby="asks">
<h2 id="asks">The full migration is asked for</h2>
<p>The sample was liked. Do you pay for the rest, or shall the customer?</p>
<form method="post" action="/moves/${move.id}/decision">
<button name="decision" value="accept">We pay</button>
<button name="decision" value="reject" class="plain">The customer pays</button>
</form></section>`;

const decisions: Readonly<Record<Move["decision"], string | null>> = {
  undecided: null,
  asked: null,
  accepted: "You pay for the full migration.",
  rejected: "The customer pays for the full migration.",
};

/** Portage's pages in a frame, below the status of the move as on the move's own page. */
export const framedPage = (
  move: Move,
  redirectUrl: string,
): Html => html`<p class="crumb"><a href="/moves/${move.id}">${moveName(move)}</a></p>
<h1>Go on with your move</h1>
<iframe class="portage" src="${redirectUrl}" title="Your move at Portage" referrerpolicy="no-referrer"></iframe>
<p class="quiet">Nothing to see here? <a href="${redirectUrl}" rel="noreferrer">Open it on a page of its own</a>.</p>`;

/** #move contains everything that changes while the page is open. */
export const movePage = (
  move: Move,
  isFramed: boolean,
): Html => html`<p class="crumb"><a href="/moves">All moves</a></p>
<h1>${moveName(move)}</h1>
<div id="move">
<p role="status"><strong>${move.closed ? "Ended" : (move.status ?? "Being started")}</strong></p>
${move.needsAttention && !move.closed ? html`<p class="card">A person has to sign in again before it can go on.</p>` : null}
${itemList(move.items)}
${decisions[move.decision] ? html`<p>${decisions[move.decision]}</p>` : null}
${move.decision === "asked" && !move.closed ? decisionForm(move) : null}
${
  move.redirectUrl !== null && !move.closed
    ? html`<p><a class="go" href="${isFramed ? `/moves/${move.id}/portage` : move.redirectUrl}" rel="noreferrer">${isFramed ? "Go on here" : "Go on at Portage"}</a></p>
<form method="post" action="/moves/${move.id}/cancel"><button class="plain">Cancel this move</button></form>`
    : null
}
<p class="quiet">Started ${when(move.createdAt)}.</p>
</div>
<script src="/move.js" defer></script>`;
