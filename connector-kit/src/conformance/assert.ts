export class ConformanceFailure extends Error {
  override readonly name = "ConformanceFailure";
}

export const assert: (condition: unknown, message: string) => asserts condition = (condition, message) => {
  if (!condition) throw new ConformanceFailure(message);
};
