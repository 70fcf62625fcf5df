/**
 * The state of the broker: entities, their messages, locks and sessions. Knows nothing of connections and links, which
 * it meets as {@link Receiver} and {@link SessionRequest}. Confined to the loop's thread.
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
 *   <li>A message that goes back to ACTIVE goes back to the place of its sequence number, so redelivery keeps the order.
 *   <li>A message has a lock token if and only if it is LOCKED, and a settlement is checked against that token.
 *   <li>A session has at most one receiver. Its messages are delivered to that receiver only, in order of their sequence
 *       numbers; losing the session returns all of them and invalidates all their tokens.
 *   <li>A receiver that closes its session leaves the tokens of unsettled messages valid until somebody else accepts the
 *       session; then they return, and the delivery count does not rise.
 *   <li>A batch is stored whole or refused whole.
 * </ul>
 */
@NullMarked
package dev.waybill.servicebus.embedded.entity;

import dev.waybill.servicebus.embedded.mailbox.Receiver;
import dev.waybill.servicebus.embedded.mailbox.SessionRequest;
import org.jspecify.annotations.NullMarked;
