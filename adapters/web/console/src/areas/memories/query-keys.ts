export const QUERY_KEYS = [["memory"]] as const;
