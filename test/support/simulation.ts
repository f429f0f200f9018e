/** Starts a simulation as a partner does; returns its id. */
export const createSimulation = async (
  apiUrl: string,
  authorization: string,
  body: object = {},
): Promise<string> => {
  const answer = await fetch(`${apiUrl}/api/simulator/imports`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ source_tool: "redmine", ...body }),
  });
  if (answer.status !== 201)
    throw new Error(`No simulation was begun: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
};
