/** Shown in a busy button or a running check. */
export const Spinner = () => (
  <svg className="i spin" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M12 3.5a8.5 8.5 0 1 1-8.5 8.5" />
  </svg>
);
