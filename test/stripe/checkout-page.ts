import type { Session } from "./account.ts";

const escapeHtml = (text: string) =>
  text.replace(
    /[&<>"']/g,
    (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[character] ?? "",
  );

const price = (amount: number, currency: string) => `${(amount / 100).toFixed(2)} ${currency.toUpperCase()}`;

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main>${body}</main></body></html>`;

const button = (session: Session, action: string, label: string) =>
  `<form method="post" action="/c/pay/${session.id}/${action}"><button>${label}</button></form>`;

/** A small version of the vendor's page: the purchase, and the possible next steps. */
export const checkoutPage = (session: Session, said: string | null = null): string => {
  const name = session.order.line_items?.[0]?.price_data?.product_data?.name ?? "";
  if (session.status !== "open")
    return page(
      "Checkout",
      session.status === "complete"
        ? "<h1>You have paid already</h1>"
        : "<h1>This checkout has expired</h1><p>Nothing was charged.</p>",
    );
  return page(
    "Checkout",
    `<h1>Checkout</h1><p>${escapeHtml(name)}</p><p>${price(session.amount, session.currency)}</p>
     <p>Tax: ${price(session.tax, session.currency)}</p><p>Total: ${price(session.amount + session.tax, session.currency)}</p>
     ${said === null ? "" : `<p role="alert">${escapeHtml(said)}</p>`}
     ${button(session, "pay", "Pay")}
     ${button(session, "pay-later", "Pay by bank debit")}
     ${button(session, "decline", "Pay with a card that is declined")}
     ${session.order.cancel_url === undefined ? "" : `<a href="${escapeHtml(session.order.cancel_url)}">Back</a>`}`,
  );
};
