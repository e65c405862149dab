export const sessionsPath = "/api/sessions";
export const sessionPath = `${sessionsPath}/{session_id}` as const;
