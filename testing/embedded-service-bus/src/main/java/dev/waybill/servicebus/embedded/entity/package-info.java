/**
 * The broker's state: entities with their messages, locks and sessions. It knows connections and links only as {@link Receiver} and
 * {@link SessionRequest}. For the loop's thread.
 *
 * <pre>
 *            schedule            due                    deliver
 *   send ──────────────► SCHEDULED ──► ACTIVE ─────────────────────────► LOCKED ── complete ──► gone
 *     └──────────────────────────────►  ▲  │ ▲                            │ │ └── dead-letter ─► dead-letter queue
 *                                       │  │ └─ abandon, lock lost (+1) ──┘ └── defer ──► DEFERRED
 *                             release ──┘  └─ expired ─► dead-letter queue or gone          │
 *                                                        LOCKED ◄── receive by number ──────┘
 * </pre>
 *
 * <p>Invariants:
 * <ul>
 *   <li>A message returns to ACTIVE at its sequence number, so redelivery keeps the order.
 *   <li>A message has a lock token if and only if it is LOCKED, and every settlement must name that token.
 *   <li>A session has at most one receiver, which gets its messages in sequence order. Losing the session returns all of them and
 *       invalidates their tokens.
 *   <li>After a receiver closes its session, the tokens of unsettled messages stay valid until another receiver accepts it. Then the
 *       messages return without a higher delivery count.
 *   <li>A batch is stored or rejected as a whole.
 * </ul>
 */
@NullMarked
package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.Receiver;
import dev.waybill.servicebus.embedded.mailbox.SessionRequest;
import org.jspecify.annotations.NullMarked;
