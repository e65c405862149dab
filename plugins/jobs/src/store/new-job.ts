export interface NewJob {
  readonly id: string;
  readonly kind: string;
  readonly key: string | undefined;
  readonly priority: number;
  readonly dueMs: number;
  /** The payload as JSON. */
  readonly payload: string;
  /** Payload stored after the job ends. Default: the whole payload. */
  readonly safePayload?: string | undefined;
  readonly scheduleId?: string | undefined;
  readonly traceId?: string | undefined;
}
