/** Metadata key with which our own client identifies the calling turn. */
export const TURN_META_KEY = "svc/turn";

/** Metadata key with which our own server identifies its installation, to detect connections to itself. */
export const INSTALLATION_META_KEY = "svc/service";
