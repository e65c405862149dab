import type { ChannelLink, ReplyDraft, WebhookAnswer, WebhookRequest } from "@parley/core";
import { raceWithSignal, settlesWithin } from "@parley/core/async";

/** Time that a link has after an abort to report the outcome of its call. */
const ABORT_GRACE_MS = 3_000;
const DRAFT_END_TIMEOUT_MS = 10_000;
/** Methods with a signal as their last argument. */
const ABORTABLE = ["pace", "send", "typing", "recall", "fetchFile", "reconcile"] as const;

export type Receive = (request: WebhookRequest) => Promise<WebhookAnswer>;

/** Observes a link and limits its calls, since third-party links may ignore their signals. */
export function wrapLink(
  link: ChannelLink,
  receiveThroughEndpoint: (receive: Receive, request: WebhookRequest) => Promise<WebhookAnswer>,
  onSent: () => void,
): ChannelLink {
  const bounded = limitCalls(link);
  const receive = link.receive?.bind(link);
  const draft = link.draft?.bind(link);
  const own: Partial<ChannelLink> = {
    ...bounded,
    ...(receive && { receive: (request) => receiveThroughEndpoint(receive, request) }),
    ...(draft && { draft: (...args) => limitDraft(draft(...args)) }),
    async send(message, signal) {
      const receipt = await (bounded.send ?? link.send)(message, signal);
      onSent();
      return receipt;
    },
  };
  // The target is a new object, because a Proxy may not replace members of a frozen one. Methods are bound, because a link may be a class instance.
  return new Proxy(own as ChannelLink, {
    has: (_own, key) => key in link,
    get(_own, key) {
      const found: unknown = Reflect.get(key in own ? own : link, key);
      return typeof found === "function" ? found.bind(link) : found;
    },
  });
}

function limitCalls(link: ChannelLink): Partial<ChannelLink> {
  const calls = ABORTABLE.flatMap((name) => {
    const method = link[name]?.bind(link) as ((...args: readonly unknown[]) => unknown) | undefined;
    if (!method) return [];
    const bounded = async (...args: readonly unknown[]) =>
      raceWithSignal(Promise.resolve(method(...args)), args.at(-1) as AbortSignal, ABORT_GRACE_MS);
    return [[name, bounded]];
  });
  return Object.fromEntries(calls);
}

function limitDraft(draft: ReplyDraft): ReplyDraft {
  return {
    update: (text) => draft.update(text),
    async end() {
      const ending = draft.end();
      return (await settlesWithin(ending, DRAFT_END_TIMEOUT_MS)) ? ending : undefined;
    },
  };
}
