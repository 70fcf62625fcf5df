/**
 * The relay as a process of its own. Nothing of the library depends on it.
 *
 * <pre>
 *   cli                                        console                admin
 *   WaybillRelay ─▶ cli ─▶ service: pools, ───▶ the same by browser ─▶ config      what it was told
 *                    │     relays, probes,                         ├─▶ doctor      what is wrong, and what would be
 *                    │     metrics; SIGTERM                        ├─▶ topology    what differs from what is declared
 *                    │     hands over                              ├─▶ cost        what a load costs, by the user's prices
 *                    └────────────────────────────────────────────▶├─▶ database    what the outbox's database knows
 *                                                                  └─▶ servicebus  the only one that names types of the Azure SDK
 * </pre>
 */
@NullMarked
package dev.waybill.standalone;

import org.jspecify.annotations.NullMarked;
