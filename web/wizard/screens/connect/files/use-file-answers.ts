import { useState } from "react";
import type { Edits, FileEdits } from "./file-edits.ts";

export interface FileAnswers {
  readonly edits: Edits;
  /** Null: not chosen on this page. */
  readonly timeZone: string | null;
  edit(file: string, edits: FileEdits): void;
  setTimeZone(timeZone: string): void;
}

/** What the customer answers about the files; it survives the attempt to connect them. */
export const useFileAnswers = (): FileAnswers => {
  const [edits, setEdits] = useState<Edits>({});
  const [timeZone, setTimeZone] = useState<string | null>(null);
  return {
    edits,
    timeZone,
    edit: (file, next) => setEdits((before) => ({ ...before, [file]: next })),
    setTimeZone,
  };
};
