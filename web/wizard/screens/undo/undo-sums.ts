import type { WizardUndoPreview } from "@portage/contract/wizard";

type Stream = WizardUndoPreview["streams"][number];

/** The totals of an undo preview. */
export interface UndoSums {
  readonly goes: number;
  readonly stays: number;
  /** Every copy was checked, not a sample. */
  readonly exact: boolean;
  readonly looked: number;
}

const keptOf = ({ removable, willStay }: Stream) => (removable ? willStay : 0);

export const undoSums = ({ streams }: Pick<WizardUndoPreview, "streams">): UndoSums => ({
  goes: streams.reduce((sum, { willGo }) => sum + willGo, 0),
  stays: streams.reduce((sum, stream) => sum + keptOf(stream), 0),
  exact: streams.every(({ exact }) => exact),
  looked: streams.reduce((sum, { looked }) => sum + (looked?.checked ?? 0), 0),
});
