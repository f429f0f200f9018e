import type { WizardUpload, WizardUploads } from "@portage/contract/wizard";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Problem } from "../../../../client/problem.ts";
import { answerQuery } from "../../../api/queries.ts";
import { useClient } from "../../../api/use-client.tsx";
import { sendFile, type WaitsFor } from "./send-file.ts";

export const uploadsPath = "/connections/source/uploads";

/** A file that this page sends. */
interface Transfer {
  readonly received: number;
  /** Null: bytes go out. */
  readonly waitsFor: WaitsFor | null;
}

export type RefusedFile = { readonly name: string } & (
  | { readonly why: "empty" | "kind" | "failed" | "unreadable" }
  | { readonly why: "explained"; readonly message: string }
);

export interface UploadingFile extends WizardUpload {
  /** Null: this page does not send it; if it is not complete, it waits for the customer to choose the file again. */
  readonly transfer: Transfer | null;
}

export interface UploadsState {
  /** Undefined: loading. */
  readonly uploads: WizardUploads | undefined;
  readonly files: readonly UploadingFile[];
  readonly refused: readonly RefusedFile[];
  add(files: readonly File[]): Promise<void>;
  remove(id: string): Promise<void>;
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;

/** Waits longer after each attempt; less if the browser is online again. */
const pause = (attempt: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)));
    window.addEventListener("online", done);
    signal.addEventListener("abort", done);
  });

const isTable = ({ name }: File) => /\.(csv|tsv|tab|txt|xlsx|xlsm|xls)$/i.test(name);

const refusalOf = (name: string, problem: Problem): RefusedFile => {
  if (problem.kind === "invalid") {
    const [message] = Object.entries(problem.errors).flatMap(([field, [first = ""]]) =>
      field === "base" ? [first] : [`${name} ${first}.`],
    );
    if (message !== undefined) return { name, why: "explained", message };
  }
  return "message" in problem && problem.message !== ""
    ? { name, why: "explained", message: problem.message }
    : { name, why: "failed" };
};

/** The import's files: those on the server, and those that this page sends. */
export const useUploads = (): UploadsState => {
  const client = useClient();
  const queries = useQueryClient();
  const query = answerQuery<WizardUploads>(client, uploadsPath);
  const { data: uploads } = useQuery(query);
  const [transfers, setTransfers] = useState<Readonly<Record<string, Transfer>>>({});
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);
  const running = useRef(new Map<string, AbortController>());
  const refresh = () => queries.invalidateQueries({ queryKey: query.queryKey, exact: true });

  useEffect(() => {
    const all = running.current;
    return () => {
      for (const each of all.values()) each.abort();
      all.clear();
    };
  }, []);
  const isSending = Object.keys(transfers).length > 0;
  useEffect(() => {
    if (!isSending) return;
    // The browser asks before it closes the page.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isSending]);

  const change = (id: string, part: Partial<Transfer> | null) =>
    setTransfers((before) => {
      const { [id]: old, ...rest } = before;
      return part === null ? rest : { ...rest, [id]: { received: 0, waitsFor: null, ...old, ...part } };
    });

  const transfer = async (file: File, upload: WizardUpload, at: WizardUploads) => {
    if (running.current.has(upload.id)) return;
    const control = new AbortController();
    running.current.set(upload.id, control);
    change(upload.id, { received: upload.received });
    const sent = await sendFile({
      client,
      file,
      path: `${uploadsPath}/${upload.id}`,
      received: upload.received,
      pieceBytes: at.pieceBytes,
      chunkBytes: at.chunkBytes,
      signal: control.signal,
      onProgress: (received) => change(upload.id, { received }),
      onWaiting: (waitsFor) => change(upload.id, { waitsFor }),
      pause,
    });
    running.current.delete(upload.id);
    if (sent.kind === "failed") setRefused((before) => [...before, refusalOf(file.name, sent.problem)]);
    if (sent.kind === "unreadable") setRefused((before) => [...before, { name: file.name, why: sent.kind }]);
    await refresh();
    change(upload.id, null);
  };

  const add = async (chosen: readonly File[]) => {
    setRefused([]);
    for (const file of chosen) {
      const refuse = (each: RefusedFile) => setRefused((before) => [...before, each]);
      const { name, size, lastModified: modifiedAt } = file;
      if (size === 0 || !isTable(file)) {
        refuse({ name, why: size === 0 ? "empty" : "kind" });
        continue;
      }
      // Not the cached query: without a connection that would wait, and say nothing.
      const listed = await client.request<WizardUploads>(uploadsPath);
      if (listed.kind !== "ok") {
        refuse(refusalOf(name, listed));
        continue;
      }
      const at = listed.value;
      const known = at.files.find(
        (each) => each.name === name && each.size === size && each.modifiedAt === modifiedAt,
      );
      if (known) {
        if (known.received < known.size) void transfer(file, known, at);
        continue;
      }
      const begun = await client.request<WizardUpload>(uploadsPath, {
        method: "POST",
        body: { name, size, modifiedAt },
      });
      if (begun.kind !== "ok") {
        refuse(refusalOf(name, begun));
        continue;
      }
      await refresh();
      void transfer(file, begun.value, at);
    }
  };

  return {
    uploads,
    files: (uploads?.files ?? []).map((file) => {
      const sending = transfers[file.id] ?? null;
      return { ...file, received: sending?.received ?? file.received, transfer: sending };
    }),
    refused,
    add,
    remove: async (id) => {
      running.current.get(id)?.abort();
      const outcome = await client.request(`${uploadsPath}/${id}`, { method: "DELETE" });
      const name = uploads?.files.find((file) => file.id === id)?.name ?? "";
      if (outcome.kind !== "ok" && outcome.kind !== "gone")
        setRefused((before) => [...before, refusalOf(name, outcome)]);
      await refresh();
    },
  };
};
