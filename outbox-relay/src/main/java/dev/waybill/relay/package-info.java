/**
 * The relay publishes committed outbox rows to a broker, in order per session.
 *
 * <p>The row is the truth: a message is pending as long as its row is in {@code outbox_message}, and the relay deletes the row
 * when the broker has the message. The relay's memory is a cache. After a crash, a failover or a lost lease it reads the rows
 * again.
 *
 * <pre>
 *   append ──▶ read ──▶ lanes ──▶ publish ──▶ settle: the row is deleted
 *   (application)  ▲            │
 *                  │            ├─ not accepted: first in its lane again
 *                  │            └─ refused: the row moves to a hold ──release──▶ publish
 *                  └─ scheduled messages that are due
 *
 *   destination:  free ──claim──▶ owned(epoch) ──settle, release──▶ free
 *                                     └─ lease expires ──claim by another relay──▶ owned(epoch + 1)
 * </pre>
 *
 * <p>This package is the API. Sub-packages follow the way of a message, {@code lease}, {@code read}, {@code send},
 * {@code settle} and {@code schedule}; {@code loop} connects them.
 *
 * <ol>
 *   <li><b>No message is lost.</b> Only a settle deletes a row, after the broker has accepted its message. After a crash before
 *       the settle, the relay sends the message again with the same MessageId.
 *   <li><b>First arrivals are in commit order per session.</b> Writers lock the session until they commit. The relay reads rows
 *       by sequence value; a lane has one batch in flight, and rows behind a failed one wait.
 *   <li><b>One relay owns a destination.</b> Each claim raises the epoch, and a settle checks its epoch under a lock.
 *   <li><b>An expired lease is never renewed.</b> The relay stops sending before its lease can expire. Then it clears its memory
 *       and continues under a new id.
 *   <li><b>A refused message blocks only its session.</b> It moves to a hold, and the later rows of its session follow.
 *   <li><b>No broker call happens inside a database transaction.</b>
 * </ol>
 */
@NullMarked
package dev.waybill.relay;

import org.jspecify.annotations.NullMarked;
