import { uploadHeader, uploadPath } from "@portage/contract/destination-protocol";
import { signatureHeaders } from "@portage/contract/signing";
import { callText, newId, notRefused, type OddCall, type Probe, type Probing } from "./probe.ts";

const sixMinutes = 6 * 60_000;

const refuses = async ({ send }: Probing, call: OddCall) => notRefused(await send(call), 401);

const otherSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Fixed headers, so that two requests are identical byte for byte. */
const frozen = ({ settings }: Probing, content: string): OddCall => ({
  path: "/describe",
  content,
  unsigned: true,
  headers: signatureHeaders({
    secrets: [settings.token],
    id: newId(),
    timestampSeconds: Math.floor(Date.now() / 1000),
    content,
  }),
});

/** The destination must accept only calls from Portage, and an intercepted call must be useless to an attacker. */
export const signatureProbes: readonly Probe[] = [
  {
    name: "unsigned",
    shows: "the destination refuses a call without signatures",
    run: (probing) => refuses(probing, { path: "/describe", content: callText("describe"), unsigned: true }),
  },
  {
    name: "wrong-secret",
    shows: "the destination refuses a call signed with another secret",
    run: (probing) =>
      refuses(probing, { path: "/describe", content: callText("describe"), secret: otherSecret }),
  },
  {
    name: "tampered",
    shows: "the destination refuses a body that changed after signing",
    run: (probing) =>
      refuses(probing, {
        path: "/describe",
        content: callText("describe"),
        body: callText("describe", { peopleAfter: "1" }),
      }),
  },
  {
    name: "too-old",
    shows: "the destination refuses a call from six minutes ago",
    run: (probing) => {
      const at = Date.now() - sixMinutes;
      return refuses(probing, { path: "/describe", content: callText("describe", {}, at), at });
    },
  },
  {
    name: "too-early",
    shows: "the destination refuses a call from six minutes in the future",
    run: (probing) => {
      const at = Date.now() + sixMinutes;
      return refuses(probing, { path: "/describe", content: callText("describe", {}, at), at });
    },
  },
  {
    name: "replayed",
    shows: "the destination refuses a replayed call",
    async run(probing) {
      const again = frozen(probing, callText("describe"));
      const first = await probing.send(again);
      if (first.status !== 200) return `The first time it answered ${first.status}.`;
      return refuses(probing, again);
    },
  },
  {
    name: "other-call",
    shows: "the destination refuses a body signed for another call",
    run: (probing) => {
      const { family, name } = probing.plain;
      return refuses(probing, {
        path: "/find",
        content: callText("read", { family, stream: name, ids: ["1"], keys: ["probe"] }),
      });
    },
  },
  {
    name: "tampered-upload",
    shows: "the destination refuses an upload whose statement changed after signing",
    async run(probing) {
      const file = probing.description.families
        .flatMap(({ family, streams }) => streams.map(({ name }) => ({ family, stream: name })))
        .find(({ stream }) => stream === "attachments" || stream === "media");
      if (!file) return null;
      const statement = (key: string) =>
        callText("upload", { ...file, key, contentType: "text/plain", size: 3 });
      return refuses(probing, {
        path: uploadPath,
        content: statement("probe-a"),
        body: "abc",
        headers: {
          "content-type": "application/octet-stream",
          [uploadHeader]: Buffer.from(statement("probe-b")).toString("base64url"),
        },
      });
    },
  },
];
