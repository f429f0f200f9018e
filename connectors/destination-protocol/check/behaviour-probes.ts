import { familyStreams, findStream } from "@portage/connector-kit";
import { sampleRecords } from "@portage/connector-kit/conformance";
import { findAnswer, uploadHeader, uploadPath, writeAnswer } from "@portage/contract/destination-protocol";
import { callText, newId, notRefused, type Probe, type Probing } from "./probe.ts";

const atOnce = 8;

const itemOf = ({ plain }: Probing, key: string) => {
  const { at } = sampleRecords(plain, { seed: key, counts: {}, largeText: 0, hostile: false });
  return { key, id: null, record: at(0) };
};

const targetOf = ({ plain }: Probing) => ({ family: plain.family, stream: plain.name });

const fileStreamOf = ({ description }: Probing) =>
  description.families
    .flatMap(({ family, streams }) => streams.map(({ name }) => findStream(family, name)))
    .find((stream) => stream?.kind === "file");

/** What the protocol asks for beyond what the conformance suite can see through the connector. */
export const behaviourProbes: readonly Probe[] = [
  {
    name: "described-streams",
    shows: "every described stream is one of its family",
    async run({ description }) {
      for (const { family, streams } of description.families)
        for (const { name } of streams)
          if (!findStream(family, name))
            return `${family} has no stream ${name}; it has ${familyStreams[family].map((each) => each.name).join(", ")}.`;
      return null;
    },
  },
  {
    name: "unknown-stream",
    shows: "a stream that is not described is refused with 404",
    async run({ send, plain }) {
      const content = callText("find", { family: plain.family, stream: "no-such-stream", keys: ["probe"] });
      return notRefused(await send({ path: "/find", content }), 404);
    },
  },
  {
    name: "bad-form",
    shows: "a call that lacks what it needs is refused with 422",
    async run(probing) {
      const content = callText("write", targetOf(probing));
      return notRefused(await probing.send({ path: "/write", content }), 422);
    },
  },
  {
    name: "no-json",
    shows: "a body that is no JSON is refused with 400, or 401 where the signature is looked at later",
    async run({ send }) {
      const answer = await send({ path: "/describe", content: "{" });
      return answer.status === 401 ? null : notRefused(answer, 400);
    },
  },
  {
    name: "at-once",
    shows: `the same key written ${atOnce} times at the same moment leaves one record`,
    async run(probing) {
      const key = newId().slice(0, 40);
      const write = { ...targetOf(probing), items: [itemOf(probing, key)] };
      const answers = await Promise.all(
        Array.from({ length: atOnce }, () =>
          probing.send({ path: "/write", content: callText("write", write) }),
        ),
      );
      const odd = answers.find(({ status }) => status !== 200 && status !== 409 && status !== 429);
      if (odd) return `One of them was answered with ${odd.status}.`;
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
    shows: "bytes that are not those which the signed write names never become a file",
    async run(probing) {
      const stream = fileStreamOf(probing);
      if (!stream) return null;
      const key = newId().slice(0, 40);
      const target = { family: stream.family, stream: stream.name };
      const content = callText("upload", { ...target, key, contentType: "text/plain", size: 3 });
      const uploaded = await probing.send({
        path: uploadPath,
        content,
        body: "abc",
        headers: {
          "content-type": "application/octet-stream",
          [uploadHeader]: Buffer.from(content).toString("base64url"),
        },
      });
      if (uploaded.status !== 200) return `The upload was answered with ${uploaded.status}.`;
      const { at } = sampleRecords(stream, {
        seed: key,
        counts: { tickets: 1, tasks: 1 },
        largeText: 0,
        hostile: false,
      });
      const item = { key, id: null, record: at(0), file: { size: 3, sha256: "0".repeat(64) } };
      const written = await probing.send({
        path: "/write",
        content: callText("write", { ...target, items: [item] }),
      });
      if (written.status !== 200) return notRefused(written, 422);
      const [outcome] = writeAnswer.parse(JSON.parse(written.text)).outcomes;
      return outcome?.kind === "rejected" ? null : `It was ${outcome?.kind}.`;
    },
  },
];
