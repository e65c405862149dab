import type { ChannelIo } from "@parley/core";
import { createRequestWork, currentWork } from "../inbound/request-work.ts";
import { runWithNetwork } from "../packages/package-network.ts";
import type { SdkAdapter } from "../sdk/sdk-adapter.ts";
import { answerInteraction } from "./answer-interaction.ts";
import { isFields } from "./gateway-events.ts";

const COMMAND = 2;
const COMPONENT = 3;

export interface InteractionDeps {
  readonly io: Pick<ChannelIo, "accept" | "fetch" | "press" | "log">;
  readonly adapter: SdkAdapter;
  readonly apiUrl: string;
}

/**
 * Gives an interaction of the gateway to the package, and answers it once it is stored. The package's methods for interactions of its
 * own connection are used where it has them; another interaction is left out, and one that the package cannot read is skipped.
 */
export async function receiveInteraction(
  { io, adapter, apiUrl }: InteractionDeps,
  data: unknown,
  skip: (error: unknown) => void,
): Promise<void> {
  if (!isFields(data) || (data.type !== COMMAND && data.type !== COMPONENT)) return;
  const work = createRequestWork(io, { raw: data });
  const options = { waitUntil: (task: Promise<unknown>) => work.add(task), propagateHandlerErrors: true };
  try {
    runWithNetwork(io.fetch, () => currentWork.run(work, () => handle(adapter, data.type === COMMAND, data, options)));
  } catch (error) {
    return skip(error);
  }
  await work.settle();
  const deferred = JSON.stringify({ type: data.type === COMMAND ? 5 : 6 });
  const body = answerInteraction(data, deferred, work.refusal()) ?? deferred;
  await sendAnswer(io, `${apiUrl}/interactions/${String(data.id)}/${String(data.token)}/callback`, body);
}

/** Sends the answer. Without it Discord shows that the bot did not respond; the interaction counts all the same. */
async function sendAnswer(io: Pick<ChannelIo, "fetch" | "log">, url: string, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(10_000);
  await io.fetch(url, { method: "POST", headers, body, signal }).catch((error: unknown) => {
    io.log.warn("an interaction could not be answered", { error });
  });
}

function handle(adapter: SdkAdapter, isCommand: boolean, data: object, options: object): void {
  if (!isCommand) return void call(adapter, "handleComponentInteraction", data, options);
  const context = call(adapter, "getApplicationCommandContext", data);
  call(adapter, "handleApplicationCommandInteraction", context, undefined, options);
}

function call(adapter: SdkAdapter, name: string, ...given: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(adapter, name);
  return typeof method === "function" ? Reflect.apply(method, adapter, given) : undefined;
}
