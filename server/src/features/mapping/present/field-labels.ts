const labels: Readonly<Record<string, string>> = {
  createdAt: "Created",
  updatedAt: "Last changed",
  solvedAt: "Solved",
  closedAt: "Closed",
  publishedAt: "Published",
  dueAt: "Due",
  dueOn: "Due",
  startsOn: "Starts",
  startsAt: "Starts",
  closesOn: "Closes",
  spentOn: "Day",
  assignee: "Assigned to",
  requester: "Customer",
  author: "Author",
  donePercent: "Done (percent)",
  estimatedMinutes: "Estimate (minutes)",
  fileName: "File name",
  contentType: "File type",
  externalId: "Id in another system",
  formName: "Form",
  cc: "Copies to",
  to: "Sent to",
  incoming: "From the customer",
  pictureUrl: "Picture",
  handle: "Short name",
  mentionedIds: "People named",
  alsoAbout: "Further records",
  labelledEmails: "Email addresses by kind",
  labelledPhones: "Phone numbers by kind",
  optedOut: "Wants no advertising",
  translationOfId: "Translation of",
  metaTitle: "Headline for search engines",
  metaDescription: "Summary for search engines",
  mediaIds: "Files",
};

/** The label for people: `organizationId` is "Organization", `memberIds` are "Members". */
export const fieldLabel = (field: string): string => {
  const known = Object.hasOwn(labels, field) ? labels[field] : undefined;
  if (known !== undefined) return known;
  const words = field
    .replace(/Ids$/, "s")
    .replace(/(.)Id$/, "$1")
    .replace(/(\p{Ll})(\p{Lu})/gu, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
