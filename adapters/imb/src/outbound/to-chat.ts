/** Returns the chat and topic of a conversation. */
export function toTarget(conversation: string): { readonly chat_id: number; readonly message_thread_id?: number } {
  const [chat, thread] = conversation.split(":");
  return { chat_id: Number(chat), ...(thread !== undefined && { message_thread_id: Number(thread) }) };
}
