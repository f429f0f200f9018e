import { createHash } from "node:crypto";
import { type FamilyStream, familyStreams, findStream, leaveOutUnheld } from "@portage/connector-kit";
import { sampleRecords } from "@portage/connector-kit/conformance";
import { findAnswer, uploadHeader, uploadPath, writeAnswer } from "@portage/contract/destination-protocol";
import { describedStreamOf } from "../protocol-stream.ts";
import { callText, newId, notRefused, type Probe, type Probing, standsAlone } from "./probe.ts";

const parallelWrites = 8;

/** A record with the fields that the destination holds; null: the stream can have none without a parent. */
const recordFor = ({ description }: Probing, stream: FamilyStream, key: string) => {
  const { at } = sampleRecords(stream, { seed: key, counts: {}, largeText: 0, hostile: false });
  const record = at(0);
  const addedFields = describedStreamOf(description, stream)?.addedFields ?? [];
  return record && leaveOutUnheld({ stream, addedFields }, record).record;
};

const itemOf = (probing: Probing, key: string) => ({
  key,
  id: null,
  record: recordFor(probing, probing.plain, key),
});

const targetOf = ({ plain }: Probing) => ({ family: plain.family, stream: plain.name });

const streamsOf = ({ description }: Probing): readonly FamilyStream[] =>
  description.families.flatMap(({ family, streams }) =>
    streams.flatMap(({ name }) => findStream(family, name) ?? []),
  );

const outcomesOf = async ({ send }: Probing, stream: FamilyStream, item: object) => {
  const fields = { family: stream.family, stream: stream.name, items: [item] };
  const { status, text } = await send({ path: "/write", content: callText("write", fields) });
  return status === 200 ? writeAnswer.parse(JSON.parse(text)).outcomes[0] : undefined;
};

const removeOne = ({ send }: Probing, { family, name }: FamilyStream, id: string, key: string) =>
  send({ path: "/remove", content: callText("remove", { family, stream: name, items: [{ id, key }] }) });

/** Creates a parent record for a file, if files need one. */
const parentFor = async (probing: Probing, { family, parent, relations }: FamilyStream, key: string) => {
  const to: readonly string[] = parent === null ? [] : (relations[parent]?.to ?? []);
  const stream = streamsOf(probing).find(
    (each) => each.family === family && to.includes(each.name) && standsAlone(each),
  );
  if (!stream) return null;
  const record = recordFor(probing, stream, key);
  const outcome = await outcomesOf(probing, stream, { key, id: null, record });
  return outcome && "id" in outcome ? { stream, id: outcome.id } : null;
};

const uploadBytes = ({ send }: Probing, { family, name }: FamilyStream, key: string, bytes: string) => {
  const content = callText("upload", {
    family,
    stream: name,
    key,
    contentType: "text/plain",
    size: Buffer.byteLength(bytes),
  });
  const statement = Buffer.from(content).toString("base64url");
  const headers = { "content-type": "application/octet-stream", [uploadHeader]: statement };
  return send({ path: uploadPath, content, body: bytes, headers });
};

/** Requirements of the protocol that the conformance suite can't check through the connector. */
export const behaviourProbes: readonly Probe[] = [
  {
    name: "described-streams",
    shows: "every described stream belongs to its family",
    async run({ description }) {
      for (const { family, streams } of description.families)
        for (const { name } of streams)
          if (!findStream(family, name))
            return `${family} has no stream ${name}; it has ${familyStreams[family].map((each) => each.name).join(", ")}.`;
      return null;
    },
  },
  {
    name: "described-fields",
    shows: "every field that a stream names in addedFields was added to it",
    async run({ description }) {
      for (const { family, streams } of description.families)
        for (const { name, addedFields } of streams) {
          const known = findStream(family, name)?.addedFields;
          // Another probe reports an unknown stream.
          if (!known) continue;
          const odd = addedFields.find((field) => !known.includes(field));
          if (odd !== undefined)
            return `${family}.${name} got no field ${odd} after its first version; it got ${known.join(", ") || "none"}.`;
        }
      return null;
    },
  },
  {
    name: "unknown-stream",
    shows: "the destination refuses a stream that it does not describe with 404",
    async run({ send, plain }) {
      const content = callText("find", { family: plain.family, stream: "no-such-stream", keys: ["probe"] });
      return notRefused(await send({ path: "/find", content }), 404);
    },
  },
  {
    name: "bad-form",
    shows: "the destination refuses a call that lacks a required field with 422",
    async run(probing) {
      const content = callText("write", targetOf(probing));
      return notRefused(await probing.send({ path: "/write", content }), 422);
    },
  },
  {
    name: "no-json",
    shows:
      "the destination refuses a body that is not JSON with 400, or 401 if it checks the signature later",
    async run({ send }) {
      const answer = await send({ path: "/describe", content: "{" });
      return answer.status === 401 ? null : notRefused(answer, 400);
    },
  },
  {
    name: "at-once",
    shows: `${parallelWrites} parallel writes of the same key leave one record`,
    async run(probing) {
      const key = newId().slice(0, 40);
      const write = { ...targetOf(probing), items: [itemOf(probing, key)] };
      const answers = await Promise.all(
        Array.from({ length: parallelWrites }, () =>
          probing.send({ path: "/write", content: callText("write", write) }),
        ),
      );
      const odd = answers.find(({ status }) => status !== 200 && status !== 409 && status !== 429);
      if (odd) return `The destination answered one of them with ${odd.status}.`;
      const ids = new Set<string>();
      for (const { text } of answers.filter(({ status }) => status === 200))
        for (const outcome of writeAnswer.parse(JSON.parse(text)).outcomes)
          if ("id" in outcome) ids.add(outcome.id);
      const found = await probing.send({
        path: "/find",
        content: callText("find", { ...targetOf(probing), keys: [key] }),
      });
      for (const each of findAnswer.parse(JSON.parse(found.text)).found) each.ids.map((id) => ids.add(id));
      const items = [...ids].map((id) => ({ id, key }));
      if (items.length > 0)
        await probing.send({ path: "/remove", content: callText("remove", { ...targetOf(probing), items }) });
      return ids.size === 1 ? null : `There are ${ids.size} records.`;
    },
  },
  {
    name: "other-bytes",
    shows: "the destination rejects a file whose bytes differ from the digest in the signed write",
    async run(probing) {
      const stream = streamsOf(probing).find(({ kind }) => kind === "file");
      if (!stream) return null;
      const key = newId().slice(0, 40);
      const parent = await parentFor(probing, stream, key);
      if (stream.parent !== null && !parent) return "No record can be the parent of a file.";
      const uploaded = await uploadBytes(probing, stream, key, "abc");
      if (uploaded.status !== 200) return `The destination answered the upload with ${uploaded.status}.`;
      const known = parent ? { parent: { stream: parent.stream.name, id: parent.id } } : {};
      const blank = { id: "1", fileName: "probe.txt", contentType: "text/plain" };
      const record = { ...(recordFor(probing, stream, key) ?? blank), ...known, size: 3 };
      const digest = createHash("sha256").update("abc").digest("hex");
      const write = (sha256: string) =>
        outcomesOf(probing, stream, { key, id: null, record, file: { size: 3, sha256 } });
      const wrong = await write("0".repeat(64));
      const right = await write(digest);
      if (right && "id" in right) await removeOne(probing, stream, right.id, key);
      if (parent) await removeOne(probing, parent.stream, parent.id, key);
      if (right?.kind !== "written") return `The right bytes were ${right?.kind ?? "refused"}.`;
      return wrong?.kind === "rejected" ? null : `Wrong bytes were ${wrong?.kind ?? "refused as a whole"}.`;
    },
  },
];
