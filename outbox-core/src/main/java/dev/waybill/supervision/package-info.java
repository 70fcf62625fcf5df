/**
 * Loops that survive failures, and log them once. For the modules of Waybill; these types may change with any release.
 *
 * <p>A {@link dev.waybill.supervision.SupervisedLoop} takes turn after turn until it is stopped. After a failed turn it backs
 * off. A {@link dev.waybill.supervision.Fault} logs a recurring failure and its end in one line each. An
 * {@link dev.waybill.supervision.Outage} does so for all loops that use one database.
 */
@NullMarked
package dev.waybill.supervision;

import org.jspecify.annotations.NullMarked;
