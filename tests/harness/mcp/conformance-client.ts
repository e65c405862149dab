// Runs one client scenario of the MCP conformance suite with a running Parley. The suite starts this file with the address of its
// server; `PARLEY` is the address of Parley and `PARLEY_TOKEN` the credential.

const { PARLEY = "", PARLEY_TOKEN = "", MCP_CONFORMANCE_CONTEXT = "{}" } = process.env;
const url = process.argv.at(-1) ?? "";
const context = JSON.parse(MCP_CONFORMANCE_CONTEXT) as { readonly client_id?: string; readonly client_secret?: string };
const id = `suite-${new URL(url).port}`;

interface ServerEntry {
  readonly id: string;
  readonly sign_in: string;
  readonly connected: boolean;
}

async function ask<Data>(method: string, path: string, body?: object): Promise<{ status: number; data: Data }> {
  const answer = await fetch(`${PARLEY}/api/mcp-servers${path}`, {
    method,
    headers: { authorization: `Bearer ${PARLEY_TOKEN}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, error } = (await answer.json()) as { data: Data; error?: string };
  process.stderr.write(`${method} ${path} ${answer.status} ${error ?? ""}\n`);
  return { status: answer.status, data };
}
const readEntry = async () => {
  const { data } = await ask<{ readonly items: readonly ServerEntry[] }>("GET", "?limit=500");
  return data.items.find((one) => one.id === id);
};

async function signIn(): Promise<boolean> {
  const { client_id, client_secret } = context;
  const client = client_id === undefined ? {} : { client: { client_id, ...(client_secret && { client_secret }) } };
  const { status, data } = await ask<{ readonly authorization_url: string }>("POST", `/${id}/sign-in`, client);
  if (status !== 200) return false;
  // The authorization page of the suite needs no interaction.
  return (await fetch(data.authorization_url)).ok;
}

await ask("POST", "", { id, name: id, transport: "streamable-http", url });
const firstConnect = await ask("POST", `/${id}/connect`, {});
if (firstConnect.status !== 200 && !((await signIn()) && (await ask("POST", `/${id}/connect`, {})).status === 200))
  process.exit(1);
const { data } = await ask<{ readonly items: readonly { readonly name: string }[] }>("GET", `/${id}/tools`);
for (const { name } of data.items) {
  const call = () => ask("POST", `/${id}/call`, { tool: name, arguments: {}, confirm: true });
  await call();
  // A person who is asked for more access agrees at most twice.
  for (let tries = 0; tries < 2 && (await readEntry())?.sign_in === "again"; tries += 1) {
    await signIn();
    await ask("POST", `/${id}/connect`, {});
    await call();
  }
}
await ask("DELETE", `/${id}`);
