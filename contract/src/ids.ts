/** Crockford's base32 in lower case: sorts like the number, and omits i, l, o, u, which are easily misread. */
export const base32Digits = "0123456789abcdefghjkmnpqrstvwxyz";

const body = `[${base32Digits}]{26}`;

export const importIdPattern = new RegExp(`^imp_${body}$`);
/** A simulated import. */
export const simulationIdPattern = new RegExp(`^sim_${body}$`);
export const eventIdPattern = new RegExp(`^evt_${body}$`);

/** Thirty-two hexadecimal characters: the secret part of a customer's link. */
export const linkTokenPattern = /^[0-9a-f]{32}$/;
