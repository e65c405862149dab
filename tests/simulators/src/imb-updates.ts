import { postUntilAccepted, type WebhookPost } from "./webhook.ts";

/** An update as the platform stores it until the bot has taken it. */
export interface StoredUpdate {
  readonly update_id: number;
}

export interface ImbWebhook {
  readonly url: string;
  readonly secret_token?: string;
}

export interface UpdateQueueDeps {
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** Resolves with the first result of `look`, now or after a change. */
  readonly waitFor: <Found>(look: () => Found | undefined | false) => Promise<Found>;
  readonly changed: () => void;
}

/** The updates of a bot: posted to its webhook, or kept until a poll has confirmed them. */
export interface UpdateQueue {
  readonly webhook: () => ImbWebhook | undefined;
  /** Sets or removes the webhook; updates that are waiting go the new way. */
  setWebhook(webhook: ImbWebhook | undefined): void;
  /** Resolves when the bot has taken the update. */
  deliver(update: StoredUpdate): Promise<void>;
  /** Number of updates that the bot has not taken. */
  countWaiting(): number;
  /**
   * Answers `getUpdates`: confirms those of earlier answers below `offset`, and waits at most `timeoutS` for others. Returns
   * `webhook` or `other` when a webhook or a later poll prevents it.
   */
  poll(offset: number, timeoutS: number, limit: number): Promise<readonly StoredUpdate[] | "webhook" | "other">;
}

interface WaitingUpdate {
  readonly update: StoredUpdate;
  isGiven: boolean;
  readonly settle: (isTaken: boolean) => void;
}

const NO_WEBHOOK = "no webhook is set";

export function createUpdateQueue({ stopping, waitFor, changed }: UpdateQueueDeps): UpdateQueue {
  let webhook: ImbWebhook | undefined;
  let waiting: WaitingUpdate[] = [];
  let polls = 0;
  let posting = 0;
  const settle = (isSettled: (one: WaitingUpdate) => boolean, isTaken: boolean) => {
    const settled = waiting.filter(isSettled);
    waiting = waiting.filter((one) => !isSettled(one));
    for (const one of settled) one.settle(isTaken);
  };
  const createPost = (update: StoredUpdate): WebhookPost => {
    if (!webhook) throw new Error(NO_WEBHOOK);
    const { url, secret_token } = webhook;
    const headers = secret_token === undefined ? {} : { "x-imb-bot-api-secret-token": secret_token };
    return { url, headers, body: JSON.stringify(update) };
  };
  /** Posts an update; false when the webhook was removed meanwhile. */
  const post = async (update: StoredUpdate): Promise<boolean> => {
    posting += 1;
    try {
      await postUntilAccepted(() => createPost(update), stopping);
      return true;
    } catch (error) {
      if ((error as Error).message === NO_WEBHOOK) return false;
      throw error;
    } finally {
      posting -= 1;
    }
  };
  const keep = (update: StoredUpdate) =>
    new Promise<boolean>((resolve) => {
      waiting.push({ update, isGiven: false, settle: resolve });
      changed();
    });
  return {
    webhook: () => webhook,
    setWebhook(given) {
      webhook = given;
      if (given) settle(() => true, false);
      changed();
    },
    async deliver(update) {
      while (!stopping.aborted) if (webhook ? await post(update) : await keep(update)) return;
    },
    countWaiting: () => waiting.length + posting,
    async poll(offset, timeoutS, limit) {
      if (webhook) return "webhook";
      polls += 1;
      const own = polls;
      changed();
      settle(({ isGiven, update }) => isGiven && update.update_id < offset, true);
      let isLate = timeoutS === 0;
      const timer = setTimeout(() => {
        isLate = true;
        changed();
      }, timeoutS * 1_000);
      const outcome = await waitFor(() => {
        if (webhook) return "webhook";
        if (own !== polls) return "other";
        return (waiting.length > 0 || isLate) && "updates";
      }).finally(() => clearTimeout(timer));
      if (outcome !== "updates") return outcome;
      const given = waiting.toSorted((a, b) => a.update.update_id - b.update.update_id).slice(0, limit);
      for (const one of given) one.isGiven = true;
      return given.map(({ update }) => update);
    },
  };
}
