import {
  type CustomField,
  customFieldTypes,
  type FieldOutcome,
  type FieldSetup,
  type Http,
  isConnectorError,
  type NewField,
  outcomeUnknown,
  type Removed,
} from "@portage/connector-kit";
import type { StandInSettings } from "./connector-options.ts";
import type { AskedField } from "./created-fields.ts";

/** Everything but people, whom the stand-in stores by their ids. */
const creatableTypes = customFieldTypes.filter((type) => type !== "person");

type KeyField = CustomField & { readonly mark: string | null };

const orUnknown = async <R>(
  call: () => Promise<R>,
): Promise<R | { readonly kind: "unknown"; readonly why: string }> => {
  try {
    return await call();
  } catch (error) {
    if (isConnectorError(error) && error.code === outcomeUnknown)
      return { kind: "unknown", why: error.message };
    throw error;
  }
};

/** The stand-in's fields, created by a caller. */
export const fieldSetup = (stream: string): FieldSetup<StandInSettings> => {
  const url = `fields/${stream}`;
  const marked = async (http: Http, mark: string) =>
    (await http.send({ url, query: { mark } })).json<CustomField[]>();
  const add = async (http: Http, field: AskedField): Promise<FieldOutcome> => {
    const answer = await http.send({ url, method: "POST", json: field, accept: [400] });
    if (answer.status === 400)
      return { kind: "rejected", code: "field_refused", message: "The stand-in adds no such field." };
    return { kind: "created", field: answer.json<CustomField>() };
  };
  return {
    creatable: async () => ({ types: creatableTypes, why: "The stand-in has no fields for people." }),
    create: ({ http }, { mark, label, type, options }: NewField) =>
      orUnknown(async () => {
        const [known] = await marked(http, mark);
        if (known) return { kind: "created", field: known };
        return add(http, { mark, label, type, ...(options ? { options } : {}) });
      }),
    createKeyField: ({ http }, mark) =>
      orUnknown(async () => {
        const [known] = (await http.send({ url, query: { keys: true } })).json<KeyField[]>();
        if (!known) return add(http, { mark, label: "External key", type: "text", isKey: true });
        const { mark: own, ...field } = known;
        return { kind: own === mark ? "created" : "found", field };
      }),
    remove: ({ http }, mark) =>
      orUnknown(async (): Promise<Removed> => {
        for (const { key } of await marked(http, mark)) {
          const { status } = await http.send({ url: `${url}/${key}`, method: "DELETE", accept: [404, 409] });
          if (status === 409)
            return { kind: "kept", code: "field_in_use", message: "Records hold values in this field." };
        }
        return { kind: "removed" };
      }),
  };
};
