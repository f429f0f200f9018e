/** The token of an Authorization header: the Basic username; the password is ignored and the colon optional. */
export const basicToken = (header: string | undefined): string | undefined => {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header ?? "");
  if (!match?.[1]) return undefined;
  const credentials = Buffer.from(match[1], "base64").toString("utf8");
  const colon = credentials.indexOf(":");
  return colon < 0 ? credentials : credentials.slice(0, colon);
};
