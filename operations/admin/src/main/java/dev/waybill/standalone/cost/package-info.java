/**
 * The costs of a load on Service Bus: operations by message and month, and money by the user's prices.
 *
 * <pre>
 *   load file ──────┐
 *   counters ───────┼─▶ Load ─▶ Bill (operations, line by line) ─┬─▶ Comparison (tiers, break-even)
 *   options ────────┘                             price file ────┘
 * </pre>
 *
 * <p>The code contains no price. The pricing page (https://azure.microsoft.com/pricing/details/service-bus/) defines an
 * operation as any API interaction. Each started block of 64 KB counts once. A receive under a lock and its completion are two
 * operations; a lock renewal is one. Each subscription counts its own deliveries. A batch gets no discount.
 */
@NullMarked
package dev.waybill.standalone.cost;

import org.jspecify.annotations.NullMarked;
