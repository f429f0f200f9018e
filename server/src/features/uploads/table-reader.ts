import type { Family } from "@portage/contract";
import type {
  InspectUploads,
  WizardCheckedFile,
  WizardInspectedFile,
  WizardTableStream,
} from "@portage/contract/wizard";
import type { UploadedFile } from "./open-files.ts";

export type FileToInspect = InspectUploads["files"][number] & {
  readonly name: string;
  readonly stored: UploadedFile;
};

export type CheckedSettings =
  | { readonly kind: "checked"; readonly files: readonly WizardCheckedFile[] }
  | { readonly kind: "invalid"; readonly errors: Readonly<Record<string, readonly string[]>> };

/** Looks into uploaded tables before they are connected. The connector for files implements it. */
export interface TableReader {
  /** The tool that reads uploaded files. */
  readonly tool: string;
  streams(family: Family): readonly WizardTableStream[];
  /** Suggests what the files and their columns hold. */
  inspect(family: Family, files: readonly FileToInspect[]): Promise<readonly WizardInspectedFile[]>;
  /** Reads the first rows as a run would. */
  check(
    family: Family,
    settings: unknown,
    open: (file: string) => Promise<UploadedFile | null>,
  ): Promise<CheckedSettings>;
  examples(
    family: Family,
  ): readonly { readonly stream: string; readonly name: string; readonly text: string }[];
}
