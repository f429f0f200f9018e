/** Scrolls the target of a link into view and focuses its first control. */
export const reveal = (place: Element): void => {
  const control = place.querySelector<HTMLElement>("input, select, button");
  (control ?? place).scrollIntoView({ block: "center" });
  control?.focus({ preventScroll: true });
};
