import { Problem } from "../../answer.ts";

export const notConnected = () => new Problem("conflict", "Connect this tool first.");
