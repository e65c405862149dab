import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "../harness/http/client.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const PASSWORD = "correct horse";

/** Makes the service of this folder exit at the next of these fail points. */
export const setFailPoint = (root: string, point: string): void => writeFileSync(join(root, "failpoint"), point);

/** Starts a service that dies at a fail point; from its start on where one is given. */
export function startKillable(root: string, point = ""): Promise<ParleyProcess> {
  setFailPoint(root, point);
  const env = { SVC_ADMIN_PASSWORD: PASSWORD, SVC_TEST: "1", SVC_FAILPOINT: `file:${join(root, "failpoint")}` };
  return startProcess({ root, env });
}

export async function signIn({ address }: ParleyProcess): Promise<Client> {
  const open = createClient(address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password: PASSWORD });
  return open.as(token);
}
