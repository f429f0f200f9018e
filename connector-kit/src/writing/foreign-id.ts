const ourKey = /^imp_[0-9a-z]+:[0-9a-f]{32}$/;

/** For `externalId`, in tools whose field for it holds the key of a copy: null for such a key, which is no id of anyone else. */
export const foreignId = (value: string | null | undefined): string | null =>
  !value || ourKey.test(value) ? null : value;
