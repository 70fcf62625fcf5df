// The inbox: it needs a pool of pg's and a session receiver of @azure/service-bus.
import { setTimeout as pause } from "node:timers/promises";

/** The id of the fact: waybill-id if it is the message's own, else the MessageId. */
export function idOf({ messageId, applicationProperties }) {
  const id = applicationProperties?.["waybill-id"];
  if (typeof id !== "string" || id === "") return messageId;
  // A re-driven copy: the id, cut to 101 UTF-16 units and never inside a pair, "~" and a digest.
  const start = id.slice(0, 101).replace(/[\uD800-\uDBFF]$/, "") + "~";
  const isCopy = messageId?.startsWith(start) && /^[0-9a-v]{26}$/.test(messageId.slice(start.length));
  return messageId === id || isCopy ? id : messageId;
}

/** Commits the id and the effects together, or neither. */
export async function once(tx, consumer, message, handle) {
  await tx.query("begin");
  const insert = "insert into inbox (consumer, id) values ($1, $2) on conflict do nothing";
  const isNew = (await tx.query(insert, [consumer, idOf(message)])).rowCount === 1;
  if (isNew) await handle(tx, message);
  const { command } = await tx.query("commit"); // ROLLBACK if handle has swallowed an error
  if (command !== "COMMIT") throw new Error(`message ${idOf(message)} was rolled back`);
}

/** Handles the messages of one session, one at a time. A failed one ends it: no later message overtakes. */
export async function handleSession(session, pool, consumer, handle) {
  for (;;) {
    const [message] = await session.receiveMessages(1, { maxWaitTimeInMs: 1000 });
    if (!message) return;
    const tx = await pool.connect();
    try {
      await once(tx, consumer, message, handle);
      tx.release();
    } catch (error) {
      tx.release(true); // closes the connection, and so ends its transaction
      await pause(Math.min(1000 * 2 ** message.deliveryCount, 60_000));
      await session.abandonMessage(message);
      throw error;
    }
    await session.completeMessage(message);
  }
}
