import type { FamilyStream } from "@portage/connector-kit";
import { type TargetKind, targetsOf } from "./targets.ts";

/** A field that a column can fill, for people to choose from. */
export interface DescribedField {
  readonly path: string;
  readonly label: string;
  readonly kind: TargetKind;
  readonly required: boolean;
  readonly options: readonly string[];
  readonly to: readonly string[];
}

const spaced = (name: string) => name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();

/** `createdAt` is "Created at", `requester.email` is "Requester: email". */
const labelOf = (path: string): string => {
  if (path === "id") return "Key";
  const [first = "", ...rest] = path.split(".").map(spaced);
  const label = [
    first.replace(/ kind$/, " meaning").replace(/ ids?$/, ""),
    ...rest.map((part) => (part === "id" ? "key" : part)),
  ].join(": ");
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
};

export const describeFields = (stream: FamilyStream): readonly DescribedField[] =>
  targetsOf(stream).map(({ path, kind, required, options, to }) => ({
    path,
    label: labelOf(path),
    kind,
    required,
    options,
    to,
  }));
