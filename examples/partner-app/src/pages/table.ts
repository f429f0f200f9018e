import { type Html, html } from "./html.ts";

type Cell = Html | string | number | null;

export interface Column {
  readonly label: string;
  /** The cell that names the row; it comes first on narrow screens. */
  readonly heads?: true;
  /** Follows the value on narrow screens, where labels are hidden. */
  readonly unit?: string;
}

export interface TableRow {
  readonly anchor?: string;
  readonly cells: readonly Cell[];
}

const shown = (cell: Cell, unit: string | undefined): Html => {
  const value = typeof cell === "string" ? html`<bdi>${cell}</bdi>` : cell;
  return html`${value}${unit && html`<span class="unit" aria-hidden="true"> ${unit}</span>`}`;
};

const isEmpty = (cell: Cell | undefined) => cell === null || cell === undefined || cell === "";

/** A table, or cards on narrow screens. It sets roles explicitly, since the card layout removes the native ones. */
export const dataTable = (label: string, columns: readonly Column[], rows: readonly TableRow[]): Html => {
  if (rows.length === 0) return html`<p class="empty">No ${label.toLowerCase()} here.</p>`;
  const cell = ({ heads, unit }: Column, content: Cell | undefined) => {
    if (isEmpty(content)) return html`<td role="cell" class="blank"></td>`;
    return heads
      ? html`<th role="rowheader" scope="row">${shown(content ?? null, unit)}</th>`
      : html`<td role="cell">${shown(content ?? null, unit)}</td>`;
  };
  return html`<div class="rows" tabindex="0" role="region" aria-label="${label}"><table role="table">
<thead role="rowgroup"><tr role="row">${columns.map(
    (column) => html`<th role="columnheader" scope="col">${column.label}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">${rows.map(
    ({ anchor, cells }) =>
      html`<tr role="row"${anchor ? html` id="${anchor}"` : null}>${columns.map((column, index) => cell(column, cells[index]))}</tr>`,
  )}</tbody></table></div>`;
};
