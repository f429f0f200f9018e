import {
  type Account,
  type Connector,
  ConnectorError,
  type Destination,
  familyStreams,
  type Io,
  kitVersion,
} from "@portage/connector-kit";
import { families } from "@portage/contract";
import { describeDestination, describedStreamOf, protocolStream } from "./protocol-stream.ts";
import { type Settings, settings } from "./settings.ts";
import { signCall } from "./sign-call.ts";

const everything = Object.fromEntries(
  families.map((family) => [family, familyStreams[family].map((stream) => protocolStream(stream, null))]),
) as Destination<Settings>;

const wrong = (setting: keyof Settings, code: string, message: string, cause: unknown) =>
  new ConnectorError({ recovery: "reauthorize", code, message, setting, cause });

const check = async (io: Io<Settings>): Promise<Account> => {
  try {
    const { tool } = await describeDestination(io);
    const { host } = new URL(io.settings.instanceUrl);
    return {
      signInName: tool.accountName,
      accountName: tool.accountName,
      accountId: `${host}/${tool.accountId}`,
    };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.code === "unauthorized" || error.status === 403)
      throw wrong("token", "refused", "The tool did not accept this key.", error);
    if (error.recovery === "retry") throw error;
    // For the partner's customers, who don't know the protocol; `cause` has the details.
    const message = "This address has no tool that can receive your data.";
    throw wrong("instanceUrl", "wrong_address", message, error);
  }
};

/** A partner's tool without a connector of its own: it implements the five calls of the destination protocol. */
export const destinationProtocol: Connector<Settings> = {
  manifest: {
    kit: kitVersion,
    name: "destination-protocol",
    label: "Destination protocol",
    partnersOwn: true,
    families,
    roles: ["destination"],
    settings,
    auth: { kind: "secret", secrets: ["token"], headers: () => ({}), sign: signCall },
    hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
    limits: [],
    concurrency: 4,
    grace: { lateWriteMs: 60_000, findLagMs: 0 },
  },
  check,
  destination: everything,
  async offers(io) {
    const description = await describeDestination(io);
    const entries = families.flatMap((family) => {
      const streams = familyStreams[family].flatMap((stream) => {
        const described = describedStreamOf(description, stream);
        return described ? [protocolStream(stream, { limits: description.limits, described })] : [];
      });
      return streams.length > 0 ? [[family, streams] as const] : [];
    });
    return Object.fromEntries(entries);
  },
};
