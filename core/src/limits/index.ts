// Rate limiters and sliding windows.
export { type AttemptLimiter, type CountedAttempt, createAttemptLimiter } from "./attempt-limiter.ts";
export { networkOf } from "./client-network.ts";
export { createMemoryWindow } from "./memory-window.ts";
export { openSharedWindow } from "./open-window.ts";
export { createRateLimiter, type RateLimiter, type RateLimiterOptions, sendThrottled } from "./rate-limiter.ts";
export { createSlidingWindow, type SlidingWindow } from "./sliding-window.ts";
