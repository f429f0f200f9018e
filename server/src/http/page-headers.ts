/** Which sites may embed a page: none, unless the operator has configured the partner's origins. */
export const frameHeaders = (embedOrigins: readonly string[]) => ({
  ancestors: `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(" ")}`,
  // For old browsers; this header can't express a list of origins.
  old: embedOrigins.length === 0 ? { "x-frame-options": "DENY" } : {},
});

const unused = ["camera", "microphone", "geolocation", "usb", "serial", "bluetooth", "payment", "midi"];

/** The headers of every page, whatever its own policy allows. */
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
