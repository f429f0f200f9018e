/** An expected failure of a command: a message for the operator, and how to fix it. */
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
  /** 2: invalid command line. */
  readonly exitCode?: 1 | 2;
}
