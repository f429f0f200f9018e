import type { WizardReport, WizardStreamReport } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { claimsOf } from "./claims.ts";

const verified = {
  oneOf: 1,
  compared: 5,
  same: 5,
  differs: 0,
  gone: 0,
  doubled: 0,
  changedAtSource: 0,
  refused: 0,
  fields: [],
  files: null,
};
const stream = (change: object = {}): WizardStreamReport => ({
  stream: "tickets",
  label: "Tickets",
  source: 5,
  written: 5,
  matched: 0,
  addsUp: true,
  skipped: [],
  failed: [],
  behind: [],
  deletedAtSource: 0,
  changes: [],
  verified: {
    ...verified,
    examples: { differs: [], gone: [], doubled: [], changedAtSource: [], refused: [] },
  },
  ...change,
});
const claims = (leftBehind: WizardReport["leftBehind"], change: object = {}) =>
  claimsOf({ streams: [stream(change)], addsUp: true, leftBehind });
const contacts = { stream: "contacts", label: "Contacts", code: "not_supported", count: 5 } as const;
const cleared = { field: "requester", label: "Customer", change: "cleared", why: "None.", count: 2 };

test("claims that all records moved only if no kind was left behind", () => {
  expect(claims([])).toMatchObject({ lead: ["leadAll"], title: "seal.verified" });
  const left = { lead: ["leadAllMoving", "leadLeft"], title: "seal.verifiedMoving" };
  expect(claims([contacts])).toMatchObject(left);
  expect(claims([{ ...contacts, code: "not_selected", count: null }])).toMatchObject(left);
  expect(claims([contacts], { source: 6 }).lead).toEqual(["leadSomeMoving", "leadLeft"]);
  expect(claims([], { source: 6 }).lead).toEqual(["leadSome"]);
  const failed = [{ code: "too_large", count: 1, examples: [] }];
  expect(claims([], { source: 6, failed }).lead).toEqual(["leadRest"]);
});

test("says how many files were compared, and what was not", () => {
  const files = { compared: 3, same: 3, unread: 0 };
  expect(claims([], { verified: { ...verified, files } }).seal).toContain("seal.files");
  expect(claims([], { verified: { ...verified, files: { ...files, unread: 1 } } }).seal).toContain(
    "seal.filesUnread",
  );
  const changed = { ...verified, compared: 4, same: 4, changedAtSource: 1 };
  expect(claims([], { verified: changed })).toMatchObject({
    title: "seal.verified",
    seal: ["seal.counted", "seal.comparedAll", "seal.changed", "seal.noneChanged"],
  });
});

test("mentions the list of differences if there is one, else that there is none", () => {
  expect(claims([]).seal).toEqual(["seal.counted", "seal.comparedAll", "seal.noneChanged"]);
  expect(claims([], { changes: [cleared] }).seal).toEqual([
    "seal.counted",
    "seal.comparedAll",
    "seal.listed",
  ]);
  expect(claims([], { written: 0, matched: 5, verified: { ...verified, compared: 0 } }).seal).toEqual([
    "seal.counted",
    "seal.noneChanged",
  ]);
});
