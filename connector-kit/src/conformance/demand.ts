export class ConformanceFailure extends Error {
  override readonly name = "ConformanceFailure";
}

export const demand: (condition: unknown, message: string) => asserts condition = (condition, message) => {
  if (!condition) throw new ConformanceFailure(message);
};
