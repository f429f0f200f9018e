import { escapeHtml } from "../../platform/escape-html.ts";
import { type DisabledNotice, disabledTexts } from "../webhooks/index.ts";
import { cleanText } from "./clean-text.ts";
import type { Composed } from "./compose.ts";

const nextSteps: Readonly<Record<"partner" | "operator", string>> = {
  partner:
    "Repair the receiver, then enable the endpoint: POST /webhook-endpoint/enable. The waiting events are sent then, in order.",
  operator: "Ask the operator of this service to enable it. The waiting events are sent then, in order.",
};

/** The mail to a partner's contact that its webhook endpoint is disabled. Of its address it names the host only. */
export const composeDisabledNotice = (
  { partnerName, url, disabledAt, because }: DisabledNotice,
  publicUrl: string,
): Composed => {
  const subject = "Your webhook endpoint is disabled";
  const lines = [
    `Portage sends no more events of ${cleanText(partnerName)} to ${new URL(url).host}. The endpoint is disabled since ` +
      `${disabledAt.toISOString()}: ${disabledTexts[because]}.`,
    "Nothing is lost: events wait for 30 days, and GET /events lists them.",
    nextSteps[because === "operator" ? "operator" : "partner"],
    `The reference of the API: ${publicUrl}/docs/api`,
  ];
  return {
    subject,
    text: [...lines, "-- \nYou get this because the operator has entered this address as your contact."].join(
      "\n\n",
    ),
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${subject}</title></head><body>${lines
      .map((line) => `<p>${escapeHtml(line)}</p>`)
      .join("")}</body></html>`,
  };
};
