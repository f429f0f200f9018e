/** The token in an Authorization header: the username of Basic credentials, whatever the password; a colon may be missing. */
export const basicToken = (header: string | undefined): string | undefined => {
  const match = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(header ?? "");
  if (!match?.[1]) return undefined;
  const credentials = Buffer.from(match[1], "base64").toString("utf8");
  const colon = credentials.indexOf(":");
  return colon < 0 ? credentials : credentials.slice(0, colon);
};
