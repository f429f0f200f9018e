import type { OutboundCode, OutboundError } from "../../platform/outbound/index.ts";

/** The description of each error of an attempt; the codes are stable. */
export const deliveryErrorTexts: Readonly<
  Record<OutboundCode | "redirected" | "gone" | "bad_status" | "not_readable", string>
> = {
  redirected: "It answered with a redirect, which is not followed: set the address that it leads to.",
  gone: "It answered 410 Gone, so that nothing more is sent.",
  bad_status: "It answered with a status that is not a success.",
  timed_out: "It did not answer within 10 seconds.",
  unreachable: "No connection could be made, or it broke.",
  unresolvable: "The name of the host could not be resolved.",
  tls_failed: "It has no valid certificate.",
  refused_address: "The address is not a public one.",
  refused_url: "The address is not one that can be called.",
  insecure: "The address must begin with https.",
  too_large: "The headers of its answer are too large.",
  too_many_redirects: "It redirects too often.",
  bad_answer: "It did not answer in HTTP.",
  aborted: "The call was given up before it was made.",
  not_readable: "The message could not be made: the event is gone, or the key that opens it.",
};

const addressPredicates: Readonly<Partial<Record<OutboundCode, string>>> = {
  refused_url: "must be an https:// address with a host, without a user name or password",
  refused_address: "is not a public address",
  insecure: "must begin with https://",
  unresolvable: "has a host name that could not be resolved",
};

/** What is wrong with an address that was refused, as it continues the name of its property. */
export const addressPredicate = ({ code }: OutboundError): string =>
  addressPredicates[code] ?? "can't be called";
