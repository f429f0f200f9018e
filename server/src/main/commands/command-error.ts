/** What a command could not do, in words for the person at the terminal, with the way out. */
export class CommandError extends Error {
  readonly code: string;
  readonly fix: string | null;
  readonly exitCode: 1 | 2;
  constructor(code: string, message: string, { fix = null, exitCode = 1 }: CommandErrorOptions = {}) {
    super(message);
    this.code = code;
    this.fix = fix;
    this.exitCode = exitCode;
  }
}

interface CommandErrorOptions {
  readonly fix?: string | null;
  /** 2: the command line itself is wrong. */
  readonly exitCode?: 1 | 2;
}
