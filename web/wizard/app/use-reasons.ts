import type { WizardRecordState, WizardWarnings } from "@portage/contract/wizard";
import { useMemo } from "react";
import { useFormats } from "../../ui/use-formats.ts";
import { useImport } from "../api/queries.ts";
import { useCodeWords } from "../i18n/use-code-words.ts";
import { useKinds } from "./use-kinds.ts";

type Became = Exclude<WizardWarnings["warnings"][number]["kind"], "import">;

interface Records {
  readonly label: string;
  readonly count: number;
}

const becameBy: Readonly<Record<WizardRecordState, Became>> = {
  written: "kept",
  matched: "kept",
  undone: "kept",
  kept: "kept",
  skipped: "skipped",
  failed: "failed",
};

/** The reason for a result as a sentence. A connector's code without a catalogue entry is shown as it is. */
export const useReasons = () => {
  const say = useCodeWords("reasons");
  const kinds = useKinds();
  const formats = useFormats();
  const { sides, partner } = useImport();
  const source = sides.source.label;
  const destination = partner.name;
  return useMemo(() => {
    const sentence = (became: Became, code: string, records: string | undefined, count: number): string => {
      const values = { records, code, count, source, destination };
      return say(`by.${code}`, values) ?? say(`other.${became}`, values) ?? code;
    };
    return {
      ofMany: (became: Became, code: string, { label, count }: Records): string => {
        const kind = kinds.word(label, count);
        return sentence(became, code, say("records", { number: formats.count(count), kind }), count);
      },
      ofOne: (state: WizardRecordState, code: string): string =>
        sentence(becameBy[state], code, say("record"), 1),
    };
  }, [say, kinds, formats, source, destination]);
};
