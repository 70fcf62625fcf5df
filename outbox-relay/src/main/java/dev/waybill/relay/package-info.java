/**
 * The relay: publishes committed outbox rows to a broker, in order per session.
 *
 * <p>The row is the truth. A row waits as long as it is in {@code outbox_message}, and is deleted when the broker has its message.
 * What the relay keeps in memory is a cache: after a crash, a failover or a lost lease it is thrown away, and the rows are read
 * again.
 *
 * <pre>
 *   append ──▶ read ──▶ lanes ──▶ publish ──▶ settle: the row is deleted
 *  (application)  ▲                  │
 *                 │                  ├─ not accepted: first in its lane again
 *                 │                  └─ refused: the row moves to a hold ──release──▶ publish
 *                 └─ scheduled messages, moved when their time has come
 *
 *   destination:  free ──claim──▶ owned(epoch) ──settle, release──▶ free
 *                                    └─ lease over ──claim by another relay──▶ owned(epoch + 1)
 * </pre>
 *
 * <p>This package is the API; the machinery lies in sub-packages along the way of a message: {@code lease}, {@code read},
 * {@code send}, {@code settle}, {@code schedule}, put together by {@code loop}.
 *
 * <ol>
 *   <li><b>Nothing is lost.</b> Only a settle deletes a row, by destination, value and message id, after the broker has accepted its
 *       message. A crash before the settle repeats the send under the same MessageId.
 *   <li><b>First arrivals are in commit order per session.</b> Writers hold the session's lock from before the sequence value until
 *       commit. Rows are read in the order of their values. A lane has one batch in flight, and rows behind a failed one wait.
 *   <li><b>One relay owns a destination.</b> Each claim raises the epoch, and settles lock the destination under their epoch.
 *   <li><b>A lease that has lapsed is not revived.</b> The relay stops sending before its lease can have run out, drops its
 *       memory and goes on under a new id.
 *   <li><b>A refused message blocks only its session.</b> It moves to a hold in one statement, and rows of its session follow.
 *   <li><b>No broker call happens inside a database transaction.</b>
 * </ol>
 */
@NullMarked
package dev.waybill.relay;

import org.jspecify.annotations.NullMarked;
