interface Route {
  readonly operation: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

const routesOf = (operations: readonly string[]): readonly Route[] =>
  operations
    .map((operation) => {
      const [method = "", path = ""] = operation.split(" ");
      const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? "");
      const pattern = path.replaceAll(/[.+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{[^}]+\}/g, "([^/]+)");
      return { operation, method, names, pattern: new RegExp(`^${pattern}(?:\\.json)?$`) };
    })
    // A path without parameters wins: /tickets/count is no ticket.
    .toSorted((a, b) => a.names.length - b.names.length);

/** Finds the operation of a call by its method and path; null: none has this path. */
export const operationFinder = (operations: readonly string[], basePath = "") => {
  const routes = routesOf(operations);
  return (method: string, fullPath: string) => {
    const path = fullPath.startsWith(basePath) ? fullPath.slice(basePath.length) : fullPath;
    for (const route of routes) {
      const match = route.method === method ? route.pattern.exec(path) : null;
      if (match)
        return {
          operation: route.operation,
          params: Object.fromEntries(
            route.names.map((name, index) => [name, decodeURIComponent(match[index + 1] ?? "")]),
          ),
        };
    }
    return null;
  };
};
