/** Chinese texts of the log messages of plugin budgets. */
export const logs = {
  "the spending of a model call could not be stored": "未能保存模型调用的费用",
  "reservations of budgets could not be renewed": "未能续期预算的预留额度",
} as const;
