import { Notice } from "../../ui/notice.tsx";
import { CopyText } from "./copy-text.tsx";

/** What came of an action: a sentence, and what must be kept. */
export interface ActionResult {
  readonly text: string;
  readonly copy: string | null;
}

export const ResultNotice = ({ result }: { result: ActionResult | null }) => (
  <div role="status">
    {result && (
      <Notice tone="ok" className="mb-3">
        <p>{result.text}</p>
        {result.copy !== null && (
          <div className="mt-2">
            <CopyText text={result.copy} />
          </div>
        )}
      </Notice>
    )}
  </div>
);
