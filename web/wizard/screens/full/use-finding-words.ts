import type { WizardPreflightFinding } from "@portage/contract/wizard";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { useCodeWords } from "../../i18n/use-code-words.ts";

const longHours = 48;

/** A preflight finding and its fix as sentences. */
export const useFindingWords = () => {
  const say = useCodeWords("preflight");
  const kinds = useKinds();
  const formats = useFormats();
  const { sides, partner } = useImport();
  const tools = { source: sides.source.label, destination: partner.name };

  /** Days for long times, else hours. */
  const timeOf = (hours: number) => {
    const [unit, count] = hours < longHours ? ["hours", hours] : ["days", Math.round(hours / 24)];
    return say(unit, { count, number: formats.count(count) });
  };
  const namesOf = ({ code, names = [] }: WizardPreflightFinding) =>
    formats.list(code === "not_checked" ? names.map((part) => say(`part.${part}`, tools) ?? part) : names);

  return (finding: WizardPreflightFinding) => {
    const { code, side, count, variant, room = 0 } = finding;
    const values = {
      ...tools,
      count,
      number: formats.count(count),
      names: namesOf(finding),
      time: timeOf(count),
      left: formats.count(room),
      all: formats.count(count + room),
      tool: side === null ? "" : tools[side],
      kind: kinds.words(finding.label ?? ""),
    };
    const which = code === "unreachable" && side === null ? "either" : (variant ?? "message");
    return {
      message: say(`${code}.${which}`, values) ?? code,
      fix: say(`${code}.fix`, values),
    };
  };
};
