import { createMemoryWindow } from "@parley/core/limits";
import { createTestClock, memoryDatabases } from "@parley/testing";
import { expect, test } from "vitest";
import { createClients, WINDOW_MS } from "./clients.ts";
import { OAUTH_MIGRATIONS } from "./tables.ts";

const CLIENT = { redirect_uris: ["https://app.example/back"] };

test("networks that register very many clients do not prevent others from registering and signing in", async () => {
  const { main } = memoryDatabases();
  await main.migrate("oauth", OAUTH_MIGRATIONS);
  const clock = createTestClock();
  const window = createMemoryWindow(WINDOW_MS, () => clock.monotonic());
  const clients = createClients({ database: () => main, clock, registrationWindow: () => window });
  const register = async (address: string) =>
    ((await clients.register(CLIENT, address)) as { readonly client_id: string }).client_id;
  const honest = await register("192.0.2.1");
  for (let network = 0; network < 60; network += 1)
    for (let at = 0; at < 10; at += 1) await register(`10.0.${network}.1`);
  const late = await register("192.0.2.2");
  await expect(register("10.0.1.1")).rejects.toMatchObject({ status: 429 });
  expect(await clients.find(honest)).toBeDefined();
  expect(await clients.find(late)).toBeDefined();
});
