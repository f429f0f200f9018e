import { importIdPattern } from "@portage/contract";
import type { OldLinksService } from "../../../features/runs/index.ts";
import { createAttemptLimit } from "../../../platform/attempt-limit.ts";
import { networkOf } from "../../../platform/client-network.ts";
import { Problem } from "../../answer.ts";
import type { Mounted } from "../../server.ts";
import { noRecordPage } from "./problem-pages.ts";
import { requestTexts } from "./request-texts.ts";

/** Far more than a person who follows old links; a program that tries numbers one by one waits. */
const missesPerMinute = 300;

/** A browser asks again after a minute: an undo takes the copies away. */
const kept = "private, max-age=60";

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/**
 * The old address behind `/r/IMPORT/`, from the request target as it was sent: its query belongs to the old address, and its
 * escapes are the old tool's. Proxies merge the two slashes of a URL within a path. Null: it can't be read.
 */
export const oldAddressIn = (target: string): string | null => {
  const rest = /^\/+r\/+[^/]+\/+(.*)$/s.exec(target)?.[1] ?? "";
  if (/^https?:\//i.test(rest)) return rest.replace(/^(https?):\/+/i, "$1://");
  if (/^https?%3a/i.test(rest)) return decoded(rest);
  return decoded(rest.split("?", 1)[0] ?? "");
};

interface Needs {
  readonly resolve: OldLinksService["resolve"];
  /** Per IP address, of IPv6 per /64; omitted: the default. */
  readonly missesPerMinute?: number;
}

/**
 * Redirects from an address of the old tool to the record that it became. It needs no sign-in, because everyone who has an old
 * link follows it; the destination asks for its own. It leads only to addresses that the destination's connector makes.
 */
export const oldLinkRoute = ({ resolve, missesPerMinute: limit = missesPerMinute }: Needs): Mounted => {
  const misses = createAttemptLimit(limit);
  return {
    method: "GET",
    path: "/r/:import/*",
    answer: async (request) => {
      const client = networkOf(request.ip);
      const seconds = misses.waitSeconds(client);
      if (seconds > 0)
        throw new Problem("rate_limited", "Too many unknown addresses were opened from here.", {
          "retry-after": String(seconds),
        });
      const { import: importId = "" } = request.params as { import?: string };
      const address = oldAddressIn(request.raw.url ?? "");
      const found =
        address !== null && importIdPattern.test(importId) ? await resolve(importId, address) : null;
      if (found?.newAddress) {
        return {
          status: 302,
          headers: {
            location: found.newAddress,
            "cache-control": kept,
            // The new tool need not learn where the link was.
            "referrer-policy": "no-referrer",
            "x-robots-tag": "noindex",
          },
        };
      }
      misses.count(client);
      return noRecordPage(requestTexts(request));
    },
  };
};
