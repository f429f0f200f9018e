/** A schema or another part of an OpenAPI document, as JSON. */
type Node = Readonly<Record<string, unknown>>;

/** Who reads the value: a request is read by us, an answer by the partner. */
type Direction = "request" | "answer";

const asNode = (value: unknown): Node => (value ?? {}) as Node;
const namesIn = (value: unknown): readonly string[] => Object.keys(asNode(value));
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface Side {
  readonly document: Node;
  readonly node: Node;
}

const resolved = ({ document, node }: Side): Side => {
  const ref = node["$ref"];
  if (typeof ref !== "string") return { document, node };
  const found = ref
    .slice(2)
    .split("/")
    .reduce((at, name) => asNode(at[name.replaceAll("~1", "/").replaceAll("~0", "~")]), document);
  return resolved({ document, node: found });
};

const below = ({ document, node }: Side, ...path: readonly string[]): Side =>
  resolved({ document, node: path.reduce((at, name) => asNode(at[name]), node) });

const sorted = (value: unknown) =>
  listIn(Array.isArray(value) ? value : [value])
    .map(String)
    .toSorted();

/** What in a schema would break a client that was written for the older one. */
const schemaProblems = (
  older: Side,
  newer: Side,
  at: string,
  direction: Direction,
  seen = new Set<string>(),
): readonly string[] => {
  // A schema that contains itself was compared above.
  const ref = `${String(older.node["$ref"])} ${String(newer.node["$ref"])} ${direction}`;
  if (older.node["$ref"] !== undefined && seen.has(ref)) return [];
  const inside = new Set([...seen, ref]);
  const [was, is] = [resolved(older), resolved(newer)];
  const problems: string[] = [];
  const compare = (name: string, ...path: string[]) =>
    problems.push(...schemaProblems(stepInto(was, path), stepInto(is, path), name, direction, inside));

  if (sorted(was.node["type"]).join() !== sorted(is.node["type"]).join())
    problems.push(`${at}: the type ${String(was.node["type"])} became ${String(is.node["type"])}`);
  const [oldEnum, newEnum] = [listIn(was.node["enum"]), listIn(is.node["enum"])];
  if (direction === "request" && newEnum.length > 0) {
    const gone = oldEnum.filter((value) => !newEnum.includes(value));
    if (gone.length > 0) problems.push(`${at}: no longer takes ${gone.join(", ")}`);
    if (oldEnum.length === 0) problems.push(`${at}: takes only some values now`);
  }
  if (direction === "answer" && oldEnum.length > 0) {
    const added = newEnum.filter((value) => !oldEnum.includes(value));
    if (added.length > 0) problems.push(`${at}: may be ${added.join(", ")}`);
    if (newEnum.length === 0) problems.push(`${at}: may be anything now`);
  }
  const [needed, needs] = [listIn(was.node["required"]), listIn(is.node["required"])];
  if (direction === "request")
    for (const name of needs)
      if (!needed.includes(name)) problems.push(`${at}.${String(name)}: is required now`);
  for (const name of namesIn(was.node["properties"])) {
    if (!namesIn(is.node["properties"]).includes(name)) {
      problems.push(`${at}.${name}: is gone`);
      continue;
    }
    if (direction === "answer" && needed.includes(name) && !needs.includes(name))
      problems.push(`${at}.${name}: may be missing now`);
    compare(`${at}.${name}`, "properties", name);
  }
  if (was.node["items"] !== undefined) compare(`${at}[]`, "items");
  if (typeof was.node["additionalProperties"] === "object") compare(`${at}.*`, "additionalProperties");
  for (const kind of ["anyOf", "oneOf", "allOf"]) {
    const [before, after] = [listIn(was.node[kind]), listIn(is.node[kind])];
    if (before.length !== after.length)
      problems.push(`${at}: has ${after.length} forms instead of ${before.length}`);
    else before.forEach((_, index) => compare(`${at}(${index + 1})`, kind, String(index)));
  }
  return problems;
};

const stepInto = ({ document, node }: Side, path: readonly string[]): Side => ({
  document,
  node: path.reduce((at, name) => asNode(at[name]), node),
});

const contentProblems = (older: Side, newer: Side, at: string, direction: Direction) =>
  namesIn(older.node["content"]).flatMap((type) =>
    namesIn(newer.node["content"]).includes(type)
      ? schemaProblems(
          stepInto(older, ["content", type, "schema"]),
          stepInto(newer, ["content", type, "schema"]),
          at,
          direction,
        )
      : [`${at}: ${type} is gone`],
  );

const parametersOf = (side: Side): ReadonlyMap<string, Side> =>
  new Map(
    listIn(side.node["parameters"]).map((_, index) => {
      const parameter = below(side, "parameters", String(index));
      return [`${String(parameter.node["in"])} ${String(parameter.node["name"])}`, parameter];
    }),
  );

const operationProblems = (older: Side, newer: Side, at: string): readonly string[] => {
  const problems: string[] = [];
  const [before, after] = [parametersOf(older), parametersOf(newer)];
  for (const [name, parameter] of before) {
    const now = after.get(name);
    if (!now) problems.push(`${at}: the parameter ${name} is gone`);
    else
      problems.push(
        ...schemaProblems(
          stepInto(parameter, ["schema"]),
          stepInto(now, ["schema"]),
          `${at} ${name}`,
          "request",
        ),
      );
  }
  for (const [name, { node }] of after)
    if (node["required"] === true && before.get(name)?.node["required"] !== true)
      problems.push(`${at}: the parameter ${name} is required now`);
  const [body, bodyNow] = [below(older, "requestBody"), below(newer, "requestBody")];
  if (bodyNow.node["required"] === true && body.node["required"] !== true)
    problems.push(`${at}: the body is required now`);
  problems.push(...contentProblems(body, bodyNow, `${at} body`, "request"));
  for (const status of namesIn(older.node["responses"])) {
    if (!namesIn(newer.node["responses"]).includes(status))
      problems.push(`${at}: the answer ${status} is gone`);
    else
      problems.push(
        ...contentProblems(
          below(older, "responses", status),
          below(newer, "responses", status),
          `${at} ${status}`,
          "answer",
        ),
      );
  }
  return problems;
};

const methods = new Set(["get", "put", "post", "delete", "patch"]);

/** What would break a client that was written for the older document, in words. Additions break nothing. */
export const breakingChanges = (older: Node, newer: Node): readonly string[] => {
  const [was, is] = [
    { document: older, node: older },
    { document: newer, node: newer },
  ];
  return namesIn(older["paths"]).flatMap((path) =>
    namesIn(asNode(older["paths"])[path])
      .filter((name) => methods.has(name))
      .flatMap((method) => {
        const at = `${method.toUpperCase()} ${path}`;
        const now = below(is, "paths", path, method);
        if (namesIn(now.node).length === 0) return [`${at}: is gone`];
        return operationProblems(below(was, "paths", path, method), now, at);
      }),
  );
};
