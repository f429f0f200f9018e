import type { WizardAddedRecord } from "@portage/contract/wizard";
import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { useImport } from "../api/queries.ts";
import { useClient } from "../api/use-client.tsx";
import type { Problem } from "../../client/problem.ts";

interface AddRecordProps {
  /** The record is in the next sample; the caller reloads its count. */
  readonly onAdded: () => void;
}

/** Adds a record that the customer knows well to the sample, by its address in the source. */
export const AddRecord = ({ onAdded }: AddRecordProps) => {
  const { t } = useTranslation("sample");
  const client = useClient();
  const { sides } = useImport();
  const [url, setUrl] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const source = sides.source.label;
  useEffect(() => {
    if (problem !== null) box.current?.focus();
  }, [problem]);
  const wordsOf = (refused: Problem): string => {
    switch (refused.kind) {
      case "refused":
        return refused.message;
      case "invalid":
        return t("add.noAddress", { source });
      case "offline":
        return t("add.offline");
      case "forbidden":
      case "expired":
      case "gone":
      case "unexpected":
        return t("add.unexpected");
    }
  };
  const add = async () => {
    setAdded(null);
    if (url.trim() === "") {
      setProblem(t("add.noAddress", { source }));
      return;
    }
    setBusy(true);
    setProblem(null);
    const body = { url: url.trim() };
    const outcome = await client.request<WizardAddedRecord>("/sample/records", { method: "POST", body });
    setBusy(false);
    if (outcome.kind !== "ok") {
      setProblem(wordsOf(outcome));
      return;
    }
    setUrl("");
    setAdded(t("add.added", { id: outcome.value.id }));
    onAdded();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void add();
      }}
    >
      <Field label={t("add.label", { source })} hint={t("add.hint")} error={problem}>
        <Input
          ref={box}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <Button type="submit" icon={Plus} busy={isBusy} className="mt-3">
        {t(isBusy ? "add.busy" : "add.button")}
      </Button>
      <p role="status" className="hint mt-2">
        {added}
      </p>
    </form>
  );
};
