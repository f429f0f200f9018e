/** Portage's own mark. */
export const Mark = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" rx="6.5" fill="var(--ink)" />
    <circle cx="6" cy="12" r="1.5" fill="var(--surface)" />
    <circle cx="10.3" cy="12" r="1.5" fill="var(--surface)" />
    <path
      d="m14 8 4 4-4 4"
      fill="none"
      stroke="var(--surface)"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
