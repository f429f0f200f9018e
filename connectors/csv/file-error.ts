import { ConnectorError } from "@portage/connector-kit";

export type FileErrorCode =
  | "file_missing"
  | "file_changed"
  | "file_empty"
  | "file_format"
  | "file_too_large"
  | "columns_changed";

/** An error of the whole file: only another upload or another choice helps. */
export const fileError = (code: FileErrorCode, message: string, cause?: unknown): ConnectorError =>
  new ConnectorError({ recovery: "abort", code, message, setting: "files", ...(cause ? { cause } : {}) });
