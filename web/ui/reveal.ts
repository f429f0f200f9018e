/** Puts somebody into the first control of what they were led to, and that in sight. */
export const reveal = (place: Element): void => {
  const control = place.querySelector<HTMLElement>("input, select, button");
  (control ?? place).scrollIntoView({ block: "center" });
  control?.focus({ preventScroll: true });
};
