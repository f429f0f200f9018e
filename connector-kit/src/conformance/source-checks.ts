import { isDeepStrictEqual } from "node:util";
import { ownersOf, referencesOf } from "../families/references.ts";
import type { FamilyRecord } from "../families/stream.ts";
import type { Cursor } from "../page.ts";
import type { Check } from "./check.ts";
import { countChecks } from "./count-checks.ts";
import { ConformanceFailure, assert } from "./assert.ts";
import { eachSource } from "./each-source.ts";
import { fileDigest } from "./file-digest.ts";
import { secretsOf } from "./secrets-of.ts";

const jsonOf = (cursor: Cursor) => JSON.parse(JSON.stringify(cursor)) as Cursor;

export const sourceChecks: readonly Check[] = [
  {
    name: "schema",
    shows: "every record matches its family's schema",
    role: "source",
    run: eachSource(async (session, stream, name) => {
      for (const record of (await session.readOnce(stream)).records) {
        const parsed = stream.stream.schema.safeParse(record);
        assert(
          parsed.success,
          `${name} ${record.id}: ${parsed.error?.issues.map(({ path }) => path.join(".")).join(", ")}`,
        );
        assert(
          isDeepStrictEqual(parsed.data, record),
          `${name} ${record.id} has fields that its family lacks.`,
        );
      }
    }),
  },
  {
    name: "unique-keys",
    shows: "no record appears twice while nothing changes",
    role: "source",
    run: eachSource(async (session, stream, name) => {
      const { records } = await session.readOnce(stream);
      assert(new Set(records.map(({ id }) => id)).size === records.length, `${name} has a duplicate id.`);
    }),
  },
  {
    name: "flat-cursors",
    shows: "cursors survive JSON and contain no secret",
    role: "source",
    run: eachSource(async (session, stream, name) => {
      const settings = session.subject.settings as Record<string, string | undefined>;
      const secrets = secretsOf(session.subject.connector.manifest).map((key) => settings[key] ?? "");
      for (const { cursor } of (await session.readOnce(stream)).places) {
        if (cursor === null) continue;
        const flat = Object.values(cursor).every((value) =>
          ["string", "number", "boolean"].includes(typeof value),
        );
        assert(flat && isDeepStrictEqual(jsonOf(cursor), cursor), `${name} has a cursor that JSON changes.`);
        const text = JSON.stringify(cursor);
        assert(
          !secrets.some((secret) => secret !== "" && text.includes(secret)),
          `${name} has a secret in its cursor.`,
        );
      }
    }),
  },
  {
    name: "resume",
    shows: "resuming from any cursor equals a full read",
    role: "source",
    after: ["unique-keys", "flat-cursors"],
    run: eachSource(async (session, stream, name) => {
      if (stream.perParent) return;
      const { records, places } = await session.readOnce(stream);
      const step = Math.max(1, Math.floor(places.length / 5));
      for (const { cursor, before } of session.some(places.filter((_, index) => index % step === 0))) {
        const rest = await session.read(stream, null, cursor === null ? null : jsonOf(cursor));
        assert(
          isDeepStrictEqual(
            rest.records.map(({ id }) => id),
            records.slice(before).map(({ id }) => id),
          ),
          `${name}: resuming after record ${before} returns other records than the full read.`,
        );
      }
    }),
  },
  {
    name: "smaller-pages",
    shows: "a smaller page begins where a larger one would, and so do ids if they share its cursors",
    role: "source",
    after: ["resume"],
    run: eachSource(async (session, stream, name) => {
      if (stream.perParent) return;
      const { records, places } = await session.readOnce(stream);
      const step = Math.max(1, Math.floor(places.length / 3));
      for (const { cursor, before } of places.filter((_, index) => index % step === 0)) {
        const at = { cursor: cursor && jsonOf(cursor), since: null, parentId: null, size: 1 };
        const [first] = (await stream.readPage(session.io(), at)).records;
        const expected = records[before]?.id;
        assert(
          first === undefined || first.id === expected,
          `${name}: a page of one record after record ${before} begins with ${first?.id}, not with ${expected}.`,
        );
        if (!stream.sharedCursors) continue;
        const [id] = (await stream.readIds?.(session.io(), at))?.records ?? [];
        assert(
          id === expected,
          `${name}: ids after record ${before} begin with ${id}, not with ${expected}.`,
        );
      }
    }),
  },
  {
    name: "ids",
    shows: "ids that come without their records are those of a full read",
    role: "source",
    after: ["unique-keys"],
    async run(session) {
      let tried = 0;
      for (const stream of session.sources) {
        const listed = await session.readIds(stream);
        if (!listed) continue;
        tried += 1;
        const { name } = stream.stream;
        const { records, unreadable } = await session.readOnce(stream);
        // The final count is made of these: a missing one would count as deleted, another one as lost.
        const ids = new Set([...listed.records, ...listed.unreadable]);
        const read = new Set([...records.map(({ id }) => id), ...unreadable]);
        const missing = [...read].filter((id) => !ids.has(id));
        const others = [...ids].filter((id) => !read.has(id));
        assert(missing.length === 0, `${name}: ${missing.length} ids are missing, such as ${missing[0]}.`);
        assert(others.length === 0, `${name}: ${others.length} ids have no record, such as ${others[0]}.`);
      }
      return tried === 0 ? { skipped: "no stream returns ids without their records" } : undefined;
    },
  },
  {
    name: "relations",
    shows: "every referenced record exists",
    role: "source",
    after: ["unique-keys"],
    run: eachSource(async (session, stream, name) => {
      const known = new Map<string, ReadonlySet<string>>();
      for (const other of session.sources)
        known.set(other.stream.name, new Set((await session.readOnce(other)).records.map(({ id }) => id)));
      for (const record of (await session.readOnce(stream)).records)
        for (const to of referencesOf(stream.stream, record))
          assert(
            known.get(to.stream)?.has(to.id) ?? true,
            `${name} ${record.id}: ${to.field} points to ${to.stream} ${to.id}, which does not exist.`,
          );
    }),
  },
  {
    name: "by-ids",
    shows: "records read by id are the same, without those that no longer exist",
    role: "source",
    run: eachSource(async (session, stream, name) => {
      const wanted = (await session.readOnce(stream)).records.slice(0, 4);
      if (wanted.length === 0) return;
      const got = await stream.readByIds(session.io(), [...wanted.map(({ id }) => id), "999999999"]);
      const byId = new Map(got.map((record) => [record.id, record]));
      assert(got.length === wanted.length, `${name}: ${got.length} records for ${wanted.length} ids.`);
      for (const record of wanted)
        assert(
          isDeepStrictEqual(byId.get(record.id), record),
          `${name} ${record.id} differs when read by its id.`,
        );
    }),
  },
  {
    name: "by-parents",
    shows: "reading by parents returns exactly the records that belong to them",
    role: "source",
    after: ["schema", "unique-keys", "relations"],
    run: eachSource(async (session, stream, name) => {
      if (!stream.readByParents) return;
      const { records } = await session.readOnce(stream);
      const owners = (record: FamilyRecord) =>
        ownersOf(stream.stream, record).map(({ stream: of, id }) => ({ key: `${of}/${id}`, stream: of, id }));
      const all = new Map(records.flatMap(owners).map((owner) => [owner.key, owner]));
      const asked = new Map([...all].slice(0, 4));
      if (asked.size === 0) return;
      const parents = [...asked.values()].map(({ stream: of, id }) => ({ stream: of, id }));
      const got = await stream.readByParents(session.io(), parents);
      const byId = new Map(got.map((record) => [record.id, record]));
      const wanted = records.filter((record) => owners(record).some(({ key }) => asked.has(key)));
      assert(
        byId.size === wanted.length,
        `${name}: ${byId.size} records of ${asked.size} parents instead of ${wanted.length}.`,
      );
      for (const record of wanted)
        assert(
          isDeepStrictEqual(byId.get(record.id), record),
          `${name} ${record.id} differs when read by its parent.`,
        );
    }),
  },
  {
    name: "addresses",
    shows: "a record's URL leads back to it without a secret, and a URL of another host to none",
    role: "source",
    run: eachSource(async (session, { stream, urlOf }, name) => {
      const { connector, settings, family } = session.subject;
      // The pages of files and people are those of other records.
      if (!connector.recordAt || !urlOf || stream.kind !== "record") return;
      // Old links are followed when the sign-in is long erased.
      const signIn = new Set(secretsOf(connector.manifest));
      const open = Object.fromEntries(Object.entries(settings as object).filter(([key]) => !signIn.has(key)));
      const at = (url: string) => {
        const found = connector.recordAt?.(open, url, family);
        return found ? { stream: found.stream, id: found.id } : null;
      };
      const source = session.sources.find((other) => other.stream === stream);
      for (const record of source ? (await session.readOnce(source)).records.slice(0, 5) : []) {
        const url = urlOf(settings, record);
        assert(
          isDeepStrictEqual(at(url), { stream: name, id: record.id }),
          `${name} ${record.id} is not found by its own URL.`,
        );
        const { host, pathname, search, hash } = new URL(url);
        const rest = `${pathname}${search}${hash}`;
        for (const other of ["elsewhere.example", `${host}@elsewhere.example`, `${host}.elsewhere.example`])
          for (const scheme of ["http", "https"])
            assert(
              at(`${scheme}://${other}${rest}`) === null,
              `${name} ${record.id} is found by a URL of another host.`,
            );
      }
    }),
  },
  ...countChecks,
  {
    name: "delta",
    shows: "a read since a moment returns the changed records and nothing older",
    role: "source",
    run: eachSource(async (session, stream, name) => {
      if (!stream.delta) return;
      const { records } = await session.readOnce(stream);
      const times = records
        .flatMap(({ updatedAt }) => (updatedAt === null ? [] : [Date.parse(updatedAt)]))
        .toSorted((a, b) => a - b);
      const middle = times[Math.floor(times.length / 2)];
      if (middle === undefined) return;
      const got = (await session.read(stream, new Date(middle))).records;
      const ids = new Set(got.map(({ id }) => id));
      for (const { id, updatedAt } of records)
        assert(
          updatedAt === null || Date.parse(updatedAt) < middle || ids.has(id),
          `${name} ${id} changed and is missing.`,
        );
      // Tools store whole seconds.
      for (const { id, updatedAt } of got)
        assert(
          updatedAt === null || Date.parse(updatedAt) >= middle - 1000,
          `${name} ${id} did not change since.`,
        );
    }),
  },
  {
    name: "files-read",
    shows: "files are complete and the same on each read",
    role: "source",
    run: eachSource(async (session, stream, name) => {
      if (!stream.openFile) return;
      for (const record of (await session.readOnce(stream)).records.slice(0, 3)) {
        const declared = (record as unknown as { size: number | null }).size;
        const first = await fileDigest(await stream.openFile(session.io(), record));
        const second = await fileDigest(await stream.openFile(session.io(), record));
        assert(
          declared === null || first.bytes === declared,
          `${name} ${record.id}: ${first.bytes} bytes instead of ${declared}.`,
        );
        assert(first.sha256 === second.sha256, `${name} ${record.id} has other bytes on the second read.`);
      }
    }),
  },
  {
    name: "disturbed",
    shows: "deletions and updates between pages lose no other rows",
    role: "source",
    after: ["unique-keys", "flat-cursors"],
    async run(session) {
      const { disturb, pageSize } = session.subject;
      const size = pageSize === undefined ? {} : { size: pageSize };
      if (!disturb) return { skipped: "nothing can disturb the source's rows" };
      let tried = 0;
      for (const stream of session.sources) {
        const { records, places } = await session.readOnce(stream);
        if (places.length < 3 || stream.perParent || stream.stream.kind === "people") continue;
        tried += 1;
        const seen = new Set<string>();
        const gone = new Set<string>();
        let cursor: Cursor | null = null;
        for (let page = 0; page < 500; page += 1) {
          const got = await stream.readPage(session.io(), { cursor, since: null, parentId: null, ...size });
          for (const { id } of got.records) seen.add(id);
          if (got.next === null) break;
          cursor = jsonOf(got.next);
          if (page >= 2 || got.records.length < 3) continue;
          const [first, second, third] = got.records.map(({ id }) => id);
          const remove = [first, second].filter((id) => id !== undefined);
          for (const id of remove) gone.add(id);
          await disturb(stream.stream.name, { update: third === undefined ? [] : [third], remove });
        }
        const lost = records.filter(({ id }) => !seen.has(id) && !gone.has(id));
        if (lost.length > 0)
          throw new ConformanceFailure(
            `${stream.stream.name}: ${lost.length} records were lost, such as ${lost[0]?.id}.`,
          );
      }
      return tried === 0 ? { skipped: "no stream has three pages" } : undefined;
    },
  },
];
