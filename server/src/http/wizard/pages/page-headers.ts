/** Who may show a page within its own: nobody, unless the operator has named a partner's origins. */
export const frameHeaders = (embedOrigins: readonly string[]) => ({
  ancestors: `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(" ")}`,
  // For browsers that know only this; a list can't be said with it.
  old: embedOrigins.length === 0 ? { "x-frame-options": "DENY" } : {},
});

const unused = ["camera", "microphone", "geolocation", "usb", "serial", "bluetooth", "payment", "midi"];

/** What every page of the wizard is sent with, whatever its own policy allows. */
export const pageHeaders = (policy: readonly string[], embedOrigins: readonly string[]) => {
  const { ancestors, old } = frameHeaders(embedOrigins);
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": ["default-src 'none'", ...policy, "base-uri 'none'", ancestors].join("; "),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": unused.map((feature) => `${feature}=()`).join(", "),
    ...old,
  };
};
