/**
 * The costs of a load on Service Bus: operations by message and month, and money by prices that the user gives.
 *
 * <pre>
 *   load file ──────┐
 *   counters ───────┼─▶ Load ─▶ Bill (operations, line by line) ─┬─▶ Comparison (tiers, break-even)
 *   options ────────┘                             price file ────┘
 * </pre>
 *
 * <p>No price is in the code. The meaning of "operation" is from Service Bus's pricing page, "How is the Operations
 * meter calculated for queues and topics?" (https://azure.microsoft.com/pricing/details/service-bus/): any API
 * interaction; a message sent or delivered counts once for each 64 KB of it begun; reading with a lock and then
 * completing are two; renewing a lock is one; each subscription's delivery counts by itself. The page names no rebate
 * for a batch, and https://learn.microsoft.com/azure/service-bus-messaging/service-bus-performance-improvements says
 * that batched access to the store does not change the number of operations.
 */
@NullMarked
package dev.waybill.standalone.cost;

import org.jspecify.annotations.NullMarked;
