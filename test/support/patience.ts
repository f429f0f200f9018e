/** How long a test waits for something: it only catches what hangs, since a busy machine takes ten times as long as a quiet one. */
export const patienceMs = 300_000;
