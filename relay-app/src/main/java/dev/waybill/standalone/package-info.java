/**
 * The relay as a process of its own. Nothing of the library depends on it, and what only it needs is optional there.
 *
 * <pre>
 *   WaybillRelay ─▶ cli ─▶ config      what it was told
 *                    ├──▶ service     run: pools, relays, probes, metrics; SIGTERM hands over
 *                    ├──▶ doctor      what is wrong, and what would be
 *                    ├──▶ topology    what differs from what is declared
 *                    ├──▶ cost        what a load costs, by the user's prices
 *                    ├──▶ database    what the outbox's database knows
 *                    └──▶ servicebus  the only one that names types of the Azure SDK
 * </pre>
 */
@NullMarked
package dev.waybill.standalone;

import org.jspecify.annotations.NullMarked;
